import BotKit
import Rules

/// A ply of a game of two colours, as engines are told of it.
struct EngineMove: Hashable, Sendable {
  /// Whether black, which began, moved.
  var isBlack: Bool
  /// The move as people write it; `nil` for a pass, which engines want to hear of and nobody writes down.
  var text: String?

  /// What was played before a turn, with the passes between.
  static func moves(before turn: BotTurn) -> [EngineMove] {
    var moves: [EngineMove] = []
    func add(_ isBlack: Bool, _ text: String?) {
      if moves.last?.isBlack == isBlack { moves.append(EngineMove(isBlack: !isBlack, text: nil)) }
      if let text { moves.append(EngineMove(isBlack: isBlack, text: text)) }
    }
    for ply in turn.history {
      guard let code = ply.choices.first ?? nil else { continue }
      add(ply.seat == firstSeat(of: turn), turn.game.text(of: code))
    }
    add(isBlack(turn), nil)
    return moves
  }

  /// Whether the seat that has to choose has the black stones.
  static func isBlack(_ turn: BotTurn) -> Bool { turn.seat == firstSeat(of: turn) }

  private static func firstSeat(of turn: BotTurn) -> Seat { turn.history.first?.seat ?? turn.seat }
}

extension BotTurn {
  /// The choice that an engine names by a move's text.
  func choice(text: String) throws(LineBotFault) -> BotChoice {
    guard let code = game.code(text: text), game.isLegal(code) else {
      throw .illegal(LineBotFault.beginning(of: text.utf8))
    }
    return BotChoice(code)
  }
}

extension [UInt8] {
  /// A line that was read, without spaces at its ends.
  var trimmedText: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let end = lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    return String(decoding: self[..<end].drop(while: isSpace), as: UTF8.self)
  }
}

/// How long an engine is told that it has: a tenth less than it has, for the way of its answer.
func engineMilliseconds(_ limit: Int) -> Int { limit - limit / 10 }

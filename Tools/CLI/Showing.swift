import Events
import Games
import Projection
import Rules
import Terminal

/// How rooms, seats and endings are put into words and pieces: the one place for all commands.
enum Showing {
  /// What stands for each seat on a board.
  static func pieces(_ state: RoomState) -> [String] {
    switch state.create.rules {
    case TicTacToe.name: EmojiTeam.pieces(wanted: state.seats.map { $0?.profile.emoji ?? "" })
    case ConnectFour.name: discs(wanted: state.seats.map { $0?.profile.emoji ?? "" })
    default: state.seats.map { _ in "" }
    }
  }

  /// Connect Four's red and yellow, unless somebody wished for an emoji.
  private static func discs(wanted: [String]) -> [String] {
    let wishes = wanted.map { EmojiTeam.emoji(wish: $0) }
    guard wishes.contains(where: { $0 != nil }) else { return ["🔴", "🟡"] }
    let pieces = EmojiTeam.pieces(wanted: wanted)
    return zip(wishes, zip(pieces, ["🔴", "🟡"])).map { $0 == nil ? $1.1 : $1.0 }
  }

  /// A seat's name, with its piece where it has one.
  static func name(_ seat: Seat, _ state: RoomState) -> String {
    let name = state.seats.indices.contains(seat.index) ? state.seats[seat.index]?.profile.name : nil
    let safe = SafeText(name ?? "", limitColumns: 24).text
    return safe.isEmpty ? "\(seat)" : safe
  }

  /// A seat's name after its piece, as in “🐱 You”.
  static func label(_ seat: Seat, _ state: RoomState, _ drawing: Drawing) -> String {
    let pieces = pieces(state)
    guard drawing.hasUnicode, pieces.indices.contains(seat.index), !pieces[seat.index].isEmpty else {
      return name(seat, state)
    }
    return "\(pieces[seat.index]) \(name(seat, state))"
  }

  /// “You vs solver”.
  static func pairing(_ state: RoomState) -> String {
    state.seats.indices.map { name(Seat(UInt8(truncatingIfNeeded: $0)), state) }.joined(separator: " vs ")
  }

  /// Why a game ended, in one word for scripts.
  static func word(_ cause: GameRecord.Cause) -> String {
    switch cause {
    case .rules: "rules"
    case .resigned: "resigned"
    case .left: "left"
    case .ruled: "ruled"
    case .offence: "offence"
    case .forked: "fork"
    }
  }

  /// How a game ended, in a sentence.
  static func sentence(_ game: GameRecord, _ state: RoomState) -> String {
    guard let ending = game.ending else { return "The game is on." }
    func name(_ seat: Seat) -> String { self.name(seat, state) }
    let scores = (ending.outcome?.scores ?? []).map(String.init).joined(separator: " : ")
    switch ending.cause {
    case .rules:
      guard let outcome = ending.outcome else { return "It ended without an outcome." }
      let isPlain = outcome.scores.allSatisfy { $0 == 0 || $0 == 1 }
      let result = outcome.winner.map { "\(name($0)) wins" } ?? "A draw"
      return isPlain ? "\(result)." : "\(result), \(scores)."
    case .resigned(let seat): return "\(name(seat)) resigned."
    case .left(let seat): return "\(name(seat)) left."
    case .ruled(let seat): return "The referee ruled against \(name(seat)), who was silent."
    case .offence(let seat): return "\(name(seat)) broke the protocol and loses."
    case .forked(let seat?): return "\(name(seat)) contradicted its own feed and loses."
    case .forked(nil): return "Several seats contradicted their own feeds: void."
    }
  }

  /// Where a room stands, in one word.
  static func word(_ phase: RoomState.Phase) -> String {
    switch phase {
    case .waiting: "waiting"
    case .playing: "playing"
    case .finished: "finished"
    case .abandoned: "abandoned"
    case .closed: "closed"
    case .unknownRules: "unknown-rules"
    }
  }
}

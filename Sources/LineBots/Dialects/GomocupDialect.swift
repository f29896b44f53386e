import BotKit
import Rules

/// The protocol of the gomoku tournament Gomocup.
///
/// The engine is told the move that was played since its own, and the whole board where it was told of another game.
struct GomocupDialect: LineDialect {
  private enum Stage: Sendable {
    case about, starting, ready
    /// It has a new board, and is told all of this when it says so.
    case beginning([UInt8])
    case thinking
  }

  let isTalkative = true
  let endsWithInput = false
  private let memoryBytes: UInt64
  private var stage = Stage.about
  private var name: String?
  /// The moves of its board.
  private var told: [String] = []

  private static let size = 15
  /// What many engines read into 32 bits.
  private static let limitNumber: UInt64 = 2_147_483_647

  init(_ limits: LineBotLimits) { memoryBytes = min(limits.memoryBytes, Self.limitNumber) }

  var farewell: [UInt8] { Self.bytes(["END"]) }

  mutating func greeting() -> [UInt8] { Self.bytes(["ABOUT"]) }

  mutating func greeted(by line: [UInt8]) throws(LineBotFault) -> LineStep<LineHello> {
    let text = line.trimmedText
    guard !Self.isChatter(text) else { return .more }
    if case .about = stage {
      // An engine that knows no ABOUT says so, and plays all the same.
      name = Self.name(in: text)
      stage = .starting
      return .say(Self.bytes(["START \(Self.size)"]))
    }
    try checkStarted(line)
    stage = .ready
    var hello = LineHello()
    hello.games = ["gomoku"]
    hello.engine = name
    return .answer(hello)
  }

  func refusal(of rules: any GameRules) -> String? {
    let opening = rules.parameters["opening"] ?? "none"
    return opening == "none" ? nil : "\(rules.definition.name) with the opening \(opening)"
  }

  mutating func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8] {
    let moves = turn.history.compactMap { ply in
      (ply.choices.first ?? nil).map { Self.cell(turn.game.text(of: $0)) }
    }
    defer { told = moves }
    let time = ["INFO timeout_turn \(engineMilliseconds(milliseconds))"]
    if !isNew, !told.isEmpty, moves.count == told.count + 1, moves.starts(with: told) {
      stage = .thinking
      return Self.bytes(time + ["TURN \(moves[told.count])"])
    }
    let isExact = rules.parameters["line"] == "exact"
    let settings = [
      "INFO timeout_match 0", "INFO time_left \(Self.limitNumber)", "INFO max_memory \(memoryBytes)",
      "INFO game_type 1", "INFO rule \(isExact ? 1 : 0)",
    ]
    stage = .beginning(Self.bytes(settings + time + Self.board(moves)))
    return Self.bytes(["START \(Self.size)"])
  }

  mutating func answered(by line: [UInt8], _ turn: BotTurn) throws(LineBotFault) -> LineStep<BotChoice> {
    let text = line.trimmedText
    guard !Self.isChatter(text) else { return .more }
    if case .beginning(let rest) = stage {
      try checkStarted(line)
      stage = .thinking
      return .say(rest)
    }
    if let refusal = Self.refusal(in: text) { throw .refused("a turn", answer: refusal) }
    guard let cell = Self.text(of: text) else {
      throw .rubbish("it is no move", line: LineBotFault.beginning(of: line))
    }
    let choice = try turn.choice(text: cell)
    told.append(Self.cell(turn.game.text(of: choice.code)))
    stage = .ready
    return .answer(choice)
  }

  mutating func overheard(_ line: [UInt8]) throws(LineBotFault) {
    guard Self.isChatter(line.trimmedText) else { throw .unasked(line: LineBotFault.beginning(of: line)) }
  }

  func result(_ ending: BotEnding) -> [UInt8] { [] }

  // MARK: - Lines

  /// Refuses what is no OK to a new board.
  private func checkStarted(_ line: [UInt8]) throws(LineBotFault) {
    let text = line.trimmedText
    if let refusal = Self.refusal(in: text) { throw .refused("START \(Self.size)", answer: refusal) }
    guard text.hasPrefix("OK") else { throw .rubbish("it is no OK", line: LineBotFault.beginning(of: line)) }
  }

  /// Lines end with a carriage return too in this protocol.
  private static func bytes(_ lines: [String]) -> [UInt8] { lines.flatMap { Array("\($0)\r\n".utf8) } }

  /// What means nothing for the game: messages to people, and empty lines.
  private static func isChatter(_ text: String) -> Bool {
    text.isEmpty || ["MESSAGE", "DEBUG"].contains { text.hasPrefix($0) }
  }

  /// The words of an engine that cannot do what it was told.
  private static func refusal(in text: String) -> String? {
    ["ERROR", "UNKNOWN"].contains { text.hasPrefix($0) } ? LineBotFault.beginning(of: text.utf8) : nil
  }

  /// The name in `name="…", version="…"`.
  private static func name(in text: String) -> String? {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0].hasSuffix("name=") else { return nil }
    return String(parts[1])
  }

  // Cells are two numbers from 0, of the column and of the row from above.

  /// The cell of a move: `7,0` of `h15`.
  private static func cell(_ text: String) -> String {
    let column = Int(text.utf8.first ?? 0x61) - 0x61
    return "\(column),\(size - (Int(text.dropFirst()) ?? 0))"
  }

  /// The move of a cell; `nil` for what is none.
  private static func text(of cell: String) -> String? {
    let numbers = cell.split(separator: ",", omittingEmptySubsequences: false).map {
      Int($0.drop { $0 == " " })
    }
    guard numbers.count == 2, let column = numbers[0], let row = numbers[1] else { return nil }
    // A cell beside the board has no letter; as it was written it is no legal move.
    guard (0..<size).contains(column), (0..<size).contains(row) else { return cell }
    return "\(UnicodeScalar(UInt8(0x61 + column)))\(size - row)"
  }

  /// How it is told of a board that it has to move on: of each stone in the order of play whether it is its own, 1, or
  /// the other's, 2.
  private static func board(_ moves: [String]) -> [String] {
    guard !moves.isEmpty else { return ["BEGIN"] }
    let stones = moves.enumerated().map { index, cell in
      "\(cell),\((moves.count - index) % 2 == 0 ? 1 : 2)"
    }
    return ["BOARD"] + stones + ["DONE"]
  }
}

import BotKit
import Rules

/// The protocol of the gomoku tournament Gomocup.
///
/// The engine is told the move that was played since its own, and the whole board where it was told of another game. In
/// the opening swap2 one answer is up to three choices; those behind the first are kept until their turns come.
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
  /// The moves that it knows of, as people write them.
  private var told: [String] = []
  /// How far the opening was when it was asked last; `nil` where it was asked for a move.
  private var opening: GomocupOpening?
  /// What it has chosen already, in order.
  private var ahead: [String] = []

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

  func refusal(of rules: any GameRules) -> String? { nil }

  mutating func choiceMade(_ turn: BotTurn, isNew: Bool) throws(LineBotFault) -> BotChoice? {
    guard !isNew, !ahead.isEmpty, Self.moves(before: turn) == told else {
      ahead = []
      return nil
    }
    return try choice(ahead.removeFirst(), turn)
  }

  mutating func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8] {
    let (moves, before) = (Self.moves(before: turn), opening)
    opening = rules.parameters["opening"] == "swap2" ? GomocupOpening(after: moves) : nil
    let goesOn = !isNew && !told.isEmpty && moves.starts(with: told)
    let news = moves.dropFirst(told.count)
    defer { told = moves }
    let time = ["INFO timeout_turn \(engineMilliseconds(milliseconds))"]
    let cells = GomocupOpening.stones(of: moves).map(Self.cell)
    let board = opening.map { ["SWAP2BOARD"] + cells.prefix($0.shown) + ["DONE"] } ?? Self.board(cells)
    if goesOn, before != nil {
      stage = .thinking
      return Self.bytes(time + board)
    }
    if goesOn, news.count == 1, let last = news.first {
      stage = .thinking
      return Self.bytes(time + ["TURN \(Self.cell(last))"])
    }
    let isExact = rules.parameters["line"] == "exact"
    let settings = [
      "INFO timeout_match 0", "INFO time_left \(Self.limitNumber)", "INFO max_memory \(memoryBytes)",
      "INFO game_type 1", "INFO rule \(isExact ? 1 : 0)",
    ]
    stage = .beginning(Self.bytes(settings + time + board))
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
    let words = text.split(separator: " ").map(String.init)
    let cells = words.compactMap(Self.text(of:))
    let choices: [String]? =
      if let opening { opening.choices(words, cells.count == words.count ? cells : nil, told) } else {
        Self.text(of: text).map { [$0] }
      }
    guard let choices, let first = choices.first else {
      throw .rubbish("it is no move", line: LineBotFault.beginning(of: line))
    }
    stage = .ready
    ahead = Array(choices.dropFirst())
    return .answer(try choice(first, turn))
  }

  /// Its choice, of which it is not told.
  private mutating func choice(_ text: String, _ turn: BotTurn) throws(LineBotFault) -> BotChoice {
    let choice = try turn.choice(text: text)
    told.append(turn.game.text(of: choice.code))
    return choice
  }

  mutating func overheard(_ line: [UInt8]) throws(LineBotFault) {
    guard Self.isChatter(line.trimmedText) else { throw .unasked(line: LineBotFault.beginning(of: line)) }
  }

  func result(_ ending: BotEnding) -> [UInt8] { [] }

  // MARK: - Lines

  /// What was played before a turn, as people write it.
  private static func moves(before turn: BotTurn) -> [String] {
    turn.history.compactMap { ply in (ply.choices.first ?? nil).map { turn.game.text(of: $0) } }
  }

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

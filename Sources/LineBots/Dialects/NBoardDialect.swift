import BotKit
import Rules

/// The protocol of NBoard, version 2, which engines of Othello speak.
///
/// The engine gets each position as a whole game, so it need not remember. There is no clock in this protocol, but
/// a depth.
struct NBoardDialect: LineDialect {
  /// The depths that may be asked for.
  static let depths = 1...60
  /// The depth where none is asked for.
  static let standardDepth = 8

  let isTalkative = true
  let endsWithInput = false
  private let depth: Int
  /// The ping that is waited for, or was waited for last.
  private var ping = 0
  private var isPonged = false
  private var name: String?
  /// The positions that it says it has visited for the answer that is waited for.
  private var nodes: UInt64 = 0

  init(depth: Int?) { self.depth = depth ?? Self.standardDepth }

  var farewell: [UInt8] { Array("quit\n".utf8) }

  mutating func greeting() -> [UInt8] { Array("nboard 2\nset depth \(depth)\n\(nextPing())\n".utf8) }

  mutating func greeted(by line: [UInt8]) throws(LineBotFault) -> LineStep<LineHello> {
    try hear(line)
    guard isPonged else { return .more }
    var hello = LineHello()
    hello.games = ["othello"]
    hello.engine = name
    return .answer(hello)
  }

  func refusal(of rules: any GameRules) -> String? { nil }

  mutating func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8] {
    nodes = 0
    return Array("set game \(Self.record(of: turn))\n\(nextPing())\n".utf8)
  }

  mutating func answered(by line: [UInt8], _ turn: BotTurn) throws(LineBotFault) -> LineStep<BotChoice> {
    let wasPonged = isPonged
    guard let answer = Self.move(in: line.trimmedText) else {
      try hear(line)
      // What it says before is about an earlier position.
      return isPonged && !wasPonged ? .say(Array("go\n".utf8)) : .more
    }
    guard isPonged else { throw .unasked(line: LineBotFault.beginning(of: line)) }
    var choice = try turn.choice(text: answer.move)
    choice.note = answer.discs.map { MoveNote(value: $0, isProven: false, nodes: nodes) }
    return .answer(choice)
  }

  mutating func overheard(_ line: [UInt8]) throws(LineBotFault) { try hear(line) }

  func result(_ ending: BotEnding) -> [UInt8] { [] }

  // MARK: - Lines

  private mutating func nextPing() -> String {
    ping += 1
    isPonged = false
    return "ping \(ping)"
  }

  /// The move of `=== F5/1.5/0.2`, or of the same with spaces, and the evaluation in discs, for whoever moves, where
  /// one stands behind it; `nil` for another line.
  private static func move(in text: String) -> (move: String, discs: Int32?)? {
    guard text.hasPrefix("===") else { return nil }
    let rest = text.dropFirst(3).drop { $0 == " " || $0 == "\t" }
    let parts =
      rest.contains("/")
      ? rest.split(separator: "/", omittingEmptySubsequences: false).map {
        $0.filter { $0 != " " && $0 != "\t" }
      }
      : rest.split { $0 == " " || $0 == "\t" }.map(String.init)
    let discs = parts.dropFirst().first.flatMap { Double($0) }
    let isWithin = discs.map { $0.magnitude <= limitDiscs } ?? false
    return (parts.first.map { $0.lowercased() } ?? "", isWithin ? discs.map { Int32($0.rounded()) } : nil)
  }

  /// No board has more; what an engine says beyond is no evaluation.
  private static let limitDiscs = 64.0

  /// Takes a line that is no move. The protocol grows, so lines that nobody knows mean nothing.
  private mutating func hear(_ line: [UInt8]) throws(LineBotFault) {
    let text = line.trimmedText
    if Self.move(in: text) != nil { throw .unasked(line: LineBotFault.beginning(of: line)) }
    if text.hasPrefix("set myname ") { name = String(text.dropFirst(11)) }
    if text.hasPrefix("nodestats ") {
      nodes = text.dropFirst(10).split(separator: " ").first.flatMap { UInt64($0) } ?? 0
      nodes = min(nodes, UInt64(LineText.limitNumber))
    }
    guard text.hasPrefix("pong") else { return }
    guard Int(text.dropFirst(4).drop { $0 == " " }) == ping else {
      throw .rubbish("no such ping waits for it", line: LineBotFault.beginning(of: line))
    }
    isPonged = true
  }

  /// The game in the format GGF: the board at its beginning from a1, and the moves; `PA` is a pass.
  private static func record(of turn: BotTurn) -> String {
    let empty = String(repeating: "-", count: 27)
    let moves = EngineMove.moves(before: turn).map { move in
      "\(move.isBlack ? "B" : "W")[\(move.text?.uppercased() ?? "PA")]"
    }
    return "(;GM[Othello]PC[Parlor]PB[black]PW[white]RE[?]TY[8]BO[8 \(empty)O*------*O\(empty) *]"
      + moves.joined() + ";)"
  }
}

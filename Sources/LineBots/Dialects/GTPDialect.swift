import BotKit
import Rules

/// The Go Text Protocol, version 2, as engines of Othello speak it.
///
/// Each command has a number, so an answer to another one is noticed. Moves are told as they come; a game from its
/// beginning where the engine was told of another one.
struct GTPDialect: LineDialect {
  /// A command whose answer has not come.
  private struct Command: Sendable {
    enum Use: Sendable {
      case name, version, commands
      /// Its answer says nothing.
      case told
      /// The same, and the engine may refuse it.
      case offered
      case move
    }

    let number: Int
    let text: String
    let use: Use
  }

  /// An answer of which not all lines have come.
  private struct Response {
    let isRefusal: Bool
    var lines: [String]
  }

  let isTalkative = true
  let endsWithInput = false
  private var number = 0
  private var waiting: [Command] = []
  private var response: Response?
  /// What it calls itself.
  private var name = ""
  /// The commands that it has and need not have.
  private var offers: Set<String> = []
  /// The moves of its board.
  private var told: [EngineMove] = []

  var farewell: [UInt8] { Array("quit\n".utf8) }

  mutating func greeting() -> [UInt8] {
    command("name", .name) + command("version", .version) + command("list_commands", .commands)
  }

  mutating func greeted(by line: [UInt8]) throws(LineBotFault) -> LineStep<LineHello> {
    guard let (command, words) = try take(line) else { return .more }
    switch command.use {
    case .name: name = words.first ?? ""
    case .version: name += (words.first ?? "").isEmpty ? "" : " " + words[0]
    case .commands:
      offers = Set(words)
      var hello = LineHello()
      hello.games = ["othello"]
      hello.engine = name
      return .answer(hello)
    case .told, .offered, .move: break
    }
    return .more
  }

  func refusal(of rules: any GameRules) -> String? { nil }

  mutating func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8] {
    let moves = EngineMove.moves(before: turn)
    var bytes: [UInt8] = []
    if isNew || !moves.starts(with: told) {
      // Engines that play several games have this command.
      if offers.contains("set_game") { bytes += command("set_game Othello", .told) }
      bytes += command("boardsize 8", .told) + command("clear_board", .told)
      told = []
    }
    for move in moves.dropFirst(told.count) {
      // GRhino knows no passes: it sees by the next move's colour that there was one.
      bytes += command(
        "play \(Self.colour(move.isBlack)) \(move.text ?? "pass")", move.text == nil ? .offered : .told)
    }
    let seconds = engineMilliseconds(milliseconds) / 1_000
    if seconds > 0, offers.contains("time_settings") {
      bytes += command("time_settings 0 \(seconds) 1", .offered)
    }
    told = moves
    return bytes + command("genmove \(Self.colour(EngineMove.isBlack(turn)))", .move)
  }

  mutating func answered(by line: [UInt8], _ turn: BotTurn) throws(LineBotFault) -> LineStep<BotChoice> {
    guard let (command, words) = try take(line), case .move = command.use else { return .more }
    let text = (words.first ?? "").lowercased()
    guard text != "resign" else { throw .resigned }
    let choice = try turn.choice(text: text)
    told.append(EngineMove(isBlack: EngineMove.isBlack(turn), text: turn.game.text(of: choice.code)))
    return .answer(choice)
  }

  mutating func overheard(_ line: [UInt8]) throws(LineBotFault) {
    guard line.trimmedText.isEmpty else { throw .unasked(line: LineBotFault.beginning(of: line)) }
  }

  func result(_ ending: BotEnding) -> [UInt8] { [] }

  private static func colour(_ isBlack: Bool) -> String { isBlack ? "black" : "white" }

  // MARK: - Commands and answers

  private mutating func command(_ text: String, _ use: Command.Use) -> [UInt8] {
    number += 1
    waiting.append(Command(number: number, text: text, use: use))
    return Array("\(number) \(text)\n".utf8)
  }

  /// Takes a line of an answer: `=3 text` or `?3 text`, lines that go on, and an empty one at its end.
  /// - Returns: the command whose answer is whole with this line, and the answer's lines.
  private mutating func take(_ line: [UInt8]) throws(LineBotFault) -> (Command, [String])? {
    let text = line.trimmedText
    if response != nil {
      guard text.isEmpty else {
        response?.lines.append(text)
        return nil
      }
      return try end()
    }
    guard let mark = text.first else { return nil }
    guard mark == "=" || mark == "?" else {
      throw .rubbish("it begins neither with = nor with ?", line: LineBotFault.beginning(of: line))
    }
    let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard let command = waiting.first, Int(digits) == command.number else {
      throw .unasked(line: LineBotFault.beginning(of: line))
    }
    let words = text.dropFirst(1 + digits.count).drop { $0 == " " || $0 == "\t" }
    response = Response(isRefusal: mark == "?", lines: [String(words)])
    return nil
  }

  /// Ends an answer.
  private mutating func end() throws(LineBotFault) -> (Command, [String])? {
    guard let whole = response, !waiting.isEmpty else { return nil }
    response = nil
    let command = waiting.removeFirst()
    if case .offered = command.use { return (command, whole.lines) }
    guard !whole.isRefusal else {
      throw .refused(command.text, answer: LineBotFault.beginning(of: (whole.lines.first ?? "").utf8))
    }
    return (command, whole.lines)
  }
}

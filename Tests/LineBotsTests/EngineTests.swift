import BotKit
import Foundation
import LineBots
import Platform
import Projection
import Rules
import TestKit
import Testing

/// Engines that speak GTP, NBoard's protocol or Gomocup's.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct EngineTests {
  static let protocols = ["gtp", "nboard", "gomocup"]

  private static func command(_ name: String, _ arguments: String...) -> String {
    "\(name):"
      + ([TestBots.python, "\(TestBots.folder)/Bots/engine.py", name] + arguments).joined(separator: " ")
  }

  private static func game(_ name: String) -> String { name == "gomocup" ? "gomoku" : "othello" }

  /// Passes are played too in these games: an engine that is not told of one refuses the next move.
  @Test(arguments: [("gtp", "none"), ("gtp", "nopass"), ("nboard", "none"), ("gomocup", "none")])
  func aMatchIsPlayedToItsEnd(_ name: String, _ mode: String) async throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let rules = try TestBots.rules(Self.game(name))
    let played = try await TestBots.match(rules, [Self.command(name, mode), "random"], games: 6, bots)
    #expect(played.games.count == 6)
    #expect(played.games.allSatisfy { $0.ending?.cause == .rules && $0.isAgreed })
    #expect(reports.all.isEmpty, "\(reports.all.map(\.fault.words))")
    bots.close()
    #expect(bots.tallies.map(\.tally.restarts) == [0] && bots.tallies.map(\.tally.ignoredQuit) == [0])
    guard name != "gomocup" else { return }
    let passes = played.games.map { game in
      zip(game.plies, game.plies.dropFirst()).count { $0.seat == $1.seat }
    }
    #expect(passes.contains { $0 > 0 }, "no game has a pass: try another seed")
  }

  @Test(arguments: protocols)
  func oneEngineAgainstItself(_ name: String) async throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let command = Self.command(name)
    let rules = try TestBots.rules(Self.game(name))
    let played = try await TestBots.match(rules, [command, command], games: 2, bots)
    #expect(played.games.allSatisfy { $0.ending?.cause == .rules })
    // Which seat is black changes from game to game, and the moves do not.
    #expect(played.games[0].plies.flatMap(\.codes) == played.games[1].plies.flatMap(\.codes))
    #expect(reports.all.isEmpty)
  }

  @Test(
    arguments: protocols,
    [
      ("slow", "too slow"), ("rubbish", "rubbish"), ("flood", "flood"), ("chatter", "flood"),
      ("illegal", "illegal"), ("dies", "ended"), ("twice", "unasked"),
    ])
  func whoGoesWrongLosesItsOwnGames(_ name: String, _ way: (mode: String, fault: String)) async throws {
    let reports = Reports()
    var limits = TestBots.patient
    limits.chatterBytes = 100_000
    if way.mode == "slow" { limits.moveMilliseconds = 1_000 }
    let bots = LineBots(limits: limits) { reports.note($0) }
    let rules = try TestBots.rules(Self.game(name))
    let players = [Self.command(name, way.mode, "2"), "random"]
    let played = try await TestBots.match(rules, players, games: 2, bots)
    #expect(played.games.count == 2)
    for game in played.games { #expect(game.ending?.cause == .resigned(Seat(0)) && game.isAgreed) }
    // A word that means no move is not in NBoard's protocol either, and there it is a move that nobody can play.
    let fault = name == "nboard" && way.mode == "rubbish" ? "illegal" : way.fault
    #expect(bots.tallies.first?.tally.faults == [.init(fault, 2)], "\(reports.all.map(\.fault.words))")
    #expect(bots.tallies.first?.tally.restarts == 1)
  }

  /// Words of all protocols at random, and an end: whatever it means, the game is over, and nothing else.
  @Test(arguments: protocols, 1...5)
  func noiseIsAFault(_ name: String, _ turn: Int) async throws {
    let bots = LineBots(limits: TestBots.patient)
    let rules = try TestBots.rules(Self.game(name))
    let players = [Self.command(name, "noise", "\(turn)"), "random"]
    let played = try await TestBots.match(rules, players, games: 1, bots)
    #expect(played.games.map { $0.ending?.cause } == [.resigned(Seat(0))])
    #expect(bots.tallies.first?.tally.faults.map(\.count) == [1])
  }

  @Test(arguments: protocols)
  func whoIsSilentPlaysNoGame(_ name: String) throws {
    let reports = Reports()
    var limits = TestBots.patient
    limits.startMilliseconds = 50
    let bots = LineBots(limits: limits) { reports.note($0) }
    #expect(throws: BotError.self) {
      try bots.bot(Self.command(name, "deaf"), for: TestBots.rules(Self.game(name)))
    }
    #expect(reports.all.map(\.fault) == [.silent(50)])
  }

  @Test(arguments: protocols)
  func whoIgnoresQuitIsEnded(_ name: String) throws {
    var limits = TestBots.patient
    limits.quitMilliseconds = 50
    let bots = LineBots(limits: limits)
    _ = try bots.bot(Self.command(name, "stays"), for: TestBots.rules(Self.game(name)))
    bots.close()
    #expect(bots.tallies.map(\.tally.ignoredQuit) == [1])
  }

  @Test func anEngineMayResignInGTPAndMayNotPassByChoice() async throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let rules = try TestBots.rules("othello")
    let players = [Self.command("gtp", "resigns", "3"), Self.command("gtp", "pass", "3")]
    let played = try await TestBots.match(rules, players, games: 2, bots)
    #expect(played.games.map { $0.ending?.cause } == [.resigned(Seat(0)), .resigned(Seat(1))])
    #expect(bots.tallies.map(\.tally.faults) == [[.init("resigned", 1)], [.init("illegal", 1)]])
  }

  /// What Gomocup's protocol has a word for: an engine that says no.
  @Test func anEngineThatRefusesSaysWhy() throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let refused = #expect(throws: BotError.self) {
      try bots.bot(Self.command("gomocup", "refuses"), for: TestBots.rules("gomoku"))
    }
    #expect(refused?.description.contains("refused “START 15”: ERROR board of another size") == true)
  }

  @Test func onlyGamesOfItsProtocolArePlayed() throws {
    let bots = LineBots(limits: TestBots.patient)
    for name in Self.protocols {
      let other = Self.game(name) == "gomoku" ? "othello" : "gomoku"
      let refused = #expect(throws: BotError.self) {
        try bots.bot(Self.command(name), for: TestBots.rules(other))
      }
      #expect(refused?.description.hasSuffix("it does not play \(other)") == true)
    }
  }

  /// A seat's three ways through an opening, beside those that a bot draws which plays at random.
  @Test(arguments: ["none", "two", "swap"])
  func anOpeningIsPlayed(_ way: String) async throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let rules = try TestBots.rules("gomoku", [("opening", "swap2")])
    let played = try await TestBots.match(rules, [Self.command("gomocup", way), "random"], games: 20, bots)
    bots.close()
    #expect(played.games.allSatisfy { $0.ending?.cause == .rules && $0.isAgreed })
    #expect(reports.all.isEmpty, "\(reports.all.map(\.fault.words))")
    #expect(bots.tallies.map(\.tally.restarts) == [0])
    let start = rules.start(first: Seat(0))
    let words = played.games.map { game in
      game.plies.filter { $0.seat == Seat(0) }.map { start.text(of: $0.code) }.filter {
        Int($0.dropFirst()) == nil
      }
    }
    // Who opens has to choose only where the other one adds two stones.
    let chosen = ["none": [["white"], []], "two": [["two"], ["black"], []], "swap": [["black"], []]]
    #expect(Set(words) == Set(chosen[way] ?? []))
  }

  /// What it has chosen goes with a process that ends: the next one is asked from the beginning, and where that answer
  /// brings what is on the board already, the rest of it counts.
  @Test(arguments: 1...2)
  func anOpeningGoesOnInAnotherProcess(_ stones: Int) throws {
    let bots = LineBots(limits: TestBots.patient)
    let rules = try TestBots.rules("gomoku", [("opening", "swap2")])
    // The engine puts the first three cells from the upper left.
    let answer = ["a15", "b15", "c15"]
    for own in [["a15", "b15"], ["b15", "h8"], ["h8", "g8"]] {
      let before = Array(own.prefix(stones))
      var texts = before
      let bot = try bots.bot(Self.command("gomocup"), for: rules)
      while texts.count < 3 {
        let turn = try Self.turn(rules, texts)
        texts.append(turn.game.text(of: try bot.choose(turn).code))
      }
      #expect(texts == before + answer.filter { !before.contains($0) }.prefix(3 - stones))
    }
    #expect(bots.tallies.allSatisfy { $0.tally.faults.isEmpty })
  }

  /// An answer of two stones on one cell is not legal when its second stone's turn comes.
  @Test func anAnswerInOneIsJudgedStoneByStone() throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let rules = try TestBots.rules("gomoku", [("opening", "swap2")])
    let bot = try bots.bot(Self.command("gomocup", "again"), for: rules)
    let turn = try Self.turn(rules, [])
    let first = turn.game.text(of: try bot.choose(turn).code)
    let next = try Self.turn(rules, [first])
    #expect(throws: BotError.self) { try bot.choose(next) }
    #expect(reports.all.map(\.fault) == [.illegal(first)])
  }

  /// A turn after some moves.
  private static func turn(
    _ rules: any GameRules, _ texts: [String], game number: UInt32 = 0
  ) throws -> BotTurn {
    var game = rules.start(first: Seat(0))
    var plies: [GameHistory.Ply] = []
    for text in texts {
      guard case .seat(let seat) = game.turn else { throw BotError.cancelled }
      let code = try #require(game.code(text: text))
      let isPlayed = game.play(code)
      try #require(isPlayed)
      plies.append(.init(seat: seat, choices: [code]))
    }
    guard case .seat(let seat) = game.turn else { throw BotError.cancelled }
    let source = RandomSource(seed: 1, game: number, seat: seat, ply: UInt32(plies.count))
    return BotTurn(game: game, seat: seat, randomness: source, history: GameHistory(plies))
  }

  @Test(arguments: protocols)
  func theCheckGoesThroughAll(_ name: String) throws {
    func check(_ mode: String) throws -> (Bool, [LineBotCheck.Finding]) {
      let command = try #require(BotCommandLine(Self.command(name, mode), home: nil))
      var findings: [LineBotCheck.Finding] = []
      let check = LineBotCheck(command, limits: TestBots.patient, isCancelled: { false }) {
        findings.append($0)
      }
      return (check.run(try ["othello", "gomoku"].map { try TestBots.rules($0) }, seed: 1), findings)
    }
    let (isRight, good) = try check("none")
    #expect(isRight && good.map(\.part) == ["hello", "game", "game", "hurry", "again", "quit"])
    #expect(good[0].words.hasPrefix("it calls itself First"))
    let (isWrong, bad) = try check("illegal")
    #expect(!isWrong && bad.filter { $0.kind == .wrong }.map(\.part) == ["game", "game", "hurry"])
  }

  /// After a move was taken back, or another game was played, an engine is told of the game from its beginning.
  @Test(arguments: protocols)
  func anotherPastIsTold(_ name: String) throws {
    let bots = LineBots(limits: TestBots.patient)
    let rules = try TestBots.rules(Self.game(name))
    let bot = try bots.bot(Self.command(name), for: rules)
    func choice(_ texts: [String], game number: UInt32 = 0) throws -> String {
      let turn = try Self.turn(rules, texts, game: number)
      return turn.game.text(of: try bot.choose(turn).code)
    }
    let (first, other) = name == "gomocup" ? ("h8", "h9") : ("f5", "d3")
    let reply = try choice([first])
    #expect(try choice([first, reply, name == "gomocup" ? "a1" : "c3"]) != reply)
    #expect(try choice([first]) == reply)
    _ = try choice([other])
    #expect(try choice([first], game: 1) == reply)
    #expect(bots.tallies.map(\.tally.faults) == [[]])
  }
}

/// The transcripts of Docs/ENGINES.md.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct EngineTranscriptTests
{
  private static let document = PackageFolder.file("Docs/ENGINES.md").path

  /// Asks the engine of a transcript for all its moves.
  /// - Parameter head: the protocol, the game, and the moves before each turn, with `|` between turns.
  /// - Returns: what was wrong, and the moves.
  private func play(
    _ document: String, _ number: Int, _ head: [Substring]
  ) throws -> (reports: [LineBot.Report], moves: [String]) {
    let reports = Reports()
    var limits = TestBots.patient
    limits.moveMilliseconds = LineBotLimits().moveMilliseconds
    let bots = LineBots(limits: limits) { reports.note($0) }
    // Settings stand behind the game: `gomoku,opening=swap2`.
    let game = head[1].split(separator: ",")
    let settings = game.dropFirst().map { setting in
      let parts = setting.split(separator: "=").map(String.init)
      return (parts[0], parts[1])
    }
    let rules = try TestBots.rules(String(game[0]), settings)
    let script = "\(TestBots.python) \(TestBots.folder)/Bots/transcript.py \(document) \(number) \(head[0])"
    let bot = try bots.bot("\(head[0]):\(script)", for: rules)
    var position = rules.start(first: Seat(0))
    var plies: [GameHistory.Ply] = []
    var moves: [String] = []
    func play(_ code: MoveCode) throws {
      guard case .seat(let seat) = position.turn, position.play(code) else { throw BotError.cancelled }
      plies.append(.init(seat: seat, choices: [code]))
    }
    for part in head.dropFirst(2).split(separator: "|", omittingEmptySubsequences: false) {
      for text in part { try play(try #require(position.code(text: String(text)))) }
      guard case .seat(let seat) = position.turn else { throw BotError.cancelled }
      let source = RandomSource(seed: 1, seat: seat, ply: UInt32(plies.count))
      do throws(BotError) {
        let turn = BotTurn(game: position, seat: seat, randomness: source, history: GameHistory(plies))
        let choice = try bot.choose(turn)
        moves.append(position.text(of: choice.code))
        guard position.play(choice.code) else { throw .cancelled }
        plies.append(.init(seat: seat, choices: [choice.code]))
      } catch { break }
    }
    bots.close()
    return (reports.all, moves)
  }

  private static func heads(_ document: String) throws -> [[Substring]] {
    try String(contentsOfFile: document, encoding: .utf8).split(separator: "\n")
      .filter { line in EngineTests.protocols.contains { line.hasPrefix("```\($0) ") } }
      .map { $0.dropFirst(3).split(separator: " ") }
  }

  @Test func theTranscriptsAreTrue() throws {
    let heads = try Self.heads(Self.document)
    #expect(heads.map { String($0[0]) } == ["gtp", "nboard"] + Array(repeating: "gomocup", count: 4))
    var moves: [[String]] = []
    for (index, head) in heads.enumerated() {
      let number = heads[..<index].count { $0[0] == head[0] }
      let played = try play(Self.document, number, head)
      for report in played.reports {
        Issue.record("\(head): \(report.fault.words)\n\(String(decoding: report.errors, as: UTF8.self))")
      }
      moves.append(played.moves)
    }
    #expect(moves.prefix(4) == [["d6"], ["d6"], ["h8", "g8"], ["f8"]])
    #expect(moves[4] == ["h8", "i8", "j6", "black", "g8"])
    #expect(moves[5] == ["two", "i7", "i9", "g7"])
  }

  @Test func aWrongTranscriptIsFound() throws {
    let folder = try ScratchFolder()
    let document = folder.file("wrong.md")
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let wrong = text.replacingOccurrences(of: "> TURN 7,6", with: "> TURN 7,8")
    #expect(wrong != text)
    try wrong.write(toFile: document, atomically: false, encoding: .utf8)
    let reports = try play(document, 0, Self.heads(document)[2]).reports
    #expect(reports.map(\.fault) == [.ended(.exited(1))])
  }
}

/// How engines are named.
@Suite struct EngineNameTests {
  private static let named: [(String, [String], BotCommandLine.Speech, String)] = [
    ("gtp:gtp-rhino", ["gtp-rhino"], .gtp, "gtp:gtp-rhino"),
    ("nboard:./edax -nboard", ["./edax", "-nboard"], .nboard(depth: nil), "nboard:./edax -nboard"),
    (
      "nboard:12:/opt/edax -nboard", ["/opt/edax", "-nboard"], .nboard(depth: 12), "nboard:12:./edax -nboard"
    ),
    ("nboard:0:./edax", ["0:./edax"], .nboard(depth: nil), "nboard:0:./edax"),
    ("gomocup:'./my brain'", ["./my brain"], .gomocup, "gomocup:'./my brain'"),
    ("./gtp:x", ["./gtp:x"], .parlor, "./gtp:x"),
  ]

  @Test(arguments: named)
  func theProtocolStandsBeforeTheCommand(
    _ text: String, _ words: [String], _ speech: BotCommandLine.Speech, _ name: String
  ) throws {
    let command = try #require(BotCommandLine(text, home: nil))
    #expect(command.words == words && command.speech == speech)
    #expect(command.specification() == name)
    #expect(BotCatalog.isCommand(text))
  }

  @Test(arguments: ["gtp", "gtp-rhino", "lookahead:4", "gtpx:y"])
  func whatIsNoCommandIsABotsName(_ text: String) { #expect(!BotCatalog.isCommand(text)) }
}

/// A real engine: GRhino, which speaks GTP and is in Debian.
@Suite(.blocking, .enabled(if: Rhino.isThere, "GRhino is not installed")) struct RhinoTests {
  @Test func itPlaysAMatch() async throws {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    let rules = try TestBots.rules("othello")
    let played = try await TestBots.match(rules, ["gtp:\(Rhino.program)", "random"], games: 4, bots)
    bots.close()
    #expect(played.games.count == 4 && played.games.allSatisfy { $0.ending?.cause == .rules })
    // Who plays at random wins against no engine.
    #expect(played.games.allSatisfy { $0.ending?.outcome?.winner == Seat(0) })
    #expect(reports.all.isEmpty, "\(reports.all.map(\.fault.words))")
    #expect(bots.tallies.map(\.tally.ignoredQuit) == [0])
  }
}

private enum Rhino {
  static let program = "/usr/games/gtp-rhino"
  static let isThere = FileManager.default.isExecutableFile(atPath: program)
}

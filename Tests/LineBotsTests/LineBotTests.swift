import BotKit
import Foundation
import LineBots
import Platform
import Projection
import Rules
import TestKit
import Testing

/// A bot that is a program, from its start to its end.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct LineBotTests {
  private func bots(_ limits: LineBotLimits = TestBots.patient, _ reports: Reports = Reports()) -> LineBots {
    LineBots(limits: limits) { reports.note($0) }
  }

  @Test(arguments: [
    ("tic-tac-toe", []), ("connect-four", []), ("ultimate-tic-tac-toe", []), ("othello", []),
    ("k-in-a-row", []), ("gomoku", []), ("memory-match", [("cards", "12")]),
    ("prisoners-dilemma", [("rounds", "6")]),
  ])
  func everyGameIsPlayedToItsEnd(_ game: String, _ settings: [(String, String)]) async throws {
    let reports = Reports()
    let bots = bots(TestBots.patient, reports)
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    let rules = try TestBots.rules(game).definition.rules(parameters)
    let command = TestBots.command("none")
    let played = try await TestBots.match(rules, [command, command], games: 2, bots)
    #expect(played.games.count == 2)
    #expect(played.games.allSatisfy { $0.ending?.cause == .rules && $0.isAgreed })
    #expect(reports.all.isEmpty)
    #expect(bots.tallies.map(\.tally.restarts) == [0])
  }

  @Test func whatItSaysOfItselfIsDeclared() throws {
    let bots = bots()
    let rules = try TestBots.rules("othello")
    let declared = try bots.bot(TestBots.command("able"), for: rules).declaration
    // It counts nodes, and promises to nobody that its moves can be computed again.
    #expect(declared.version == 7 && declared.nodeBudget == 0)
    let pure = try bots.bot(TestBots.command("pure"), for: rules).declaration
    #expect(pure.version == 7 && pure.nodeBudget == 500)
    #expect(declared.specification.utf8.count <= 64)
    #expect(declared.specification.hasPrefix("./python3 "))
    let plain = try bots.bot(TestBots.command("none"), for: rules).declaration
    #expect(plain.version == 1 && plain.nodeBudget == 0)
    #expect(throws: BotError.self) {
      try bots.bot(TestBots.command("able"), for: TestBots.rules("connect-four"))
    }
  }

  @Test func itRunsInItsFolderWithItsVariables() throws {
    let folder = try ScratchFolder()
    let reports = Reports()
    var limits = TestBots.patient
    limits.folder = folder.file("")
    limits.variables = ["COLOUR=red", "HOME=/nowhere", "COLOUR=blue"]
    let bot = try bots(limits, reports).bot(TestBots.command("place"), for: TestBots.rules("tic-tac-toe"))
    #expect(throws: BotError.self) { try bot.choose(TestBots.turn("tic-tac-toe")) }
    let words = String(decoding: try #require(reports.all.first).errors, as: UTF8.self)
    let place = URL(fileURLWithPath: folder.file("")).resolvingSymlinksInPath().path
    #expect(words == "\(place) blue /nowhere\n")
    limits.folder = folder.file("missing")
    #expect(throws: BotError.self) {
      try bots(limits).bot(TestBots.command("none"), for: TestBots.rules("tic-tac-toe"))
    }
  }

  @Test func aMoveMayBeACodeWithANote() throws {
    let bot = try bots().bot(TestBots.command("code"), for: TestBots.rules("tic-tac-toe"))
    let choice = try bot.choose(TestBots.turn("tic-tac-toe"))
    #expect(choice == BotChoice(MoveCode(0), note: MoveNote(value: -3, isProven: true, nodes: 12)))
  }

  @Test func whatItWritesToStandardErrorNeverHoldsItUp() throws {
    let reports = Reports()
    let bot = try bots(TestBots.patient, reports).bot(
      TestBots.command("errors"), for: TestBots.rules("tic-tac-toe"))
    for _ in 0..<3 { _ = try bot.choose(TestBots.turn("tic-tac-toe")) }
    #expect(reports.all.isEmpty)
  }

  /// The messages are written one after the other to a file by the bot that read them.
  @Test func itIsToldOfGamesTurnsAndResults() async throws {
    let folder = try ScratchFolder()
    let file = folder.file("told")
    let bots = bots()
    let players = [TestBots.command("none", "0", file), "random"]
    let played = try await TestBots.match(try TestBots.rules("tic-tac-toe"), players, games: 2, bots)
    bots.close()
    let told = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let types = told.compactMap { $0["type"] as? String }
    #expect(types.first == "hello" && types.last == "quit")
    #expect(types.count { $0 == "new-game" } == 2 && types.count { $0 == "result" } == 2)
    for (game, result) in zip(played.games, told.filter { $0["type"] as? String == "result" }) {
      #expect(result["scores"] as? [Int] == game.ending?.outcome?.scores.map { Int($0) })
      #expect(result["winner"] as? Int == game.ending?.outcome?.winner.map { $0.index + 1 })
    }
    #expect(told.filter { $0["type"] as? String == "new-game" }.map { $0["number"] as? Int } == [1, 2])
    for turn in told where turn["type"] as? String == "go" {
      let plies = try #require(turn["plies"] as? [[String: Any]])
      let moves = try #require(turn["moves"] as? [[String: Any]])
      #expect(plies.count + moves.count == 9)
      #expect((turn["position"] as? [String: Any])?["board"] is [[[String: Any]]])
    }
  }

  @Test func theSameSeedGivesTheSameNumbers() throws {
    let hello = LineHello()
    func line(_ seed: UInt64, _ ply: UInt32) throws -> LineText {
      var turn = try TestBots.turn("tic-tac-toe")
      (turn.randomness.seed, turn.randomness.ply) = (seed, ply)
      return .go(turn, hello, milliseconds: 100)
    }
    #expect(try line(1, 0) == line(1, 0))
    #expect(try line(1, 0) != line(2, 0))
    #expect(try line(1, 0) != line(1, 1))
  }

  @Test func whoWantsNoAnswerAnyMoreGetsNone() throws {
    let reports = Reports()
    let bot = try bots(TestBots.patient, reports).bot(
      TestBots.command("slow"), for: TestBots.rules("tic-tac-toe"))
    var turn = try TestBots.turn("tic-tac-toe")
    turn.isCancelled = { true }
    #expect(throws: BotError.cancelled) { try bot.choose(turn) }
    #expect(reports.all.isEmpty)
  }

  /// A process that was taken for another game is told of this one again.
  @Test func oneProcessPlaysGamesThatAreOnAtOnce() throws {
    let bot = try bots().bot(TestBots.command("none"), for: TestBots.rules("tic-tac-toe"))
    for ply in 0..<3 as Range<UInt32> {
      for game in 0..<3 as Range<UInt32> {
        var turn = try TestBots.turn("tic-tac-toe")
        (turn.randomness.game, turn.randomness.ply) = (game, ply)
        #expect(try bot.choose(turn).code == MoveCode(0))
      }
    }
  }
}

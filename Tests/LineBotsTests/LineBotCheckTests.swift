import LineBots
import Platform
import Rules
import TestKit
import Testing

/// What the check says of good and bad bots.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct LineBotCheckTests {
  private func check(
    _ mode: String, _ games: [String], _ limits: LineBotLimits = TestBots.patient
  ) throws -> (isRight: Bool, findings: [LineBotCheck.Finding]) {
    let command = try #require(BotCommandLine(TestBots.command(mode), home: nil))
    var findings: [LineBotCheck.Finding] = []
    let check = LineBotCheck(command, limits: limits, isCancelled: { false }) { findings.append($0) }
    return (check.run(try games.map { try TestBots.rules($0) }, seed: 1), findings)
  }

  @Test func aGoodBotPassesAllGames() throws {
    let games = ["tic-tac-toe", "connect-four", "prisoners-dilemma", "memory-match"]
    let (isRight, findings) = try check("none", games)
    #expect(isRight)
    #expect(findings.allSatisfy { $0.kind == .right && $0.lines.isEmpty })
    let parts = games.flatMap { _ in ["game", "game", "hurry", "again"] }
    #expect(findings.map(\.part) == ["hello"] + parts + ["quit", "end of input"])
  }

  @Test func onlyGamesAreCheckedThatItPlays() throws {
    let (isRight, findings) = try check("able", ["tic-tac-toe", "connect-four"])
    #expect(isRight)
    #expect(findings.allSatisfy { $0.game != "connect-four" })
    #expect(findings[0].words == "version 7, plays tic-tac-toe, othello, wants moves, 500 nodes a move")
    #expect(try !check("other", ["tic-tac-toe"]).isRight)
  }

  @Test(arguments: [
    ("rubbish", "it wrote a line that is not in the protocol"), ("flood", "it wrote a line of more than"),
    ("twice", "it wrote something that it was not asked"),
    ("illegal", "it played no such move, which is not"),
    ("dies", "it ended with status 3"), ("killed", "it was ended by signal 9"),
    ("closes", "it closed its standard output"),
  ])
  func aBadBotIsToldWhatItDoesWrong(_ mode: String, _ words: String) throws {
    let (isRight, findings) = try check(mode, ["tic-tac-toe"])
    #expect(!isRight)
    let wrong = findings.filter { $0.kind == .wrong }
    #expect(wrong.map(\.part) == ["game", "game", "hurry"])
    #expect(wrong.allSatisfy { $0.words.hasPrefix(words) })
    #expect(wrong.allSatisfy { $0.lines.last { $0.hasPrefix(">") }?.contains(#""type":"go""#) == true })
    if mode == "rubbish" { #expect(wrong[0].lines.last == "< my move is the first one") }
  }

  /// What shows only when a program plays more than one game, or is asked again.
  @Test(arguments: [
    ("leaves", "it ended with status 4"), ("chats", "it wrote "),
  ])
  func whatABotDoesBetweenGamesIsFound(_ mode: String, _ words: String) throws {
    let (isRight, findings) = try check(mode, ["tic-tac-toe"])
    #expect(!isRight)
    let wrong = findings.filter { $0.kind == .wrong }
    // Each seat's game is all right alone.
    #expect(wrong.map(\.part) == ["game"] && findings[1].kind == .right)
    #expect(wrong.allSatisfy { $0.words.hasPrefix(words) })
  }

  @Test func whoGoesByNoClockIsFound() throws {
    var limits = TestBots.patient
    limits.hurryMilliseconds = 50
    let (isRight, findings) = try check("clockless", ["tic-tac-toe"], limits)
    #expect(!isRight)
    #expect(findings.filter { $0.kind == .wrong }.map(\.part) == ["hurry"])
    #expect(findings.first { $0.kind == .wrong }?.words == "it did not move within 50 ms")
  }

  @Test func whoIsSlowSilentOrDeafIsFound() throws {
    var limits = TestBots.patient
    limits.moveMilliseconds = 50
    #expect(try check("slow", ["tic-tac-toe"], limits).findings[1].words == "it did not move within 50 ms")
    limits = TestBots.patient
    limits.startMilliseconds = 50
    #expect(
      try check("deaf", ["tic-tac-toe"], limits).findings.map(\.words) == [
        "it did not say hello within 50 ms"
      ])
    limits = TestBots.patient
    limits.quitMilliseconds = 1_000
    let stays = try check("stays", ["tic-tac-toe"], limits)
    #expect(!stays.isRight)
    #expect(stays.findings.first { $0.part == "quit" }?.words == "it did not end within 1 s")
  }

  @Test func whoChoosesByNothingThatItWasToldIsRemarkedOn() throws {
    let (isRight, findings) = try check("counts", ["tic-tac-toe"])
    #expect(isRight)
    #expect(findings.filter { $0.kind == .remark }.map(\.part) == ["again"])
  }

  @Test func whoDeclaresItselfRecomputableIsAskedAgain() throws {
    let (isRight, findings) = try check("pure", ["tic-tac-toe", "prisoners-dilemma", "memory-match"])
    #expect(isRight && findings.allSatisfy { $0.kind == .right })
    #expect(findings[0].words.hasSuffix("500 nodes a move, declares itself recomputable"))
    let again = findings.filter { $0.part == "again" }.map(\.words)
    #expect(again.count == 6 && again[3] == "asked for 10 of its moves again, it plays the same")
  }

  /// By what it was asked before, by the time that it has, or not within its nodes.
  @Test(arguments: [
    (
      "counts", "again", "it declares itself recomputable, and at the same turn with the same seed it played "
    ),
    (
      "hurries", "again",
      "it declares itself recomputable, and at the same turn with the same seed it played "
    ),
    ("exceeds", "game", "seat 1: a note speaks of 501 nodes, and its hello of 500"),
  ])
  func whoIsNotRecomputableAndSaysSoIsFound(_ does: String, _ part: String, _ words: String) throws {
    var limits = TestBots.patient
    limits.variables = ["DOES=\(does)"]
    let (isRight, findings) = try check("pure", ["connect-four"], limits)
    #expect(!isRight)
    let wrong = findings.filter { $0.kind == .wrong }
    #expect(Set(wrong.map(\.part)) == [part] && wrong.first?.words.hasPrefix(words) == true)
  }

  @Test func whoResignsDoesNothingWrong() throws {
    let (isRight, findings) = try check("resigns", ["tic-tac-toe"])
    #expect(isRight)
    #expect(findings[1].words == "seat 1: it resigns at its turn 1")
  }
}

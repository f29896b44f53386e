import Foundation
import TestKit
import Testing

/// What commands say about mistakes and about games that stop.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct WordsTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  func play(_ words: [String], _ input: String) throws -> Program.Finished {
    try Program.start(["play", "--data", "data"] + words, home: home, input: Data(input.utf8)).finish()
  }

  static let game = ["tic-tac-toe", "--against", "greedy", "--seat", "first"]

  @Test func aTakeBackAndAWordAreTold() throws {
    let run = try play(Self.game, "5\nundo\nsay hello\u{1B}\n1\nresign\n")
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "You move first.\n", "You took back 2 moves.\n", "You: hello\u{FFFD}\n", "You lose: you resigned.\n",
    ] { #expect(run.output.contains(words), "\(words): \(run.output)") }
  }

  @Test func whatCannotBeDoneIsAnsweredAndAGameMayBeLeft() throws {
    let run = try play(Self.game, "5\nclaim\nagree\ndecline\nundo\ndraw\n5\nleave\n")
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "the game has no referee", "nobody asks to take back a move", "the other side offers no draw",
    ] { #expect(run.errors.contains(words), "\(words): \(run.errors)") }
    #expect(run.output.contains("The draw is declined.\n"))
    #expect(run.output.contains("You lose: you left.\n"))
  }

  @Test func aGameThatStopsSaysSoLast() throws {
    let run = try play(Self.game + ["--json"], "5\n")
    let last = try #require(try run.objects().last)
    #expect(last["type"] as? String == "waiting")
    #expect((last["moves"] as? [String])?.first == "5")
    #expect(last["turn"] as? Int == 1)
  }

  @Test func lastIsTheNewestGameThatWaits() throws {
    let waiting = try #require(try play(Self.game + ["--json"], "5\n").objects().first?["room"] as? String)
    _ = try play(Self.game, "resign\n")
    _ = try Program.run(
      "match", "tic-tac-toe", "--players", "random,greedy", "--data", "data", home: home)
    let resumed = try play(["--resume", "last", "--json"], "resign\n")
    #expect(try resumed.objects().first?["room"] as? String == waiting)
    let none = try play(["--resume", "last"], "")
    #expect(none.status == 66)
    #expect(none.errors.contains("no game of yours waits"))
  }

  @Test func namesOfBotsAndSettingsAreGuessed() throws {
    let bot = try play(["tic-tac-toe", "--against", "sovler"], "")
    #expect(bot.status == 64)
    #expect(bot.errors.contains("did you mean solver?"), "\(bot.errors)")
    #expect(try play(["tic-tac-toe", "--against", "zzzz"], "").errors.contains("played by random, greedy"))
    let setting = try play(["prisoners-dilemma", "--set", "round=5"], "")
    #expect(setting.status == 64)
    #expect(setting.errors.contains("did you mean rounds?"), "\(setting.errors)")
    #expect(setting.errors.contains("parlor games prisoners-dilemma"))
    #expect(try play(Self.game + ["--name", "  "], "").status == 64)
    #expect(try home.tree().isEmpty)
  }

  @Test func endlessLinesEndASolve() throws {
    let run = try Program.run("solve", "connect-four", "--file", "/dev/zero", home: home)
    #expect(run.status == 65)
    #expect(run.errors.contains("line 1 of the file: it is longer than"))
  }

  @Test func aFileNamedLikeARoomIsPointedTo() throws {
    _ = try play(Self.game, "resign\n")
    try home.write("abcdef", Data())
    let run = try Program.run("replay", "abcdef", "--data", "data", home: home)
    #expect(run.status == 66)
    #expect(run.errors.contains("`./abcdef`"), "\(run.errors)")
    #expect(try Program.run("log", "list", home: home, environment: ["HOME": "here"]).status == 78)
  }
}

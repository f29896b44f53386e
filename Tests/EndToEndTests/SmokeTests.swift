import Foundation
import TestKit
import Testing

/// A little of everything that the program does with threads; what a sanitizer in it sees ends it with another
/// status than 0.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SmokeTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs the program, which must succeed without a sanitizer's word.
  @discardableResult
  func run(_ words: String..., input: String = "") throws -> Program.Finished {
    let run = try Program.start(words + ["--data", "data"], home: home, input: Data(input.utf8)).finish()
    #expect(run.status == 0, "\(words): \(run.errors)")
    #expect(!run.errors.contains("Sanitizer"), "\(words): \(run.errors)")
    return run
  }

  @Test func aGameIsPlayedWhileTheBotThinks() throws {
    // Squares that are taken already are refused, and the next line is read.
    let moves = (0..<5).flatMap { _ in (1...9).map { "\($0)\n" } }.joined()
    let played = try run("play", "tic-tac-toe", "--against", "lookahead:3", "--seat", "first", input: moves)
    #expect(played.output.contains("You played 1"))
    try run("replay", "last")
    try run("log", "verify")
  }

  /// Hints are those of the strongest bot that answers in time.
  @Test func hintsAreGood() throws {
    // On a machine that is too busy for the solver, a search answers. One of some runs tells.
    var hints: [Substring] = []
    for _ in 0..<10 where !hints.contains("solver") {
      let asked = try run(
        "play", "tic-tac-toe", "--against", "solver", "--seat", "first", input: "hint\nhint\n")
      #expect(asked.errors.isEmpty || !asked.errors.contains("error"), "\(asked.errors)")
      hints = asked.output.matches(of: /(solver|lookahead:[0-9]+) would play [1-9]\./).map(\.1)
      #expect(hints.count == 2, "\(asked.output)")
    }
    #expect(hints.contains("solver"))
    for (game, bot) in [("gomoku", "lookahead:[0-9]+"), ("memory-match", "memory")] {
      let asked = try run("play", game, "--against", "random", "--seat", "first", input: "hint\n")
      #expect(try asked.output.contains(Regex("\(bot) would play ")), "\(asked.output)")
    }
    let secret = try run(
      "play", "prisoners-dilemma", "--against", "tit-for-tat", "--set", "rounds=1", input: "hint\n")
    #expect(secret.output.contains("tit-for-tat would play C."), "\(secret.output)")
  }

  @Test func roomsOfAMatchArePlayedAtOnce() throws {
    try run(
      "match", "tic-tac-toe", "--players", "random,random", "--games", "300", "--concurrency", "2")
    #expect(try run("log", "verify", "--json").objects().count == 2)
  }

  @Test func pairingsOfATournamentArePlayedAtOnce() throws {
    try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy,random,greedy,random",
      "--concurrency", "4")
    try run("tournament", "show", "last")
    try run("tournament", "bracket", "last")
    try run("log", "verify")
  }
}

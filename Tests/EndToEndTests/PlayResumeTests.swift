import Foundation
import TestKit
import Testing

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct PlayResumeTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private let game = ["play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "7"]

  private func play(_ words: [String], _ input: String) throws -> Program.Finished {
    try Program.start(words, home: home, input: Data(input.utf8)).finish()
  }

  @Test func movesFromAPipeArePlayed() throws {
    let run = try play(game + ["--json"], "5\n1\n2\n3\n4\n6\n7\n8\n9\n")
    #expect(run.status == 0, "\(run.errors)")
    let objects = try run.objects()
    #expect(objects.first?["type"] as? String == "game")
    #expect(objects.last?["type"] as? String == "result")
    #expect(objects.last?["agreed"] as? Bool == true)
    #expect(try Program.run("log", "verify", home: home).status == 0)
  }

  /// A game that stops after every possible number of moves goes on to the end of the uninterrupted one.
  @Test func aStoppedGameGoesOn() throws {
    let moves = (1...9).map { "\($0)\n" }
    let whole = try #require(try play(game + ["--json"], moves.joined()).objects().last)
    for kept in 0..<4 {
      let home = try TemporaryFolder()
      let first = try Program.start(
        game + ["--json"], home: home, input: Data(moves.prefix(kept).joined().utf8)
      ).finish()
      #expect(first.status == 0, "\(first.errors)")
      let rest = try Program.start(
        ["play", "--resume", "last", "--json"], home: home, input: Data(moves.joined().utf8)
      ).finish()
      #expect(rest.status == 0, "\(rest.errors)")
      let end = try #require(try rest.objects().last)
      #expect(end["type"] as? String == "result")
      #expect(end["result"] as? String == whole["result"] as? String, "after \(kept) moves")
    }
  }

  /// The ends of the games of a series, and what came of it, however often it stops.
  @Test func aStoppedSeriesGoesOnToTheSameEnd() throws {
    let moves = (1...6).flatMap { _ in (1...9).map { "\($0)\n" } }
    let series = game + ["--wins", "2", "--games", "6", "--json"]
    let whole = try play(series, moves.joined()).objects()
    let begun = whole.filter { $0["type"] as? String == "game" }
    let ends = whole.filter { $0["type"] as? String == "result" }
    let wins = try #require(ends.last?["wins"] as? [Int])
    #expect(wins.max() == 2 && ends.count == begun.count && ends.count < 6)
    #expect(begun.map { $0["number"] as? Int } == Array(1...begun.count))
    #expect(begun.allSatisfy { $0["target"] as? Int == 2 && $0["games"] as? Int == 6 })
    #expect(begun.prefix(2).map { $0["first"] as? Int } == [1, 2])
    #expect(ends.allSatisfy { $0["agreed"] as? Bool == true })
    var told: [[Int]] = []
    var words = series
    for _ in 0..<40 where told.last?.max() != 2 {
      let run = try play(words, "\(moves.prefix(words == series ? 2 : 9).joined())")
      #expect(run.status == 0, "\(run.errors)")
      told += try run.objects().compactMap { $0["wins"] as? [Int] }
      words = ["play", "--resume", "last", "--json"]
    }
    #expect(told.last == wins)
    #expect(try Program.run("log", "verify", home: home).status == 0)
  }

  @Test func aSeriesSaysWhoHasWonHowManyGames() throws {
    let moves = (1...3).flatMap { _ in (1...9).map { "\($0)\n" } }.joined()
    let run = try play(game + ["--games", "3"], moves)
    #expect(run.status == 0, "\(run.errors)")
    for words in ["Game 1 of 3.", "Game 2 of 3.", "Game 3 of 3.", "Games won: "] {
      #expect(run.output.contains(words), "\(words): \(run.output)")
    }
    #expect(run.output.components(separatedBy: "Games won: ").count == 4)
    #expect(run.output.components(separatedBy: "shows it again").count == 2)
    let more = try play(game + ["--wins", "3"], "5\nquit\n")
    #expect(more.output.contains("Game 1 of at most 256, first with 3 wins."), "\(more.output)")
    for wrong in [["--games", "257"], ["--wins", "0"], ["--wins", "3", "--games", "2"]] {
      #expect(try play(game + wrong, "").status == 64)
    }
  }

  @Test func anInterruptAtTheQuestionLeavesTheGameOpen() throws {
    let pipe = Pipe()
    let run = try Program.start(game, home: home, input: pipe)
    while try !run.printed().contains("│"), run.process.isRunning { usleep(1000) }
    run.process.send(SIGINT)
    let finished = try run.finish()
    #expect(finished.status == 130)
    #expect(finished.errors.contains("--resume"))
    try pipe.fileHandleForWriting.close()
  }

  @Test func aNameCannotSteerTheTerminal() throws {
    let name = "\u{1B}[31mred\u{7}\u{202E}"
    let run = try play(game + ["--name", name], "say \u{1B}]0;x\u{7}hello\nquit\n")
    #expect(run.status == 0, "\(run.errors)")
    for words in [["replay"], ["log", "show", "last"], ["log", "list"]] {
      let shown = try Program.start(words, home: home).finish()
      let text = run.output + run.errors + shown.output + shown.errors
      #expect(
        text.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{202E}"
        })
    }
    let events = try Program.run("log", "show", "last", "--json", home: home).objects()
    #expect(events.contains { $0["name"] as? String == name })
  }
}

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct MatchTests {
  @Test func aMatchRepeatsMoveForMoveAtAnyConcurrency() throws {
    var matches: [[String]] = []
    for concurrency in ["1", "3"] {
      let home = try TemporaryFolder()
      let run = try Program.run(
        "match", "tic-tac-toe", "--players", "greedy,random", "--games", "600", "--seed", "5",
        "--concurrency", concurrency, "--json", home: home)
      #expect(run.status == 0, "\(run.errors)")
      let games = try run.objects().filter { $0["type"] as? String == "game" }
      #expect(games.compactMap { $0["game"] as? Int } == Array(1...600))
      matches.append(games.map { "\($0["moves"] ?? "") \($0["scores"] ?? "")" })
      #expect(try Program.run("log", "verify", home: home).status == 0)
    }
    #expect(matches[0] == matches[1])
  }

  @Test(arguments: ["1", "3"]) func aMatchEndsWithTheFirstThatHasTheWins(concurrency: String) throws {
    let home = try TemporaryFolder()
    let match = [
      "match", "tic-tac-toe", "--players", "random,greedy", "--seed", "3", "--concurrency", concurrency,
    ]
    let run = try Program.start(match + ["--wins", "5", "--json"], home: home).finish()
    #expect(run.status == 0, "\(run.errors)")
    let objects = try run.objects()
    let end = try #require(objects.last)
    #expect(end["winner"] as? String == "greedy" && end["target"] as? Int == 5)
    let wins = try #require(end["wins"] as? [Int])
    #expect(wins[1] == 5 && wins[0] < 5)
    #expect(end["games"] as? Int == objects.count - 1)
    #expect(objects[objects.count - 2]["outcome"] as? String == "greedy")
    // The same games as without an end, as far as they go.
    let whole = try Program.start(match + ["--games", "\(objects.count - 1)", "--json"], home: home).finish()
    let moves = try [run, whole].map { run in try run.objects().compactMap { $0["moves"] as? [String] } }
    #expect(moves[0] == moves[1])
    #expect(try whole.objects().last?["target"] is NSNull)
    #expect(try Program.run("log", "verify", home: home).status == 0)
  }

  @Test func aMatchSaysWhoWasFirstOrThatNobodyWas() throws {
    let home = try TemporaryFolder()
    let (match, end) = (["match", "tic-tac-toe", "--players"], ["--wins", "2", "--games", "5"])
    let won = try Program.start(match + ["random,solver", "--seed", "3"] + end, home: home).finish()
    #expect(won.output.contains(#/solver is the first with 2 wins, after \d games\./#), "\(won.output)")
    let shown = try Program.run("log", "show", "last", home: home)
    #expect(shown.output.contains("5 games or the first with 2 wins"), "\(shown.output)")
    let drawn = try Program.start(match + ["solver,solver"] + end, home: home).finish()
    #expect(drawn.status == 0)
    #expect(drawn.output.contains("Nobody has 2 wins after 5 games."), "\(drawn.output)")
  }

  /// A game that goes on stays as it was begun, and what would change it is refused.
  @Test func otherOptionsDoNotGoWithIt() throws {
    let home = try TemporaryFolder()
    let begun = try Program.start(["play", "tic-tac-toe", "--seat", "first"], home: home, input: Data())
      .finish()
    #expect(begun.status == 0)
    for option in [
      ["--against", "greedy"], ["--seat", "second"], ["--name", "Bob"], ["--emoji", "x"], ["--seed", "4"],
      ["--set", "games=2"],
    ] {
      let refused = try Program.start(["play", "--resume", "last"] + option, home: home, input: Data())
        .finish()
      #expect(refused.status == 64, "\(option): \(refused.errors)")
      #expect(refused.errors.contains(option[0]) && refused.errors.contains("as it was begun"))
    }
    let gone = try Program.start(["play", "--resume", "last"], home: home, input: Data("5\n".utf8)).finish()
    #expect(gone.status == 0, "\(gone.errors)")
  }
}

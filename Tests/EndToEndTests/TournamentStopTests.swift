import Foundation
import TestKit
import Testing

/// Ctrl-C, other seeds and numbers of rooms at once, and a second process beside a tournament.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentStopTests {
  /// One Ctrl-C, or a second one that does not wait for the first.
  @Test(arguments: Effort.cases([[SIGINT], [SIGTERM], [SIGINT, SIGINT]], quick: 1))
  func aStoppedTournamentSaysHowToGoOnAndDoes(_ signals: [Int32]) throws {
    let reference = try TournamentKillTests.roundRobin.get()
    let campaign = try TournamentCampaign(.roundRobin)
    let run = try campaign.start()
    try run.wait(for: "a first result") { try !run.objects("decided").isEmpty }
    for signal in signals { run.send(signal) }
    let stopped = try run.finish()
    try campaign.note(run)
    // A machine may have been so fast that nothing was left to be stopped.
    if try run.objects("finished").isEmpty {
      #expect(stopped.status == 130, "\(stopped.errors)")
      if signals.count == 1 {
        let id = try #require(try campaign.read("tournament", "list")[0]["id"] as? String).prefix(10)
        #expect(stopped.errors.contains("`parlor tournament resume \(id) --data "), "\(stopped.errors)")
        try campaign.finish(try campaign.resume(String(id)))
      } else {
        try campaign.finish(try campaign.resume())
      }
    }
    #expect(try campaign.digest() == reference.digest)
    try campaign.checkLog()
  }

  /// How many games are over, what is played, and each result, on standard error; a resumed tournament counts what was
  /// played before.
  @Test func progressIsByGamesAndResultsComeAsTheyAre() throws {
    let home = try TemporaryFolder()
    let words = [
      "tournament", "run", "--game", "connect-four", "--format", "round-robin", "--games", "40", "--entrants",
      "lookahead:3,lookahead:2,random", "--concurrency", "1", "--data", "data",
    ]
    let run = try Dialogue(words, home: home)
    try run.wait(for: "a quarter of the games") { try run.errors().contains("/120 games, 25 %") }
    let shown = try run.errors()
    #expect(shown.contains("tournament: 30/120 games, 25 %"), "\(shown)")
    #expect(shown.contains("; M1 lookahead:2 – random"), "\(shown)")
    run.send(SIGINT)
    let end = try run.finish()
    // A machine may have been so fast that nothing was left to be stopped.
    guard end.status != 0 else { return }
    let stop = try #require(
      end.errors.firstMatch(of: #/Stopped after (\d) of 3 pairings: /#), "\(end.errors)")
    let decided = try #require(Int(stop.output.1))
    func results(_ errors: String) -> [Substring] {
      errors.split(separator: "\n").filter { $0.firstMatch(of: #/^M\d \S+ – \S+: \S+ : \S+$/#) != nil }
    }
    #expect(results(end.errors).count == decided)
    let resumed = try Program.run("tournament", "resume", "--data", "data", home: home)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let lines = resumed.errors.split(separator: "\n").map(String.init)
    let first = try #require(lines.first { $0.hasPrefix("tournament: ") && !$0.contains(" 0/120") })
    let counted = try #require(first.firstMatch(of: #/ (\d+)/120 games/#).flatMap { Int($0.output.1) })
    #expect(counted >= 30)
    let all = results(end.errors) + results(resumed.errors)
    #expect(all.count == 3 && all[0].hasPrefix("M1 lookahead:2 – random: "), "\(all)")
    #expect(lines.contains { $0.hasPrefix("tournament: 120/120 games, 100 %, took ") })
  }

  @Test func aThinkingBotStopsAtCtrlC() throws {
    let home = try TemporaryFolder()
    let run = try Self.endless(home)
    run.send(SIGINT)
    let end = try run.finish()
    #expect(end.status == 130, "\(end.errors)")
    #expect(end.errors.contains("Stopped after 0 of 1 pairings: `parlor tournament resume "))
    #expect(try Program.run("log", "verify", "--data", "data", home: home).status == 0)
  }

  /// At a terminal Enter shows how it stands, and does not stop a tournament that goes on in the background.
  @Test(.enabled(if: Script.isThere, Script.missing)) func standingsAreShownOnDemand() throws {
    let home = try TemporaryFolder()
    let sitting = try Sitting(
      command:
        "exec PARLOR tournament run --data data --game connect-four --games 64 --concurrency 1 --entrants"
        + " lookahead:9,lookahead:9,greedy,random --format round-robin", home: home, size: (80, 24))
    try sitting.expect("Enter shows the standings so far.")
    try sitting.run.type("\n")
    try sitting.expect("of 6 pairings:")
    try sitting.wait("the standings") { screen in
      screen.contains { $0.contains(#/^RANK  ENTRANT/#) } && screen.contains { $0.contains("lookahead:9#2") }
    }
    try sitting.run.type("\u{3}")
    let end = try sitting.run.finish()
    #expect(end.status == 130 && end.output.contains("Stopped after"), "\(end.output.suffix(300))")
    let piped = try Program.run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random", "--data", "other",
      home: home)
    #expect(!piped.errors.contains("Enter shows"))
  }

  /// A tournament that does not end by itself, once its first moves are stored.
  static func endless(_ home: TemporaryFolder) throws -> Dialogue {
    let words = [
      "tournament", "run", "--data", "data", "--game", "connect-four", "--games", "64", "--entrants",
      "lookahead:9,lookahead:9", "--concurrency", "2",
    ]
    let run = try Dialogue(words, home: home)
    try run.wait(for: "the first moves", pollMicroseconds: 20_000) {
      let list = try Program.run("log", "list", "--data", "data", "--json", home: home).objects()
      return list.contains { $0["kind"] as? String == "game" && $0["events"] as? Int ?? 0 > 12 }
    }
    return run
  }

  @Test func aSecondWriterIsRefusedAndReadersWork() throws {
    let home = try TemporaryFolder()
    let run = try Self.endless(home)
    for words in [
      ["play", "tic-tac-toe"], ["match", "tic-tac-toe", "--players", "random,random"],
      ["tournament", "resume"],
    ] {
      let second = try Program.start(words + ["--data", "data"], home: home).finish()
      #expect(second.status == 75, "\(words): \(second.errors)")
      #expect(second.errors.contains("process \(run.process.processIdentifier) (parlor "), "\(second.errors)")
      #expect(second.errors.contains("works meanwhile"))
      #expect(second.output.isEmpty)
    }
    for words in [
      ["log", "list"], ["log", "list", "--json"], ["log", "show", "last"], ["log", "verify"],
      ["replay", "last"],
      ["tournament", "list"], ["tournament", "show"], ["tournament", "standings"], ["tournament", "bracket"],
    ] {
      let reader = try Program.start(words + ["--data", "data"], home: home).finish()
      #expect(reader.status == 0, "\(words): \(reader.errors)")
      #expect(!reader.output.isEmpty, "\(words)")
    }
    #expect(run.process.isRunning)
    #expect(run.kill9())
    // A killed writer holds nothing.
    #expect(try Program.run("play", "tic-tac-toe", "--data", "data", home: home).status == 0)
  }

  // MARK: - Seeds

  @Test(
    arguments: [
      ["tic-tac-toe", "--players", "random,random", "--games", "600"],
      ["connect-four", "--players", "lookahead:1,random", "--games", "8"],
      ["prisoners-dilemma", "--players", "joss,random", "--games", "520", "--set", "rounds=5"],
    ].prefix(Effort.size(3, quick: 2)))
  func aMatchRepeatsMoveForMoveFromItsSeed(_ words: [String]) throws {
    let home = try TemporaryFolder()
    func games(_ seed: Int, _ concurrency: Int) throws -> [[String]] {
      let more = ["--seed", "\(seed)", "--concurrency", "\(concurrency)", "--json", "--data", "data"]
      let run = try Program.start(["match"] + words + more, home: home).finish()
      #expect(run.status == 0, "\(run.errors)")
      let objects = try run.objects()
      #expect(objects.last?["type"] as? String == "finished")
      return objects.dropLast().map { game in
        ["game", "first", "moves", "outcome", "scores"].map { "\(game[$0] ?? "absent")" }
      }
    }
    let first = try games(1, 1)
    #expect(first.count == Int(words[words.firstIndex(of: "--games").map { $0 + 1 } ?? 0]))
    #expect(try games(1, 4) == first)
    #expect(try games(2, 4) != first)
  }

  @Test func aTournamentComesToTheSameEndAtAnyConcurrency() throws {
    let reference = try TournamentKillTests.roundRobin.get()
    for concurrency in ["1", "4"] {
      let campaign = try TournamentCampaign(.roundRobin)
      try campaign.finish(try campaign.start("--concurrency", concurrency))
      #expect(try campaign.digest() == reference.digest)
      #expect(try campaign.results() == reference.results)
    }
    let other = try TournamentCampaign(.roundRobin)
    try other.finish(try other.start("--title", "another name"))
    #expect(try other.digest() == reference.digest, "a title is no result")
  }

  @Test func anotherSeedIsAnotherTournament() throws {
    let plans = ["5", "6"].map { seed in
      TournamentPlan(
        words: [
          "--game", "tic-tac-toe", "--format", "round-robin", "--games", "10", "--seed", seed, "--entrants",
          "random,random,random",
        ], limitAttempts: 1, pairings: 3)
    }
    let digests = try plans.map { plan in
      let campaign = try TournamentCampaign(plan)
      try campaign.finish(try campaign.start())
      return try campaign.digest()
    }
    #expect(digests[0] != digests[1])
  }
}

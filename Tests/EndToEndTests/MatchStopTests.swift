import Foundation
import TestKit
import Testing

/// `match` when it is stopped or nobody reads on.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct MatchStopTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func whatWasPlayedIsCountedAndStored() throws {
    let players = Effort.isQuick ? "lookahead:5,lookahead:5" : "lookahead:6,lookahead:6"
    let run = try Dialogue(
      [
        "match", "connect-four", "--players", players, "--games", "200", "--json", "--data",
        "data",
      ], home: home)
    // A line of progress in the midst of the one room says that games are counted as they end.
    try run.wait(for: "a quarter of the games") { try run.errors().contains("25 %") }
    run.send(SIGINT)
    let end = try run.finish()
    #expect(end.status == 130)
    let words = try #require(
      end.errors.firstMatch(
        of: #/Stopped after (\d+) of 200 games: `parlor match --resume \w+ --data /#), "\(end.errors)")
    let games = try #require(Int(words.output.1))
    #expect(games >= 50)
    let objects = try run.objects()
    #expect(objects.last?["games"] as? Int == games)
    #expect(objects.count == games + 1)
    let replayed = try Program.run("replay", "last", "--json", "--data", "data", home: home).objects()
    #expect(replayed.count { $0["type"] as? String == "ending" } == games)
  }

  /// All lines that a match printed, without the ids of its rooms.
  private func told(_ end: Program.Finished) throws -> [String] {
    try end.objects().map { object in
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: object.filter { $0.key != "room" }, options: .sortedKeys), as: UTF8.self)
    }
  }

  /// Stopped or killed at each quarter of its games, in several rooms at once, with a test that ends it, and with a bot
  /// in another spelling than its own.
  @Test(arguments: [
    (SIGINT, ["connect-four", "--players", "lookahead:02,random", "--games", "600"]),
    (SIGKILL, ["connect-four", "--players", "lookahead:2,random", "--games", "600"]),
    (SIGKILL, ["connect-four", "--players", "lookahead:3,lookahead:2", "--games", "200", "--wins", "90"]),
  ])
  func aMatchGoesOnToTheSameEnd(_ signal: Int32, _ match: [String]) throws {
    let words = ["match"] + match + ["--seed", "3", "--json", "--data"]
    let whole = try Program.start(words + ["whole"], home: home).finish()
    try #require(whole.status == 0, "\(whole.errors)")
    var command = words + ["data", "--concurrency", "2"]
    // What is killed before anything of it was stored leaves nothing to go on with.
    func isStored() throws -> Bool {
      try !Program.start(["log", "list", "--json", "--data", "data"], home: home).finish().output.isEmpty
    }
    for part in ["25 %", "50 %", "75 %"] {
      let run = try Dialogue(command, home: home)
      // A fast machine may end it in between, and then nothing is left to go on with.
      guard try run.waitOrEnd(until: { try run.errors().contains(part) && isStored() }) else { break }
      run.send(signal)
      let end = try run.finish()
      guard try run.objects("finished").isEmpty || end.status != 0 else { break }
      if signal == SIGINT {
        let hint = try #require(end.errors.firstMatch(of: #/`parlor match --resume (\w+) --data/#))
        command = ["match", "--resume", String(hint.output.1), "--json", "--data", "data"]
      } else {
        command = ["match", "--resume", "last", "--json", "--data", "data"]
      }
    }
    let room = try #require(
      try Program.run("log", "list", "--json", "--data", "data", home: home).objects().first?["id"] as? String
    )
    let end = try Program.run("match", "--resume", room, "--json", "--data", "data", home: home)
    #expect(end.status == 0, "\(end.errors)")
    #expect(try told(end) == told(whole))
    #expect(try Program.run("log", "verify", "--data", "data", home: home).status == 0)
    let over = try Program.start(["match", "--resume", "last", "--data", "data"], home: home).finish()
    #expect(over.status == 66 && over.errors.contains("there is no match to go on with"), "\(over.errors)")
  }

  /// What a match found of the players' strength.
  private func elo(_ end: Program.Finished) throws -> Data {
    let elo = try #require(try end.objects().last?["elo"])
    return try JSONSerialization.data(withJSONObject: elo, options: .sortedKeys)
  }

  /// Which games decide a test does not depend on a stop either.
  @Test func aTestGoesOnToTheSameDecision() throws {
    let words =
      ["match", "tic-tac-toe", "--players", "greedy,random", "--sprt", "elo0=0,elo1=50", "--json", "--data"]
    let whole = try elo(Program.start(words + ["whole"], home: home).finish())
    let run = try Dialogue(words + ["data"], home: home)
    try run.wait(for: "something in the log") {
      let list = try Program.run("log", "list", "--json", "--data", "data", home: home)
      return try list.status == 0 && !list.objects().isEmpty
    }
    run.send(SIGKILL)
    _ = try run.finish()
    let room = try #require(
      try Program.run("log", "list", "--json", "--data", "data", home: home).objects().first?["id"] as? String
    )
    let end = try Program.run("match", "--resume", room, "--json", "--data", "data", home: home)
    #expect(end.status == 0, "\(end.errors)")
    #expect(try elo(end) == whole)
  }

  @Test func whatGoesOnStaysAsItWasBegun() throws {
    for (words, said) in [
      (["tic-tac-toe", "--resume", "last"], "a match that goes on is named by its room alone"),
      (["--resume", "last", "--games", "5"], "stays as it was begun"),
      (["--resume", "last", "--sprt", "elo0=0,elo1=5"], "stays as it was begun"),
      (["tic-tac-toe"], "--players A,B is missing"), (["--players", "random,random"], "GAME is missing"),
    ] {
      let run = try Program.start(["match"] + words + ["--data", "data"], home: home).finish()
      #expect(run.status == 64 && run.errors.contains(said), "\(words): \(run.errors)")
    }
    // What bots may have is said again: it is not stored. Here there is no match yet.
    let limits = try Program.start(
      ["match", "--resume", "last", "--move-time", "5000", "--data", "data"], home: home
    ).finish()
    #expect(limits.status == 66, "\(limits.errors)")
    let played = try Program.start(
      ["play", "tic-tac-toe", "--against", "greedy", "--data", "data"], home: home
    ).finish()
    #expect(played.status == 0)
    let run = try Program.start(["match", "--resume", "0", "--data", "data"], home: home).finish()
    #expect(run.status != 0, "\(run.output)")
  }

  @Test func aReaderThatLeavesEndsTheWork() throws {
    let program = try #require(Program.path)
    let match = "'\(program)' match tic-tac-toe --players random,greedy --games 10000000 --json --data data"
    let run = try Dialogue(
      ["-c", "{ \(match); echo $? > status; } | head -n 1"], home: home, program: "/bin/sh"
    ).finish()
    #expect(run.output.hasPrefix("{\"type\":\"game\""))
    #expect(String(decoding: try home.bytes("status"), as: UTF8.self) == "0\n")
  }

  @Test func aFullDiskEndsATournamentWithItsWords() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let program = try #require(Program.path)
    let tournament = "'\(program)' tournament run --game tic-tac-toe --entrants random,greedy,random --json"
    let run = try Dialogue(["-c", "\(tournament) --data data > /dev/full"], home: home, program: "/bin/sh")
      .finish()
    #expect(run.status == 74)
    #expect(run.errors.contains("cannot write the output"), "\(run.errors)")
  }
}

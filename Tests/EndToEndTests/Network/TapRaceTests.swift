import Foundation
import TestKit
import Testing

/// Tap races with the real program: a host and its players, each a process, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TapRaceTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: [String] = [], data: String = "host", connect: [NetworkRun] = []) throws
    -> NetworkRun
  {
    try NetworkRun(
      ["host", "tap-race", "--name", "Hanna"] + words, data: data, home: home, connect: connect)
  }

  private func join(
    _ host: NetworkRun, _ name: String, _ words: [String] = [], with join: String? = nil
  ) throws -> NetworkRun {
    let code = try join ?? host.text("join", of: "rounds")
    return try NetworkRun(["join", code, "--name", name] + words, data: name, home: home, connect: [host])
  }

  /// A member of the last standings, by name.
  private func standings(_ run: NetworkRun, _ member: String) throws -> [String: Int] {
    let players = try run.run.objects("standings").last?["players"] as? [[String: Any]] ?? []
    return Dictionary(players.map { ($0["name"] as? String ?? "", $0[member] as? Int ?? -1) }) { $1 }
  }

  /// The taps in the last counts of a race, by the players' numbers.
  private func taps(_ run: NetworkRun, race: Int) throws -> [Int: Int] {
    let last = try run.run.objects("counts").last { $0["round"] as? Int == race }
    let counts = last?["counts"] as? [[String: Int]] ?? []
    return Dictionary(counts.map { ($0["number"] ?? 0, $0["count"] ?? 0) }) { $1 }
  }

  @Test func threePlayersRaceForTapsAndTheLogTellsTheSame() throws {
    let host = try host(["--taps", "12", "--races", "2"])
    let names = ["Ada", "Bo", "Cem"]
    let players = try names.map { name in
      let player = try join(host, name)
      try host.wait(for: "player", name) { $0["name"] as? String == name }
      return player
    }
    let watcher = try NetworkRun(
      ["watch", try host.text("join", of: "rounds")], data: "watcher", home: home, connect: [host])
    try watcher.first("rounds")
    // The lines wait for the race; of fewer taps than it takes nobody wins.
    try players[0].run.type("tap 12\n")
    try players[1].run.type("say hello\n     \n")
    try host.run.type("\n")
    try host.wait(for: "settled", "race 1") { $0["round"] as? Int == 1 }
    try host.wait(for: "standings", "race 1") { $0["round"] as? Int == 1 }
    #expect(try taps(host, race: 1)[1] == 12 && taps(host, race: 1)[3] == nil)
    #expect(try standings(host, "score")["Ada"] == 25 && standings(host, "score")["Cem"] == 0)
    let closed = try #require(try host.run.objects("closed").first?["milliseconds"] as? Int)
    #expect(closed >= 600, "twelve taps take twelve twentieths of a second")
    // Taps are for the race that a player sees.
    try players[2].first("settled")
    try players[2].run.type("            \n")
    try host.run.type("next\n")
    for run in [host, watcher] + players { try run.first("over") }
    for run in [host, watcher] { #expect(try taps(run, race: 2)[3] == 12) }
    #expect(try standings(host, "rank") == ["Ada": 1, "Bo": 3, "Cem": 1])
    for run in [host, watcher] + players {
      #expect(try run.run.finish().status == 0)
      try run.checkObjects()
      #expect(try run.run.objects("settled").allSatisfy { $0["solution"] is NSNull })
    }
    let digests = try (["host", "watcher"] + names).map { try Logs.digests($0, home: home) }
    #expect(Set(digests).count == 1 && digests[0].count == 1)
    for data in ["host"] + names { try Logs.verify(data, home: home) }
    // What a replay shows is what was shown.
    let replay = try Program.run("replay", "last", "--json", "--data", "Bo", home: home).objects()
    for type in ["standings", "counts", "settled"] {
      let last = try #require(replay.last { $0["type"] as? String == type })
      var shown = try #require(host.run.objects(type).last)
      shown["own"] = NSNull()
      if type != "settled" { shown["own"] = nil }
      #expect(last as NSDictionary == shown as NSDictionary, "\(type)")
    }
    let show = try Program.run("log", "show", "last", "--data", "host", home: home)
    #expect(show.status == 0 && show.output.contains("round 1: enters "))
  }

  @Test func aKilledHostOpensTheRaceAgainAndAnotherPeerGoesOn() throws {
    let first = try host(["--seconds", "60", "--races", "1"])
    let room = try first.text("room", of: "rounds")
    let ada = try join(first, "Ada")
    try first.first("player")
    try ada.run.type("tap 5\n")
    try first.run.type("\n")
    try ada.first("counts")
    first.run.kill9()
    _ = try first.run.finish()
    for option in [["--taps", "5"], ["--races", "2"], ["--players", "3"], ["--set", "taps=4"]] {
      let run = try Program.start(
        ["host", "tap-race", "--resume", room, "--data", "host"] + option, home: home
      ).finish()
      #expect(run.status == 64 && run.errors.contains("goes on as it was opened"), "\(run.errors)")
    }
    let second = try host(["--resume", room], connect: [ada])
    try second.first("player")
    try second.run.type("\n")
    try ada.first("void")
    try ada.run.wait(for: "the race again") { try ada.run.objects("question").count == 2 }
    try ada.run.type("tap 3\n")
    try second.run.wait(for: "three taps") { try second.run.objects("counts").last?["counts"] != nil }
    try second.run.wait(for: "taps of the second time") { try self.taps(second, race: 1) == [1: 3] }
    try second.run.type("close\n")
    for run in [second, ada] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
    }
    #expect(try standings(ada, "score")["Ada"] == 25)
    let quiz = try Program.start(["host", "quiz", "--continue", room, "--data", "Ada"], home: home).finish()
    #expect(quiz.status == 64 && quiz.errors.contains("is no quiz"), "\(quiz.errors)")
    // The host's folder, for who wants what happened there.
    let server = try NetworkRun(["serve"], data: "host", home: home)
    let third = try host(
      ["--continue", room, "--start-at", "1", "--pause", "0", "--taps", "8", "--no-join-code"], data: "Bo",
      connect: [server])
    let again = try join(third, "Ada", ["--guess"])
    try again.first("over")
    #expect(try standings(again, "score")["Ada"] == 100)
    server.run.kill9()
    for data in ["host", "Ada", "Bo"] { try Logs.verify(data, home: home) }
  }

  /// Two bots that differ by nine levels, and by their declarations.
  @Test func aLevelTapsAsItsSeedSays() throws {
    let host = try host(["--taps", "20", "--races", "2", "--start-at", "2", "--pause", "0"])
    let quick = try join(host, "Quick", ["--level", "10", "--seed", "5"])
    let slow = try join(host, "Slow", ["--level", "1", "--seed", "6"])
    for run in [host, quick, slow] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
    }
    #expect(try standings(quick, "score") == ["Quick": 50, "Slow": 36])
    let seats = try Program.run("log", "show", "last", "--data", "host", home: home)
    #expect(seats.output.contains("level:10") && seats.output.contains("level:1"))
    try Logs.verify("Quick", home: home)
  }

  @Test func aLevelIsForATapRaceAlone() throws {
    for (words, reason) in [
      (["--level", "0"], "1 to 10"), (["--level", "11"], "1 to 10"),
      (["--level", "3", "--guess"], "another bot"),
      (["--seed", "1"], "it needs --level"),
    ] {
      let run = try Program.start(["join", "KTQWXZ", "--data", "a"] + words, home: home).finish()
      #expect(run.status == 64 && run.errors.contains(reason), "\(run.errors)")
    }
    let quiz = try NetworkRun(["host", "quiz"], data: "host", home: home)
    let join = try quiz.text("join", of: "rounds")
    let bot = try self.join(quiz, "Bot", ["--level", "3"], with: join)
    let ended = try bot.run.finish()
    #expect(ended.status == 64 && ended.errors.contains("a quiz has no levels"), "\(ended.errors)")
    quiz.run.kill9()
  }

  @Test func whatCannotBeIsRefused() throws {
    let cases: [([String], String)] = [
      (["--taps", "0"], "taps"), (["--taps", "1001"], "1 to 1000"), (["--seconds", "2"], "3 to 60"),
      (["--taps", "5", "--seconds", "5"], "cannot both be set"),
      (["--set", "taps=4", "--taps", "5"], "set twice"),
      (["--players", "17"], "--players"), (["--players", "1"], "--players"), (["--races", "0"], "--races"),
      (["--questions", "x.json"], "it is for a quiz"), (["--print-sample"], "it is for a quiz"),
      (["--seat", "first"], "it is for games"),
    ]
    for (words, text) in cases {
      let run = try Program.start(["host", "tap-race", "--data", "x"] + words, home: home).finish()
      #expect(run.status == 64 && run.errors.contains(text), "\(words): \(run.status) \(run.errors)")
    }
    let quiz = try Program.run("host", "quiz", "--taps", "5", "--data", "x", home: home)
    #expect(quiz.status == 64 && quiz.errors.contains("it is for a tap race"))
    let games = try Program.run("games", home: home)
    #expect(games.output.contains("tap-race"))
  }

  @Test(.enabled(if: Script.isThere, Script.missing))
  func theSpaceBarTapsAtATerminal() throws {
    let host = try host(["--taps", "6", "--races", "1"])
    let program = try #require(Program.path)
    let words = ["join", try host.text("join", of: "rounds"), "--name", "Ada", "--data", "Ada"]
    let options = ["--no-discovery", "--listen", "127.0.0.1:0", "--connect", try host.address()]
    let line = (["exec", "'\(program)'"] + words + options).joined(separator: " ")
    let ada = try Dialogue(
      ["--quiet", "--return", "--command", line, "/dev/null"], home: home, program: Script.path,
      environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"])
    try host.first("player")
    try host.run.type("\n")
    try ada.wait(for: "the race") { try ada.output().contains("of your taps") }
    try ada.type("  x ")
    try ada.wait(for: "three taps") { try self.taps(host, race: 1) == [1: 3] }
    try ada.type("   ")
    let end = try ada.finish()
    #expect(end.status == 0 && end.output.contains("Place 1, with 6 taps: 25 points."), "\(end.output)")
    #expect(try host.run.finish().status == 0)
  }
}

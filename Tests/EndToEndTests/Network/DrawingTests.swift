import Foundation
import TestKit
import Testing

/// Drawing games with the real program: a host and its players, each a process, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DrawingTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: [String] = [], data: String = "host", connect: [NetworkRun] = []) throws
    -> NetworkRun
  {
    try NetworkRun(["host", "drawing", "--name", "Hanna"] + words, data: data, home: home, connect: connect)
  }

  private func join(_ host: NetworkRun, _ name: String, _ words: [String] = []) throws -> NetworkRun {
    let code = try host.text("join", of: "rounds")
    let player = try NetworkRun(
      ["join", code, "--name", name] + words, data: name, home: home, connect: [host])
    try host.wait(for: "player", name) { $0["name"] as? String == name }
    return player
  }

  private func words(_ words: String...) throws -> [String] {
    let path = home.file("words.txt")
    try words.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return ["--words", path]
  }

  private func scores(_ run: NetworkRun) throws -> [String: Int] {
    let players = try run.run.objects("standings").last?["players"] as? [[String: Any]] ?? []
    return Dictionary(players.map { ($0["name"] as? String ?? "", $0["score"] as? Int ?? -1) }) { $1 }
  }

  private func guesses(_ run: NetworkRun) throws -> [String] {
    try run.run.objects("guess").map { guess in
      "\(guess["number"] ?? "") \(guess["right"] as? Bool == true ? "has it" : guess["text"] as? String ?? "?")"
    }
  }

  @Test func twoPlayersDrawInTurnAndTheLogTellsTheSame() throws {
    let host = try host(try words("Ice  Cream") + ["--drawings", "1"])
    let (ada, bo) = (try join(host, "Ada"), try join(host, "Bo"))
    let watcher = try NetworkRun(
      ["watch", try host.text("join", of: "rounds")], data: "watcher", home: home, connect: [host])
    try watcher.first("rounds")
    try host.run.type("\n")
    let (asked, other) = (try ada.first("question"), try bo.first("question"))
    #expect(asked["word"] as? String == "ice cream" && other["word"] is NSNull)
    #expect(asked["drawer"] as? Int == 1 && other["question"] as? String == "A word of 8 letters.")
    try ada.run.type("line 10 10 200 200\nline red 16 5 5\nclear\nline blue 32 1 2 3 4\n")
    try bo.wait(for: "stroke", "the last line") { $0["points"] as? String == "1 2 3 4" }
    try bo.run.type("sorbet\n")
    try watcher.wait(for: "guess", "a wrong one") { $0["text"] as? String == "sorbet" }
    // Who draws cannot guess, and what is no line is refused; nothing of it comes to the others.
    try ada.run.type("ice cream\nline 1024 0\n")
    try ada.run.wait(for: "refusals") {
      try ada.run.errors().components(separatedBy: "nothing that can be sent").count == 3
    }
    try bo.run.type("  ICE   cream \n")
    for run in [host, watcher, ada, bo] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
      try run.checkObjects()
      #expect(try guesses(run) == ["2 sorbet", "2 has it"], "\(run.data)")
      #expect(try run.run.objects("settled").first?["solution"] as? String == "ice cream")
    }
    #expect(try scores(host)["Ada"] == scores(host)["Bo"] && scores(host)["Ada"] ?? 0 >= 100)
    let digests = try ["host", "watcher", "Ada", "Bo"].map { try Logs.digests($0, home: home) }
    #expect(Set(digests).count == 1 && digests[0].count == 1)
    for data in ["host", "Ada", "Bo"] { try Logs.verify(data, home: home) }
    let replay = try Program.run("replay", "last", "--json", "--data", "Bo", home: home).objects()
    let strokes = replay.filter { $0["type"] as? String == "stroke" }.compactMap { $0["points"] as? String }
    #expect(strokes.last == "1 2 3 4")
    #expect(
      replay.filter { $0["type"] as? String == "standings" }.last.map { $0 as NSDictionary }
        == (try host.run.objects("standings").last.map { $0 as NSDictionary }))
    let text = try Program.run("replay", "last", "--data", "Bo", home: home)
    #expect(
      text.status == 0 && text.output.contains("the word was “ice cream”, 1 has it.")
        && text.output.contains("⣿⣿"))
    let show = try Program.run("log", "show", "last", "--data", "host", home: home)
    #expect(show.output.contains("says of 1 answer whether right; 1 is"), "\(show.output)")
  }

  @Test func aKilledHostHasTheSamePlayerDrawAnotherTime() throws {
    let first = try host(try words("tree", "bush", "moon") + ["--drawings", "2", "--draw-seconds", "300"])
    let room = try first.text("room", of: "rounds")
    let (ada, bo) = (try join(first, "Ada"), try join(first, "Bo"))
    try first.run.type("\n")
    try ada.first("question")
    try ada.run.type("line 1 1 9 9\n")
    try bo.first("stroke")
    first.run.kill9()
    _ = try first.run.finish()
    for option in [["--drawings", "3"], ["--draw-seconds", "20"], ["--players", "3"]] {
      let run = try Program.start(
        ["host", "drawing", "--resume", room, "--data", "host"] + option, home: home
      ).finish()
      #expect(run.status == 64 && run.errors.contains("goes on as it was opened"), "\(run.errors)")
    }
    let second = try host(["--resume", room, "--words", home.file("words.txt")], connect: [ada, bo])
    try second.run.wait(for: "both players") { try second.run.objects("player").count == 2 }
    try second.run.type("\n")
    try ada.first("void")
    try ada.run.wait(for: "another word") { try ada.run.objects("question").count == 2 }
    let again = try #require(try ada.run.objects("question").last)
    #expect(again["drawer"] as? Int == 1 && again["round"] as? Int == 1 && again["limit"] as? Int == 300_000)
    try ada.run.type("line 2 2 8 8\n")
    try bo.wait(for: "stroke", "the second time") { $0["points"] as? String == "2 2 8 8" }
    try bo.run.type("\(try #require(again["word"] as? String))\n")
    try bo.first("settled")
    try second.run.type("\n")
    let next = { try bo.run.objects("question").last { $0["round"] as? Int == 2 } }
    try bo.run.wait(for: "the next round") { try next() != nil }
    let word = try #require(try next())
    #expect(word["drawer"] as? Int == 2 && word["word"] as? String != again["word"] as? String)
    try second.run.type("close\n")
    for run in [second, ada, bo] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
    }
    #expect(try scores(second)["Bo"] ?? 0 > 0)
    for data in ["host", "Ada", "Bo"] { try Logs.verify(data, home: home) }
  }

  @Test func whatCannotBeIsRefused() throws {
    let bad = home.file("bad.txt")
    try "a\nb\u{7}\n".write(toFile: bad, atomically: true, encoding: .utf8)
    let cases: [([String], Int32, String)] = [
      (["--drawings", "0"], 64, "--drawings"), (["--draw-seconds", "9"], 64, "10 to 300"),
      (try words("tree") + ["--drawings", "2"], 64, "as many words"), (["--words", bad], 65, "line 2"),
      (["--words", home.file("none.txt")], 66, "none.txt"), (["--players", "17"], 64, "--players"),
      (["--taps", "5"], 64, "it is for a tap race"), (["--questions", "x"], 64, "it is for a quiz"),
    ]
    for (words, status, text) in cases {
      let run = try Program.start(["host", "drawing", "--data", "x"] + words, home: home).finish()
      #expect(run.status == status && run.errors.contains(text), "\(words): \(run.status) \(run.errors)")
    }
    let quiz = try Program.run("host", "quiz", "--drawings", "5", "--data", "x", home: home)
    #expect(quiz.status == 64 && quiz.errors.contains("it is for a drawing game"), "\(quiz.errors)")
    let games = try Program.run("games", "drawing", home: home)
    #expect(games.output.contains("Bots:     none"), "\(games.output)")
    let host = try host()
    let code = try host.text("join", of: "rounds")
    for option in [["--guess"], ["--level", "3"]] {
      let bot = try NetworkRun(["join", code] + option, data: "bot", home: home, connect: [host]).run.finish()
      #expect(bot.status == 64 && bot.errors.contains("no bot draws or guesses words"), "\(bot.errors)")
    }
    host.run.kill9()
  }
}

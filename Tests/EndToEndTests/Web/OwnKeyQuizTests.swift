import Foundation
import TestKit
import Testing

/// Hosted rounds whose players' keys the server does not have: their host in a terminal, and `parlor serve --web`.
private struct OwnKeyRounds {
  let home: TemporaryFolder
  let (server, host): (NetworkRun, NetworkRun)
  let (room, join): (String, [String])

  /// Rounds that begin as soon as so many players are there; `words` say which.
  init(home: TemporaryFolder, players: Int = 2, _ words: [String]) throws {
    self.home = home
    server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    let terms = ["--scope", "public", "--start-at", "\(players)", "--pause", "1", "--name", "Hanna"]
    host = try NetworkRun(["host"] + words + terms, data: "host", home: home, connect: [server])
    room = try host.text("room", of: "rounds")
    join = try host.text("join", of: "rounds").split(separator: "-").map(String.init)
    // The room comes to the server by itself.
    try server.run.wait(for: "the rounds at the server") {
      try Program.run("log", "list", "--all", "--json", "--data", "a", home: home).objects()
        .contains { $0["id"] as? String == room }
    }
  }

  /// Runs one of the scripts to its end: the host has the same points, and what was played is true for everybody who
  /// reads it.
  /// - Parameter entries: how many of a round count where each answers once; `nil` where people say more.
  /// - Returns: the parts that it says are done.
  func play(_ words: [String], entries: Int? = 2) throws -> [String] {
    let run = try Dialogue(words, home: home, program: LogReader.python).finish()
    try #require(run.status == 0, "\(run.output)\n\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1).map(String.init)
    }
    try host.first("over")
    let players = try host.run.objects("standings").last?["players"] as? [[String: Any]] ?? []
    let points = players.map { "\($0["name"] as? String ?? "") \($0["score"] as? Int ?? -1)" }
    #expect(points.sorted() == lines.filter { $0[0] == "score" }.map { $0[1] }.sorted() && points.count == 2)
    try server.checkObjects()
    try Logs.verify("a", home: home)
    try Logs.verify("host", home: home)
    try read(entries)
    return lines.filter { $0[0] == "done" }.map { $0[1] }
  }

  /// The three readers say of the room that it is good, that every answer counts, and that the host was honest.
  func read(_ entries: Int?) throws {
    let path = home.file("rounds.parlor")
    let made = try Program.run("log", "export", room, "--output", path, "--data", "a", home: home)
    #expect(made.status == 0, "\(made.errors)")
    let script = try #require(try ScriptReader.readings(of: [path], home: home).first)
    let (reading, verdict) = try #require(try LogReader.readings(of: [path], home: home).first)
    #expect(script.good && reading.good && verdict.valid, "\(script.reason ?? "") \(reading.reason ?? "")")
    #expect(ScriptReader.differences(script, reading) == [])
    #expect(entries == nil || script.withoutEffect.isEmpty)
    #expect(script.faults.isEmpty && script.forks.isEmpty)
    #expect(!script.rounds.isEmpty && script.rounds.allSatisfy { $0.phase == "settled" })
    #expect(script.rounds.allSatisfy { $0.entries.count == entries ?? $0.entries.count })
  }

  static func script(_ name: String) -> String {
    PackageFolder.file("Tests/EndToEndTests/Web/\(name)").path
  }
}

@Suite(.blocking, .enabled(if: ScriptReader.isThere, ScriptReader.missing)) struct OwnKeyQuizTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let questions = """
    {"title": "Test", "seconds": 600, "questions": [
      {"text": "One?", "choices": ["a", "b", "c"], "answer": 2},
      {"text": "Two?", "choices": ["a", "b"], "answer": 1},
      {"text": "Three?", "choices": ["a", "b"], "answer": 2}]}
    """

  /// The words with which `host` asks questions.
  private func asking(_ questions: String) throws -> [String] {
    try home.write("quiz.json", Data(questions.utf8))
    return ["quiz", "--questions", "quiz.json"]
  }

  /// Two players, with a key of WebCrypto and with one that the page signs with itself. A lost answer is sent again and
  /// no second one is written, no answer can be read early, and lies of the server are noticed.
  @Test func playersOfTheirOwnAnswerAndNoticeLies() throws {
    let quiz = try OwnKeyRounds(home: home, asking(Self.questions))
    let done = try quiz.play([
      OwnKeyRounds.script("quiz.py"), try quiz.server.text("url", of: "web"), ScriptReader.node, home.path,
      quiz.room,
      quiz.join[1],
    ])
    #expect(
      done == [
        "first round", "a changed event", "a cited event withheld", "the newest events withheld",
        "other points",
        "another order", "another solution", "other answers", "another question",
        "another answer of one's own",
        "a solution too early", "a fault of the host", "no rounds", "events reordered", "end",
      ])
  }

  /// Many players, each with a key and a socket of its own, by a program that shares nothing with Parlor but the
  /// protocol: every answer counts.
  @Test func manyAnswerWithKeysOfTheirOwn() throws {
    let count = Effort.size(60, quick: 12)
    let questions = """
      {"seconds": 600, "questions": [
        {"text": "One?", "choices": ["a", "b"], "answer": 1}, {"text": "Two?", "choices": ["a", "b"], "answer": 2}]}
      """
    let quiz = try OwnKeyRounds(home: home, players: count, asking(questions) + ["--players", "\(count)"])
    let run = try Dialogue(
      [
        OwnKeyRounds.script("quiz_crowd.py"), try quiz.server.text("url", of: "web"), "\(count)", quiz.room,
        quiz.join[1],
      ], home: home, program: LogReader.python
    ).finish()
    try #require(run.status == 0, "\(run.output)\n\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
    #expect(lines == ["question 1 \(count)", "question 2 \(count)"])
    try quiz.host.first("over")
    try quiz.read(count)
    for data in ["a", "host"] { try Logs.verify(data, home: home) }
  }

  /// A host that cheats is shown to; a denied answer is shown by its player without being asked.
  @Test func aCheatingHostIsShownTo() throws {
    let run = try ScriptReader.run([OwnKeyRounds.script("hosted_player.mjs")], home: home)
    #expect(run.status == 0, "\(run.errors)")
    let parts = [
      "an honest host", "a denied answer", "false openings", "a race", "a drawing", "another word",
    ]
    #expect(run.output == parts.map { "done \($0)\n" }.joined())
  }

  /// A tap race, and a drawing game in which each draws once, told the word by a key that its join proof has named.
  @Test(arguments: ["tap-race", "drawing"]) func playersOfTheirOwnTapAndDraw(_ game: String) throws {
    try home.write("words.txt", Data("Ice Cream\nTree".utf8))
    let words =
      game == "drawing"
      ? ["--words", "words.txt", "--drawings", "2", "--draw-seconds", "300"]
      : ["--taps", "30", "--races", "1"]
    let rounds = try OwnKeyRounds(home: home, [game, "--no-join-code"] + words)
    let done = try rounds.play(
      [
        OwnKeyRounds.script("rounds.py"), try rounds.server.text("url", of: "web"), ScriptReader.node,
        home.path, rounds.room, game,
      ], entries: nil)
    #expect(
      done
        == (game == "drawing"
          ? [
            "word", "strokes", "guesses", "other strokes", "other guesses", "another drawer",
            "second drawing",
          ]
          : ["race", "other taps", "another goal"]))
  }

  /// The page in Chromium, over HTTP with WebCrypto and without: a reload in the midst of a question, a server that
  /// lies, and the points.
  @Test(.inABrowser) func peopleAnswerWithKeysOfTheirBrowser() throws {
    let questions = """
      {"title": "Test", "seconds": 600, "questions": [
        {"text": "One?", "choices": ["a", "b", "c"], "answer": 2},
        {"text": "Two?", "choices": ["a", "b"], "answer": 1}]}
      """
    let quiz = try OwnKeyRounds(home: home, asking(questions))
    let done = try quiz.play(
      [
        OwnKeyRounds.script("own_quiz.py"), Browser.path, try quiz.server.text("page", of: "web"),
      ] + quiz.join)
    #expect(done == ["in", "reload", "lies", "points"])
  }
}

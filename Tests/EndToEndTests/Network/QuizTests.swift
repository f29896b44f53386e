import Foundation
import TestKit
import Testing

/// A quiz with the real program: a host and its players, each a process, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct QuizTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let questions = """
    {"title": "Test", "seconds": 600, "questions": [
      {"text": "One?", "choices": ["a", "b", "c"], "answer": 2},
      {"text": "Two?", "choices": ["a", "b"], "answer": 1}]}
    """

  private func host(_ words: [String] = [], data: String = "host", connect: [NetworkRun] = []) throws
    -> NetworkRun
  {
    try home.write("quiz.json", Data(Self.questions.utf8))
    return try NetworkRun(
      ["host", "quiz", "--questions", "quiz.json", "--name", "Hanna"] + words, data: data, home: home,
      connect: connect)
  }

  private func join(
    _ host: NetworkRun, _ name: String, _ words: [String] = [], with join: String? = nil
  ) throws -> NetworkRun {
    let code = try join ?? host.text("join", of: "rounds")
    return try NetworkRun(["join", code, "--name", name] + words, data: name, home: home, connect: [host])
  }

  /// The scores by name that the last standings say.
  private func scores(_ run: NetworkRun) throws -> [String: Int] {
    let players = try run.run.objects("standings").last?["players"] as? [[String: Any]] ?? []
    return Dictionary(players.map { ($0["name"] as? String ?? "", $0["score"] as? Int ?? -1) }) { first, _ in
      first
    }
  }

  private func wait(_ run: NetworkRun, settled round: Int) throws {
    try run.wait(for: "settled", "round \(round)") { $0["round"] as? Int == round }
    try run.wait(for: "standings", "round \(round)") { $0["round"] as? Int == round }
  }

  @Test func twoPlayersAnswerEveryQuestion() throws {
    let host = try host()
    let (ada, bo) = (try join(host, "Ada"), try join(host, "Bo"))
    for name in ["Ada", "Bo"] { try host.wait(for: "player", name) { $0["name"] as? String == name } }
    // The lines wait for their questions.
    try ada.run.type("2\n1\n")
    try bo.run.type("3\nsay hello\n1\n")
    try host.run.type("\n")
    try wait(host, settled: 1)
    try host.run.type("next\n")
    for run in [host, ada, bo] { try run.first("over") }
    #expect(try ada.run.objects("settled").map { $0["own"] as? String } == ["right", "right"])
    #expect(try bo.run.objects("settled").map { $0["own"] as? String } == ["wrong", "right"])
    #expect(try host.run.objects("settled").map { $0["solution"] as? Int } == [2, 1])
    try host.wait(for: "chat", "Bo's words") {
      $0["text"] as? String == "hello" && $0["name"] as? String == "Bo"
    }
    let scores = try scores(host)
    let points = try ada.run.objects("settled").compactMap { $0["points"] as? Int }
    #expect(scores["Ada"] == points.reduce(0, +) && scores["Ada"] ?? 0 > scores["Bo"] ?? 0)
    #expect(points.allSatisfy { (100...1_000).contains($0) })
    for run in [host, ada, bo] {
      #expect(try run.run.finish().status == 0)
      try run.checkObjects()
    }
    let digests = try ["host", "Ada", "Bo"].map { try Logs.digests($0, home: home) }
    #expect(digests[0] == digests[1] && digests[0] == digests[2] && digests[0].count == 1)
    for data in ["host", "Ada", "Bo"] { try Logs.verify(data, home: home) }
    // What a replay shows is what was shown.
    let replay = try Program.run("replay", "last", "--json", "--data", "Bo", home: home).objects()
    let last = try #require(replay.last { $0["type"] as? String == "standings" })
    let shown = try #require(host.run.objects("standings").last)
    #expect(last as NSDictionary == shown as NSDictionary)
  }

  @Test func aWrongCodeIsRefusedAndNoneIsAskedFor() throws {
    let host = try host()
    let code = try host.text("code", of: "rounds")
    let wrong = try join(host, "Eve", with: "\(code)-AAAAAAAAAA")
    let refused = try wrong.run.finish()
    #expect(refused.status == 1 && refused.errors.contains("the join code is wrong"))
    let none = try join(host, "Eve", with: code).run.finish()
    #expect(none.status == 64 && none.errors.contains("\(code)-CODE"))
    let odd = try Program.run("join", "\(code)-123", "--data", "Eve", home: home)
    #expect(odd.status == 64 && odd.errors.contains("join code"))
    #expect(try host.run.objects("player").isEmpty)
  }

  @Test func aKilledHostAsksTheOpenQuestionAgainAndItsEndIsNotTheEnd() throws {
    let first = try host()
    let room = try first.text("room", of: "rounds")
    let (ada, bo) = (try join(first, "Ada"), try join(first, "Bo"))
    for name in ["Ada", "Bo"] { try first.wait(for: "player", name) { $0["name"] as? String == name } }
    try first.run.type("\n")
    for run in [ada, bo] { try run.first("question") }
    try ada.run.type("2\n")
    try ada.first("answered")
    // Bo has not answered, so the question is open.
    first.run.kill9()
    _ = try first.run.finish()
    let second = try host(["--resume", room], connect: [ada, bo])
    #expect(try second.text("join", of: "rounds") == first.text("join", of: "rounds"))
    for run in [ada, bo] {
      try second.run.wait(for: "the player to be there") { try second.run.objects("player").count == 2 }
      try run.run.wait(for: "nothing more of the first host") { try run.run.objects("question").count == 1 }
    }
    try second.run.type("\n")
    for run in [ada, bo] {
      try run.first("void")
      try run.run.wait(for: "the question again") { try run.run.objects("question").count == 2 }
      try run.run.type("2\n")
    }
    try wait(ada, settled: 1)
    #expect(try ada.run.objects("settled").map { $0["own"] as? String } == ["right"])
    let score = try #require(try scores(ada)["Ada"])
    // The host ends it after the first question, and Bo goes on with it.
    try second.run.type("end\n")
    for run in [second, ada, bo] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
    }
    let third = try host(["--continue", room, "--start-at", "1", "--no-join-code"], data: "Bo")
    let again = try join(third, "Ada", ["--guess"])
    try again.first("over")
    #expect(try #require(try scores(again)["Ada"]) >= score)
    for run in [third, again] { try run.checkObjects() }
    for data in ["host", "Ada", "Bo"] { try Logs.verify(data, home: home) }
  }

  /// Whoever answers while the host is away reads that the answer waits, and the host goes on with its newest quiz.
  /// The host ends the quiz before the players are connected, and is not gone before they have heard of it.
  @Test func anAnswerWaitsForTheHost() throws {
    let first = try host()
    let (ada, bo) = (try join(first, "Ada"), try join(first, "Bo"))
    for name in ["Ada", "Bo"] { try first.wait(for: "player", name) { $0["name"] as? String == name } }
    try first.run.type("\n")
    for run in [ada, bo] { try run.first("question") }
    first.run.kill9()
    try ada.wait(for: "host", "lost") { $0["connected"] as? Bool == false }
    try ada.run.type("2\n")
    try ada.run.wait(for: "the words") {
      try ada.run.errors().contains("your answer waits for it, and is not counted yet")
    }
    let second = try host(["--resume", "last"], connect: [ada, bo])
    #expect(try second.text("room", of: "rounds") == first.text("room", of: "rounds"))
    try second.run.type("end\n")
    for run in [second, ada, bo] {
      try run.first("over")
      #expect(try run.run.finish().status == 0)
    }
    let third = try Program.start(
      ["host", "quiz", "--questions", "quiz.json", "--resume", "last", "--data", "host"], home: home
    ).finish()
    #expect(third.status == 66 && third.errors.contains("no quiz of this peer waits"), "\(third.errors)")
  }

  @Test func questionsComeFromStandardInput() throws {
    let host = try NetworkRun(
      ["host", "quiz", "--questions", "-", "--start-at", "1", "--pause", "0", "--no-join-code"], data: "host",
      home: home)
    try host.run.type(Self.questions)
    try host.run.endInput()
    let ada = try join(host, "Ada", ["--guess"])
    try ada.first("over")
    try host.first("over")
    #expect(try host.run.objects("question").compactMap { $0["question"] as? String } == ["One?", "Two?"])
    for (words, input, text) in [
      (["--questions", "-"], Self.questions, "--start-at"),
      (["--questions", "-", "--start-at", "1"], "{", "standard input: "),
    ] {
      let run = try Program.start(
        ["host", "quiz", "--data", "x"] + words, home: home, input: Data(input.utf8)
      ).finish()
      #expect([64, 65].contains(run.status) && run.errors.contains(text), "\(words): \(run.errors)")
    }
  }

  @Test func filesAndOptionsThatCannotBeAreRefused() throws {
    try home.write("bad.json", Data("{\"questions\": [\n{\"text\": \"A?\"}]}".utf8))
    let cases: [([String], Int32, String)] = [
      (["--questions", "bad.json"], 65, "bad.json: line 2: question 1: “choices”"),
      (["--questions", "none.json"], 66, "none.json"), (["--seat", "first"], 64, "it is for games"),
      (["--set", "curve=steep"], 64, "curve"), (["--players", "0"], 64, "--players"),
    ]
    for (words, status, text) in cases {
      let run = try Program.start(["host", "quiz", "--data", "x"] + words, home: home).finish()
      #expect(run.status == status && run.errors.contains(text), "\(words): \(run.status) \(run.errors)")
    }
    let game = try Program.run("host", "tic-tac-toe", "--players", "5", "--data", "x", home: home)
    #expect(game.status == 64 && game.errors.contains("it is for a quiz"))
    let sample = try Program.run("host", "quiz", "--print-sample", home: home)
    try home.write("sample.json", Data(sample.output.utf8))
    #expect(sample.status == 0 && sample.output.contains("Ten questions"))
  }
}

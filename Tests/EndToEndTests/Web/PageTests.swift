import Foundation
import TestKit
import Testing

/// The page of `parlor serve --web`, as browsers get it and as people use it (Docs/PAGE.md).
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct PageTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func serve(at address: String = "127.0.0.1:0") throws -> NetworkRun {
    let server = try NetworkRun(["serve", "--web", address], data: "a", home: home)
    try server.first("web")
    return server
  }

  private static func script(_ name: String) -> String {
    PackageFolder.file("Tests/EndToEndTests/Web/\(name)").path
  }

  @Test func requestsAreAnswered() throws {
    let server = try serve()
    let page = try server.text("page", of: "web")
    let asked = try Dialogue([Self.script("requests.py"), page], home: home, program: LogReader.python)
    try asked.type(
      """
      GET / -
      HEAD / -
      GET /style.css -
      GET /nothing -
      GET /../../etc/passwd -
      DELETE / -
      GET / evil.example
      GET /main.js localhost
      GET /main.js localhost br,gzip

      """)
    try asked.endInput()
    let run = try asked.finish()
    let answers = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(run.status == 0 && answers.allSatisfy { $0.last == "whole" }, "\(run.output)\n\(run.errors)")
    #expect(answers.map { $0[0] } == ["200", "200", "200", "404", "404", "405", "403", "200", "200"])
    #expect(answers.map { $0[1] }.prefix(4) == ["text/html;", "text/html;", "text/css;", "text/plain;"])
    // Packed it is the same, and less comes.
    let (plain, packed) = (answers[7].compactMap { Int($0) }, answers[8].compactMap { Int($0) })
    #expect(plain[1] == plain[2] && packed[2] == plain[2] && packed[1] * 2 < packed[2])
  }

  /// Requests whose content nobody wants, all at once, in every cut that a network may make.
  @Test func requestsWithContentBlockNobody() throws {
    let server = try serve()
    let asked = try Dialogue(
      [Self.script("pipeline.py"), try server.text("page", of: "web")], home: home, program: LogReader.python)
    let run = try asked.finish()
    #expect(run.status == 0 && run.output == "served\n", "\(run.output)\n\(run.errors)")
  }

  /// `parlor web` has the system's browser open the page as the owner, where there is a display.
  @Test func theCommandOpensABrowser() throws {
    try home.write("xdg-open", Data("#!/bin/sh\necho \"$1\" > opening && exec /bin/mv opening opened\n".utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.file("xdg-open"))
    let words = [
      "web", "--web", "127.0.0.1:0", "--data", "a", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
    ]
    let run = try Dialogue(words, home: home, environment: ["DISPLAY": ":1", "PATH": home.path])
    try run.wait(for: "the browser") { FileManager.default.fileExists(atPath: home.file("opened")) }
    let place = try #require(try run.objects("web").first)
    let (page, token) = (try #require(place["page"] as? String), try #require(place["token"] as? String))
    #expect(try String(contentsOfFile: home.file("opened"), encoding: .utf8) == "\(page)#token=\(token)\n")
    run.kill9()
    // Nobody else reads the token where there is neither a display nor a terminal.
    let plain = try Dialogue(words.filter { $0 != "--json" }, home: home)
    try plain.wait(for: "its address") { try plain.output().contains("Sockets: ") }
    #expect(try !plain.output().contains(token))
    plain.kill9()
  }

  /// People play, ask for things, say hostile texts, meet bots, lose the server and go on.
  @Test(.inABrowser) func peoplePlayInABrowser() throws {
    var server = try serve()
    let (page, token) = (try server.text("page", of: "web"), try server.text("token", of: "web"))
    try home.write("quiz.json", Data(Self.questions.utf8))
    let quiz = try host(["quiz", "--questions", "quiz.json"], data: "quiz", by: server)
    let race = try host(
      ["tap-race", "--taps", "5", "--races", "1", "--no-join-code"], data: "race", by: server)
    try home.write("words.txt", Data("Ice Cream".utf8))
    let drawing = try host(
      [
        "drawing", "--words", "words.txt", "--drawings", "1", "--draw-seconds", "300", "--no-join-code",
        "--start-at", "2",
      ], data: "drawing", by: server)
    let people = try Dialogue(
      [
        Self.script("page.py"), Browser.path, page, token, try quiz.text("join", of: "rounds"),
        try race.text("join", of: "rounds"), try drawing.text("join", of: "rounds"),
      ], home: home, program: LogReader.python)
    try wait(people, for: "kill")
    server.run.kill9()
    server = try serve(
      at: page.replacingOccurrences(of: "http://", with: "").replacingOccurrences(of: "/", with: ""))
    try people.type("\n")
    let run = try people.finish()
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    let done = ["hosted", "link", "table", "game", "rematch", "bot", "games", "owner"].map { "done \($0)" }
    #expect(run.output.split(separator: "\n").filter { $0 != "kill" }.map(String.init) == done)
    try server.checkObjects()
    try Logs.verify("a", home: home)
  }

  private static let questions = """
    {"title": "<b>Quiz</b>", "seconds": 600, "questions": [
      {"text": "<img src=x onerror=stolen()>?", "choices": ["<i>a</i>", "b", "c", "d"], "answer": 1},
      {"text": "Two?", "choices": ["true", "false"], "answer": 2}]}
    """

  private func host(_ words: [String], data: String, by server: NetworkRun) throws -> NetworkRun {
    try NetworkRun(
      ["host"] + words + (words.contains("--start-at") ? [] : ["--start-at", "1"]) + [
        "--scope", "public", "--pause", "1", "--name", "Hanna",
      ],
      data: data, home: home, connect: [server])
  }

  private func wait(_ people: Dialogue, for word: String) throws {
    try people.wait(for: "“\(word)”", pollMicroseconds: 20_000) {
      try people.output().split(separator: "\n").contains { $0 == word }
    }
  }
}

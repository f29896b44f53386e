import Foundation
import TestKit
import Testing

/// The sub-protocol `parlor.1` (Docs/SOCKET.md), spoken by clients of a library that is not ours.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TableSocketTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func serve(_ words: [String] = []) throws -> NetworkRun {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"] + words, data: "a", home: home)
    try server.first("web")
    return server
  }

  private static func script(_ name: String) -> String {
    PackageFolder.file("Tests/EndToEndTests/Web/\(name)").path
  }

  private static let document = PackageFolder.file("Docs/SOCKET.md")

  /// Runs a script to its end.
  /// - Returns: what it printed.
  private func python(_ words: [String]) throws -> String {
    let run = try Dialogue(words, home: home, program: LogReader.python).finish()
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    return run.output
  }

  // MARK: - The document

  @Test func theTranscriptsAreTrue() throws {
    let made = try Program.run(
      "tournament", "create", "--game", "tic-tac-toe", "--places", "2", "--scope", "public", "--title",
      "Friday",
      "--json", "--data", "a", home: home)
    let cup = try #require(try made.objects().first?["code"] as? String)
    let server = try serve()
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let played = try python([
      Self.script("transcripts.py"), try server.text("url", of: "web"), try server.text("token", of: "web"),
      cup, Self.document.path,
    ])
    let transcripts = text.components(separatedBy: "```parlor.1\n").count - 1
    #expect(transcripts > 0)
    #expect(played.split(separator: "\n").count { $0.hasPrefix("played") } == transcripts)
    try server.checkObjects()
    try Logs.verify("a", home: home)
  }

  /// A word of a transcript that is another one than the server's is found.
  @Test func aWrongTranscriptIsFound() throws {
    let server = try serve()
    let (url, token) = (try server.text("url", of: "web"), try server.text("token", of: "web"))
    let wrong = [
      #"{"type":"done","id":1,"games":[]}"#, #"{"type":"done","id":2,…}"#, #"{"type":"error","id":1,…}"#,
    ]
    for (index, line) in wrong.enumerated() {
      let name = "wrong-\(index).md"
      try home.write(
        name, Data("```parlor.1\nA> {\"type\":\"games\",\"id\":1}\nA< \(line)\n```\n".utf8))
      let run = try Dialogue(
        [Self.script("transcripts.py"), url, token, "-", home.file(name)], home: home,
        program: LogReader.python
      ).finish()
      #expect(run.status == 1 && run.errors.contains("and this came"), "\(line): \(run.errors)")
    }
  }

  /// Neither a guest nor the owner starts a program by naming it.
  @Test func aCommandIsNoBotThere() throws {
    let server = try serve()
    let (url, token) = (try server.text("url", of: "web"), try server.text("token", of: "web"))
    try home.write("bot.sh", Data("#!/bin/sh\ntouch started\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file("bot.sh"))
    let hellos = [#"{"type":"hello","id":1}"#, #"{"type":"hello","id":1,"token":"TOKEN"}"#]
    for (number, hello) in hellos.enumerated() {
      let lines = [
        "A> \(hello)", #"A< {"type":"done","id":1,…}"#,
        #"A> {"type":"host","id":2,"game":"tic-tac-toe","bot":"./bot.sh"}"#, #"A< {"type":"error","id":2,…}"#,
      ]
      let transcript = "```parlor.1\n\(lines.joined(separator: "\n"))\n```\n"
      try home.write("command-\(number).md", Data(transcript.utf8))
      let played = try python([
        Self.script("transcripts.py"), url, token, "-", home.file("command-\(number).md"),
      ])
      #expect(played.hasPrefix("played"))
    }
    #expect(!FileManager.default.fileExists(atPath: home.file("started")))
  }

  @Test func theClientOfTheDocumentPlays() throws {
    let server = try serve()
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let start = try #require(text.range(of: "```python\n")?.upperBound)
    let end = try #require(text.range(of: "```\n", range: start..<text.endIndex)?.lowerBound)
    try home.write("client.py", Data(text[start..<end].utf8))
    let printed = try python([home.file("client.py"), try server.text("url", of: "web")])
    #expect(printed.hasPrefix("winner: "))
    #expect(printed.split(separator: "\n").count == 1, "\(printed)")
    try Logs.verify("a", home: home)
  }

  // MARK: - Seats

  private func plies(_ table: [String: Any]) -> Int { (table["plies"] as? [Any])?.count ?? 0 }

  @Test func guestsGoOnWhenTheServerWasKilled() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    var secrets: [String: String] = [:]
    for name in ["a", "b"] {
      try clients.openTables(name)
      try clients.ask(name, "hello", 1)
      secrets[name] = try #require(try clients.answer(name, 1)["secret"] as? String)
    }
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let code = try #require(try clients.answer("a", 2)["code"] as? String)
    try clients.ask("b", "join", 2, "\"room\":\"\(code)\"")
    try clients.table("a", "the begin") { ($0["may"] as? [String])?.contains("choose") == true }
    try clients.ask("a", "choose", 3, "\"room\":\"\(code)\",\"move\":\"5\"")
    #expect(try clients.answer("a", 3)["type"] as? String == "done")
    server.run.kill9()
    let again = try serve()
    let back = try SocketTests.Clients(again, home: home)
    // The one whose turn it is comes alone: what the other owes without a decision is done for it.
    try back.openTables("b")
    try back.ask("b", "hello", 1, "\"secret\":\"\(try #require(secrets["b"]))\"")
    try back.ask("b", "choose", 2, "\"room\":\"\(code)\",\"move\":\"1\",\"plies\":1")
    #expect(try back.answer("b", 2)["type"] as? String == "done")
    try back.openTables("a")
    try back.ask("a", "hello", 1, "\"secret\":\"\(try #require(secrets["a"]))\"")
    try back.ask("a", "watch", 2, "\"room\":\"\(code)\"")
    try back.table("a", "both moves") { plies($0) == 2 && $0["turn"] as? Int == 1 }
    try back.ask("b", "resign", 3, "\"room\":\"\(code)\"")
    try back.table("a", "the end, signed by both") {
      ($0["ending"] as? [String: Any])?["agreed"] as? Bool == true
    }
    try Logs.verify("a", home: home)
  }

  /// A person in a process of their own sits opposite a guest, and somebody else watches from the command line.
  @Test func aPersonSitsOppositeAGuest() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.openTables("a")
    try clients.ask("a", "hello", 1, "\"name\":\"Ada\"")
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let code = try #require(try clients.answer("a", 2)["code"] as? String)
    let person = try NetworkRun(["join", code, "--name", "Bo"], data: "b", home: home, connect: [server])
    try clients.table("a", "the begin") { ($0["may"] as? [String])?.contains("choose") == true }
    let watcher = try NetworkRun(["watch", code], data: "c", home: home, connect: [server])
    try clients.ask("a", "choose", 3, "\"room\":\"\(code)\",\"move\":\"5\"")
    try person.wait(forPly: 1)
    try watcher.wait(forPly: 1)
    try person.run.type("1\n")
    try clients.table("a", "the other's move") { plies($0) == 2 }
    try clients.ask("a", "resign", 4, "\"room\":\"\(code)\"")
    try person.run.wait(for: "the end") { try !person.run.objects("result").isEmpty }
    #expect(try person.run.finish().status == 0)
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  /// What the owner has opened for those nearby is nobody's business here, by whatever name.
  @Test func guestsSeeNothingOfOthersRooms() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    for name in ["owner", "guest", "nobody"] { try clients.openTables(name) }
    let token = try server.text("token", of: "web")
    try clients.ask("owner", "hello", 1, "\"token\":\"\(token)\"")
    try clients.ask("guest", "hello", 1)
    for (id, scope) in [(2, "local"), (3, "invited"), (4, "public")] {
      try clients.ask("owner", "host", id, "\"game\":\"tic-tac-toe\",\"scope\":\"\(scope)\"")
      let room = try #require(try clients.answer("owner", id)["room"] as? String)
      for name in ["guest", "nobody"] {
        try clients.ask(name, "watch", id, "\"room\":\"\(room)\"")
        let kind = try clients.answer(name, id)["type"] as? String
        #expect(kind == (scope == "public" ? "done" : "error"), "\(scope)")
      }
      let acts = [
        SocketTests.Clients.request("join", 10 + id, "\"room\":\"\(room)\""),
        SocketTests.Clients.request("say", 20 + id, "\"room\":\"\(room)\",\"text\":\"x\""),
        SocketTests.Clients.request("leave", 30 + id, "\"room\":\"\(room)\""),
        SocketTests.Clients.request("positions", 40 + id, "\"room\":\"\(room)\""),
        SocketTests.Clients.request("export", 50 + id, "\"room\":\"\(room)\""),
      ]
      for act in acts where scope != "public" { try clients.ask("guest", act) }
      for number in [10, 20, 30, 40, 50] where scope != "public" {
        let words = try clients.answer("guest", number + id)["words"] as? String
        #expect(words == "there is no table \(room) here")
      }
    }
    try clients.ask("guest", "list", 60)
    #expect((try clients.answer("guest", 60)["tables"] as? [Any])?.count == 1)
    try clients.ask("owner", "list", 60)
    #expect((try clients.answer("owner", 60)["tables"] as? [Any])?.count == 3)
    let mode = try FileManager.default.attributesOfItem(atPath: home.file("a/web-token"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  // MARK: - Hostile clients

  @Test func pagesOfOthersAreRefused() throws {
    let server = try serve(["--web-origin", "https://example.org"])
    let clients = try SocketTests.Clients(server, home: home)
    let place = try #require(try server.text("url", of: "web").split(separator: "/").dropFirst().first)
    let cases = [
      ("http://\(place)", true), ("https://example.org", true), ("http://example.org", false),
      ("https://example.org.evil.example", false), ("http://127.0.0.1:1", false), ("null", false),
    ]
    for (index, (origin, isAllowed)) in cases.enumerated() {
      for kind in ["tictactoe", "parlor.1"] {
        let name = "\(kind)-\(index)"
        try clients.say("status \(name) \(kind) \(origin)")
        try clients.wait(name, isAllowed ? "status 101" : "status 403")
      }
    }
    try clients.say("status other chess http://\(place)")
    try clients.wait("other", "status 400")
    // What is longer than any that is right is none of those.
    try clients.say("open long parlor.1 http://" + String(repeating: "x", count: 300))
    try clients.wait("long", "refused")
    let bad = try Program.run("serve", "--web", "--web-origin", "example.org", "--data", "b", home: home)
    #expect(bad.status == 64 && bad.errors.contains("an origin is a scheme and a host"), "\(bad.errors)")
    let alone = try Program.run("serve", "--web-origin", "https://example.org", "--data", "b", home: home)
    #expect(alone.status == 64 && alone.errors.contains("give --web too"), "\(alone.errors)")
  }

  @Test func whatIsNoneOfTheProtocolIsRefused() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.openTables("a")
    let errors: [(text: String, words: String)] = [
      ("nonsense", "this is no JSON: line 1, column"),
      (String(repeating: "[", count: 4_000), "this is no JSON"),
      ("[]", "a message is an object"),
      ("{\"type\":\"games\"}", "a request has an id"),
      ("{\"type\":\"hello\",\"id\":1,\"token\":\"x\",\"secret\":\"x\"}", "hello has a token or a secret"),
      ("{\"type\":\"hello\",\"id\":1,\"token\":\"x\"}", "that is not the owner's token"),
      ("{\"type\":\"hello\",\"id\":1,\"secret\":\"x\"}", "this server has given no such secret"),
      ("{\"type\":\"host\",\"id\":1,\"game\":\"tic-tac-toe\"}", "say hello first"),
      ("{\"type\":\"watch\",\"id\":1,\"room\":\"../x\"}", "a table is named by"),
    ]
    for (index, (text, words)) in errors.enumerated() {
      try clients.ask("a", text)
      try clients.run.wait(for: "answer \(index)") { try clients.objects("a").count > index }
      let answer = try clients.objects("a")[index]
      #expect(answer["type"] as? String == "error")
      #expect((answer["words"] as? String)?.hasPrefix(words) == true, "\(answer)")
    }
    // A message in many pieces is one message.
    try clients.say("pieces a {\"type\":\"games\",\"id\":99}")
    #expect(try clients.answer("a", 99)["type"] as? String == "done")
    let ends = [
      ("big", "send", String(repeating: "x", count: 1 << 20), "closed 1009"),
      ("long", "pieces", String(repeating: "x", count: 4_097), "closed 1009"),
      ("binary", "binary", "{}", "closed 1003"),
    ]
    for (name, order, text, end) in ends {
      try clients.openTables(name)
      try clients.say("\(order) \(name) \(text)")
      #expect(try clients.wait(name, "closed").hasPrefix(end))
    }
    try clients.openTables("many")
    for id in 0..<200 { try clients.ask("many", "games", id) }
    #expect(try clients.wait("many", "closed").hasPrefix("closed 1008 it sends more"))
    // The others are served as before.
    try clients.ask("a", "games", 100)
    #expect(try clients.answer("a", 100)["type"] as? String == "done")
    try Logs.verify("a", home: home)
  }

  @Test func whatASocketMayHaveIsLimited() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.openTables("a")
    try clients.ask("a", "hello", 0)
    for id in 1...17 { try clients.ask("a", "host", id, "\"game\":\"tic-tac-toe\"") }
    for id in 1...16 { #expect(try clients.answer("a", id)["type"] as? String == "done") }
    let words = try clients.answer("a", 17)["words"] as? String
    #expect(words == "a socket watches at most 16 tables: unwatch one first")
    try clients.ask("a", "host", 18, "\"game\":\"connect-four\",\"bot\":\"lookahead:12\"")
    #expect(
      (try clients.answer("a", 18)["words"] as? String)?.hasPrefix("a guest names a bot alone") == true)
  }

  /// Connections that never say anything keep nobody else from theirs.
  @Test func silentConnectionsBlockNobody() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.say("silent s 300")
    try clients.wait("s", "silent")
    try clients.openTables("a")
    try clients.ask("a", "games", 1)
    #expect(try clients.answer("a", 1)["type"] as? String == "done")
  }

  /// Many sockets see every move of a game.
  @Test func aCrowdSeesEveryMove() throws {
    let server = try serve()
    let count = Effort.size(1_000, quick: 100)
    let seen = try python([Self.script("crowd.py"), try server.text("url", of: "web"), "\(count)"])
    #expect(seen == (1...5).map { "seen \($0) \(count)\n" }.joined())
  }

  /// A guest who neither speaks nor answers is seen as away after some twenty seconds.
  @Test(.onlyAtFullSize) func aSilentGuestIsAway() throws {
    let server = try serve()
    let (silent, clients) = (
      try SocketTests.Clients(server, home: home), try SocketTests.Clients(server, home: home)
    )
    try silent.openTables("a")
    try silent.ask("a", "hello", 1)
    try silent.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let code = try #require(try silent.answer("a", 2)["code"] as? String)
    try clients.openTables("b")
    try clients.ask("b", "watch", 1, "\"room\":\"\(code)\"")
    let presence = { (table: [String: Any]) in
      ((table["seats"] as? [[String: Any]])?.first?["presence"] as? String) ?? ""
    }
    try clients.table("b", "who is here") { presence($0) == "connected" }
    try silent.say("mute a")
    try clients.table("b", "who is away") { presence($0) == "away" }
  }

  // MARK: - A browser

  @Test(.inABrowser) func aPageInABrowserPlays() throws {
    let browser = try Dialogue(
      [Self.script("browser.py"), Browser.path], home: home, program: LogReader.python)
    var origin: String?
    try browser.wait(for: "the page's origin") {
      origin = try browser.output().split(separator: "\n").first.map { String($0.dropFirst("origin ".count)) }
      return origin != nil
    }
    let allowing = try serve(["--web-origin", try #require(origin)])
    let other = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "b", home: home)
    for (index, server) in [allowing, other].enumerated() {
      try browser.type(try server.text("url", of: "web") + "\n")
      try browser.wait(for: "page \(index)", pollMicroseconds: 20_000) {
        try browser.output().split(separator: "\n").count > index + 1
      }
    }
    try browser.endInput()
    #expect(try browser.finish().output.hasSuffix("\npage finished\npage refused\n"))
    try Logs.verify("a", home: home)
  }
}

import Foundation
import TestKit
import Testing

/// The sub-protocol `tictactoe` (Docs/SOCKET.md), spoken by clients of a library that is not ours.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SocketTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Clients in one process.
  struct Clients {
    let run: Dialogue
    /// How messages are sent: `send` as texts, `binary` as bytes.
    private let order: String

    init(
      _ server: NetworkRun, home: TemporaryFolder, sending order: String = "send",
      environment: [String: String] = [:]
    ) throws {
      self.order = order
      let script = PackageFolder.file("Tests/EndToEndTests/Web/sockets.py").path
      run = try Dialogue(
        [script, try server.text("url", of: "web")], home: home, program: LogReader.python,
        environment: environment)
    }

    func say(_ order: String) throws { try run.type(order + "\n") }

    /// What a client was told, in order.
    func lines(_ name: String) throws -> [String] {
      let output = try run.output()
      // The last one may be on its way still.
      return output.split(separator: "\n").dropLast(output.hasSuffix("\n") ? 0 : 1)
        .filter { $0.hasPrefix("\(name) ") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Waits for a line that begins so.
    @discardableResult func wait(_ name: String, _ words: String) throws -> String {
      var found: String?
      try run.wait(for: "\(name): \(words)") {
        let lines = try lines(name)
        found = lines.first { $0.hasPrefix(words) }
        if found == nil { try Self.checkIsOpen(name, lines, words) }
        return found != nil
      }
      return try #require(found)
    }

    /// Whoever waits for something from a socket that is closed waits in vain.
    static func checkIsOpen(_ name: String, _ lines: [String], _ what: String) throws {
      guard let last = lines.last, last.hasPrefix("closed ") else { return }
      throw Dialogue.Failure(description: "\(name) is \(last), and waits for: \(what)")
    }

    func open(_ name: String) throws {
      try say("open \(name) tictactoe")
      try wait(name, "open tictactoe")
    }

    func join(_ name: String, _ id: String) throws {
      try open(name)
      try joinAgain(name, id)
    }

    func joinAgain(_ name: String, _ id: String) throws {
      try say("\(order) \(name) {\"type\":\"join\",\"player\":{\"id\":\"\(id)\"}}")
    }

    func turn(_ name: String, _ board: String, _ id: String) throws {
      let cells = board.map { "\"\($0)\"" }.joined(separator: ",")
      try say("\(order) \(name) {\"type\":\"turn\",\"board\":[\(cells)],\"player\":{\"id\":\"\(id)\"}}")
    }

    /// The messages that a client got: `TYPE BOARD`, and whose id they tell.
    func messages(_ name: String) throws -> [(words: String, player: String?)] {
      try lines(name).filter { $0.hasPrefix("< ") }.map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.dropFirst(2).utf8))
        let object = try #require(value as? [String: Any])
        let board = (object["board"] as? [String])?.joined() ?? ""
        return ("\(object["type"] ?? "") \(board)", (object["player"] as? [String: Any])?["id"] as? String)
      }
    }

    /// Waits for a client's message number `count`, from 1.
    func message(_ name: String, _ count: Int) throws -> (words: String, player: String?) {
      try run.wait(for: "message \(count) of \(name)") { try messages(name).count >= count }
      return try messages(name)[count - 1]
    }
  }

  private let ids = ["0f6ad0c4-26a5-4d5c-9d0f-0d4b8f0a4c01", "7B4F2A10-93FE-4E0A-8A61-5F2A7C3D9E02"]

  private func serve() throws -> NetworkRun {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    return server
  }

  /// Two clients have joined; who moves first comes first.
  private func begin(_ clients: Clients) throws -> [(name: String, id: String)] {
    let all = [("a", ids[0]), ("b", ids[1])]
    for (name, id) in all { try clients.join(name, id) }
    let first = try all.filter { try clients.message($0.0, 1).player == $0.1 }
    try #require(first.count == 1, "exactly one of two has the first turn")
    return (first + all.filter { $0.0 != first[0].0 }).map { (name: $0.0, id: $0.1) }
  }

  private func rooms() throws -> [[String: Any]] {
    let list = try Program.run("log", "list", "--all", "--json", "--data", "a", home: home)
    #expect(list.status == 0, "\(list.errors)")
    return try list.objects()
  }

  /// The published client sends what it says as bytes.
  @Test(arguments: ["send", "binary"]) func aGameIsPlayedStoredAndReplayed(sending order: String) throws {
    let server = try serve()
    let clients = try Clients(server, home: home, sending: order)
    let players = try begin(clients)
    let boards = ["X--------", "XO-------", "XO-X-----", "XOOX-----", "XOOX--X--"]
    for (index, board) in boards.enumerated() {
      let (mover, other) = (players[index % 2], players[1 - index % 2])
      // Out of turn, with a mark of the other's, or more than one: nothing happens but that the true board comes again.
      if index == 1 {
        let true1 = try clients.message(other.name, 2).words
        try clients.turn(other.name, "XO-------", other.id)
        #expect(try clients.message(other.name, 3).words == true1)
        for (at, wrong) in ["XX-------", "XOO------", "OO-------", "X--------"].enumerated() {
          try clients.turn(mover.name, wrong, mover.id)
          #expect(try clients.message(mover.name, 3 + at).words == "turn X--------")
        }
      }
      try clients.turn(mover.name, board, mover.id)
      for player in players {
        try clients.run.wait(for: "\(board) of \(player.name)") {
          try clients.messages(player.name).last?.words.hasSuffix(board) == true
        }
      }
    }
    let ends = try players.map { try #require(try clients.messages($0.name).last) }
    #expect(ends.allSatisfy { $0.words == "finish XOOX--X--" })
    #expect(ends[0].player == players[0].id)
    // The winner's own id is its secret: the other is told another one.
    let told = try #require(ends[1].player)
    #expect(!ids.contains(told))
    // The next game on the same sockets.
    for player in players { try clients.joinAgain(player.name, player.id) }
    for player in players {
      try clients.run.wait(for: "the next game") {
        try clients.messages(player.name).last?.words == "turn ---------"
      }
    }
    server.run.send(SIGINT)
    #expect(try server.run.finish().status == 130)
    try Logs.verify("a", home: home)
    let games = try rooms()
    #expect(games.count == 2)
    #expect(games.count { $0["status"] as? String == "finished" } == 1, "\(games)")
  }

  /// A third client waits for a fourth; whoever goes leaves its game, and the other is told.
  @Test func whoGoesHasLeft() throws {
    let server = try serve()
    let clients = try Clients(server, home: home)
    let players = try begin(clients)
    try clients.join("c", "11111111-2222-3333-4444-555555555555")
    try clients.turn(players[0].name, "----X----", players[0].id)
    #expect(try clients.message(players[1].name, 2).words == "turn ----X----")
    try clients.say("abort \(players[0].name)")
    #expect(try clients.message(players[1].name, 3).words == "stop ----X----")
    // Who has waited meets who is free again.
    try clients.joinAgain(players[1].name, players[1].id)
    #expect(try clients.message("c", 1).words == "turn ---------")
    #expect(try clients.message(players[1].name, 4).words == "turn ---------")
    try Logs.verify("a", home: home)
  }

  @Test func aKilledServerLosesNothing() throws {
    let server = try serve()
    let clients = try Clients(server, home: home)
    let players = try begin(clients)
    try clients.turn(players[0].name, "--X------", players[0].id)
    #expect(try clients.message(players[1].name, 2).words == "turn --X------")
    server.run.kill9()
    for player in players { try clients.wait(player.name, "closed") }
    let again = try serve()
    let back = try Clients(again, home: home)
    for player in players { try back.join(player.name, player.id) }
    for player in players { #expect(try back.message(player.name, 1).words == "turn --X------") }
    try back.turn(players[1].name, "O-X------", players[1].id)
    #expect(try back.message(players[0].name, 2).words == "turn O-X------")
    #expect(try back.message(players[0].name, 2).player == players[0].id)
    // A player that comes anew while its connection stands takes the seat over.
    try back.join("again", players[0].id)
    #expect(try back.message("again", 1).words == "turn O-X------")
    #expect(try back.wait(players[0].name, "closed").hasPrefix("closed 1008"))
    try back.turn("again", "O-XX-----", players[0].id)
    try back.run.wait(for: "the move") {
      try back.messages(players[1].name).last?.words == "turn O-XX-----"
    }
    try back.turn(players[1].name, "O-XXO----", players[1].id)
    #expect(try back.message("again", 3).words == "turn O-XXO----")
    try Logs.verify("a", home: home)
  }

  @Test func aPersonSitsOppositeASocket() throws {
    let server = try serve()
    let clients = try Clients(server, home: home)
    try clients.join("a", ids[0])
    try server.run.wait(for: "the room") { try !rooms().isEmpty }
    let room = try #require(try rooms().first?["id"] as? String)
    let person = try NetworkRun(["join", room, "--name", "Ada"], data: "b", home: home, connect: [server])
    let first = try clients.message("a", 1)
    if first.player == ids[0] {
      try clients.turn("a", "----X----", ids[0])
      try person.wait(forPly: 1)
      try person.run.type("1\n")
      #expect(try clients.message("a", 3).words == "turn O---X----")
    } else {
      try person.run.type("1\n")
      #expect(try clients.message("a", 2).words == "turn X--------")
    }
    try clients.say("close a")
    try person.run.wait(for: "the end") { try !person.run.objects("result").isEmpty }
    #expect(try person.run.finish().status == 0)
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  @Test func whatIsNoneOfTheProtocolIsRefused() throws {
    let server = try serve()
    let clients = try Clients(server, home: home)
    try clients.say("open other chess")
    try clients.wait("other", "refused")
    try clients.say("open none")
    try clients.wait("none", "refused")
    let cases = [
      ("n1", "nonsense", "closed 1008 this is no JSON: line 1, column"),
      ("n2", "{\"type\":\"join\"}", "closed 1008 a player is an object"),
      ("n3", "{\"type\":\"join\",\"player\":{\"id\":\"1-2\"}}", "closed 1008 a player is an object"),
      ("n4", "{\"type\":\"win\"}", "closed 1008 a client sends"),
      ("n5", "{\"type\":\"turn\",\"board\":[1]}", "closed 1008 a board is"),
      ("n6", String(repeating: "[", count: 4_000), "closed 1008 this is no JSON"),
      ("n7", String(repeating: "x", count: 5_000), "closed 1009"),
    ]
    for (name, text, end) in cases {
      try clients.open(name)
      try clients.say("send \(name) \(text)")
      #expect(try clients.wait(name, "closed").hasPrefix(end))
    }
    try clients.open("many")
    for _ in 0..<200 { try clients.say("send many {\"type\":\"join\",\"player\":{\"id\":\"\(ids[0])\"}}") }
    #expect(try clients.wait("many", "closed").hasPrefix("closed 1008 it sends more"))
    let url = try server.text("url", of: "web")
    let place = try #require(url.split(separator: "/").dropFirst().first.map(String.init))
    let taken = try Program.run("serve", "--web", place, "--data", "b", "--no-discovery", home: home)
    #expect(taken.status == 69 && taken.errors.contains("address already in use"), "\(taken.errors)")
    try Logs.verify("a", home: home)
  }

  /// A client that neither speaks nor answers is gone after some twenty seconds.
  @Test(.enabled(if: !Effort.isQuick)) func aSilentClientHasLeft() throws {
    let server = try serve()
    let (silent, clients) = (try Clients(server, home: home), try Clients(server, home: home))
    try silent.join("a", ids[0])
    try clients.join("b", ids[1])
    _ = try clients.message("b", 1)
    try silent.say("mute a")
    #expect(try clients.message("b", 2).words == "stop ---------")
  }
}

import Foundation
import TestKit
import Testing

/// Who sits where through `parlor.1`, who is seen from elsewhere, and what becomes of a client that does not read.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SocketSeatTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func serve() throws -> NetworkRun {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    return server
  }

  private func room(_ code: String) -> String { "\"room\":\"\(code)\"" }

  private func isOn(_ table: [String: Any]) -> Bool { table["phase"] as? String == "playing" }

  private func presences(_ table: [String: Any]) -> [String?] {
    (table["seats"] as? [[String: Any]])?.map { $0["presence"] as? String } ?? []
  }

  // MARK: - The owner

  /// The owner sits at a table as long as one of its sockets watches that, and not until the process ends.
  @Test func theOwnerSitsAsLongAsASocketWatches() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    let token = "\"token\":\"\(try server.text("token", of: "web"))\""
    for name in ["one", "two"] { try clients.greet(name, token) }
    try clients.ask("one", "host", 2, "\"game\":\"tic-tac-toe\",\"scope\":\"public\"")
    let table = room(try #require(try clients.answer("one", 2)["room"] as? String))
    try clients.ask("two", "watch", 2, table)
    _ = try clients.answer("two", 2)
    let guests = ["first", "second"]
    for guest in guests { try clients.greet(guest) }
    // One socket less: the other one sees who comes.
    try clients.say("close one")
    try clients.wait("one", "closed")
    try clients.ask("first", "join", 2, table)
    try clients.table("first", "the begin", until: isOn)

    try clients.ask("two", "host", 3, "\"game\":\"tic-tac-toe\",\"scope\":\"public\"")
    let left = try #require(try clients.answer("two", 3)["room"] as? String)
    try clients.say("close two")
    try clients.wait("two", "closed")
    // A command on the data folder is told of tables that are left.
    var isLeft = false
    while !isLeft {
      let lobby = try Program.run("lobby", "--once", "--json", "--data", "a", home: home)
      isLeft = try lobby.objects().contains {
        $0["type"] as? String == "earlier" && $0["room"] as? String == left
      }
    }
    try clients.ask("second", "join", 2, room(left))
    #expect(try clients.answer("second", 2)["type"] as? String == "done")
    try clients.table("second", "that nobody is seated") { $0["has-asked"] as? Bool == true }
    try clients.greet("three", token)
    try clients.ask("three", "watch", 2, room(left))
    try clients.table("second", "the begin", until: isOn)
    #expect(
      try clients.objects("second").contains {
        ($0["table"] as? [String: Any]).map { !isOn($0) && $0["has-asked"] as? Bool == true } ?? false
      })
    try Logs.verify("a", home: home)
  }

  // MARK: - Rematches

  private func finished(_ clients: SocketTests.Clients) throws -> String {
    for name in ["a", "b"] { try clients.greet(name) }
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let table = room(try #require(try clients.answer("a", 2)["code"] as? String))
    try clients.ask("b", "join", 2, table)
    try clients.table("b", "the begin", until: isOn)
    try clients.ask("b", "resign", 3, table)
    for name in ["a", "b"] {
      try clients.table(name, "the end") { $0["phase"] as? String == "finished" }
    }
    return table
  }

  private func wish(_ table: [String: Any]) -> String? {
    (table["rematch"] as? [String: Any])?["room"] as? String
  }

  /// Whoever has played may begin the next game, and the other one comes to it.
  @Test func anyPlayerBeginsTheNextGame() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    let table = try finished(clients)
    try clients.ask("b", "rematch", 6, table)
    let first = try #require(try clients.answer("b", 6)["room"] as? String)
    try clients.table("a", "the wish") { wish($0) == first }
    // Who takes the wish back has none, and may have another one.
    try clients.ask("b", "leave", 7, room(first))
    try clients.run.wait(for: "no wish") {
      let wishes = try clients.objects("a").compactMap { ($0["table"] as? [String: Any]).map(wish) }
      return wishes.contains(first) && wishes.last == .some(nil)
    }
    try clients.ask("b", "rematch", 4, table)
    let next = try #require(try clients.answer("b", 4)["room"] as? String)
    #expect(next != first)
    try clients.table("a", "the other wish") { wish($0) == next }
    try clients.ask("a", "rematch", 4, table)
    #expect(try clients.answer("a", 4)["room"] as? String == next)
    for name in ["a", "b"] {
      try clients.table(name, "the next game") { $0["room"] as? String == next && isOn($0) }
      // To ask again is to come to the game that is on.
      try clients.ask(name, "rematch", 5, table)
      #expect(try clients.answer(name, 5)["room"] as? String == next)
    }
    try Logs.verify("a", home: home)
  }

  /// Where both want the next game at one moment there is one in the end, when each has asked again.
  @Test func twoWishesAreOneGame() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    let table = try finished(clients)
    for id in 4...5 {
      for name in ["b", "a"] { try clients.ask(name, "rematch", id, table) }
      for name in ["b", "a"] {
        let answer = try clients.answer(name, id)
        #expect(answer["type"] as? String == "done", "\(answer)")
      }
    }
    let rooms = try ["a", "b"].map { try clients.answer($0, 5)["room"] as? String }
    #expect(rooms[0] != nil && rooms[0] == rooms[1])
    for name in ["a", "b"] {
      try clients.table(name, "the next game") { $0["room"] as? String == rooms[0] && isOn($0) }
    }
    try Logs.verify("a", home: home)
  }

  // MARK: - Lobbies

  /// A guest's game is listed elsewhere while the peer is connected that keeps the guest's key; so is its length.
  @Test func aGuestsSeriesIsListedElsewhere() throws {
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.greet("a", "\"name\":\"Ada\"")
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"games\":5,\"target\":3")
    let game = try #require(try clients.answer("a", 2)["room"] as? String)
    try clients.table("a", "its length") { $0["games"] as? Int == 5 && $0["target"] as? Int == 3 }
    let lobby = try NetworkRun(["lobby"], data: "b", home: home, connect: [server])
    let open = try lobby.first("open")
    #expect(open["room"] as? String == game)
    #expect(open["games"] as? Int == 5 && open["wins"] as? Int == 3)
    try clients.openTables("b")
    try clients.ask("b", "list", 1)
    let listed = try #require((try clients.answer("b", 1)["tables"] as? [[String: Any]])?.first)
    #expect(listed["games"] as? Int == 5 && listed["target"] as? Int == 3)
    try clients.ask("a", "host", 3, "\"game\":\"tic-tac-toe\",\"games\":2,\"target\":3")
    #expect(try clients.answer("a", 3)["words"] as? String == "nobody can win 3 of 2 games")
    server.run.kill9()
    try lobby.first("gone")
    try lobby.checkObjects()
  }

  // MARK: - Who does not read

  /// A client that does not read is closed with words; it holds up nobody, and comes back on another socket.
  @Test func aSlowReaderIsDroppedAndOthersGoOn() throws {
    let server = try serve()
    let slow = try SocketTests.Clients(server, home: home)
    let clients = try SocketTests.Clients(server, home: home)
    let secret = try #require(try slow.greet("m", by: "narrow")["secret"] as? String)
    try clients.greet("a")
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\",\"seat\":\"first\"")
    let table = room(try #require(try clients.answer("a", 2)["code"] as? String))
    try slow.ask("m", "join", 2, table)
    try clients.table("a", "the begin", until: isOn)
    // What is said makes the table long, and whoever watches is told of each line.
    try clients.ask("a", "unwatch", 3, table)
    _ = try clients.answer("a", 3)
    try slow.say("mute m")
    let token = "\"token\":\"\(try server.text("token", of: "web"))\""
    let words = String(repeating: "x", count: 3_800)
    for speaker in 1...4 {
      try clients.greet("o\(speaker)", token)
      for id in 2...31 {
        try clients.ask("o\(speaker)", "say", id, "\(table),\"text\":\"\(words)\"")
        #expect(try clients.answer("o\(speaker)", id)["type"] as? String == "done")
      }
    }
    let others = try SocketTests.Clients(server, home: home)
    try others.openTables("w")
    try others.ask("w", "watch", 1, table)
    try others.table("w", "who is away") { presences($0) == ["connected", "away"] }
    try slow.say("unmute m")
    #expect(try slow.wait("m", "closed") == "closed 1008 it does not read what it is sent")
    try clients.ask("a", "choose", 4, "\(table),\"move\":\"5\"")
    try others.greet("back", "\"secret\":\"\(secret)\"")
    try others.ask("back", "choose", 2, "\(table),\"move\":\"1\",\"plies\":1")
    #expect(try others.answer("back", 2)["type"] as? String == "done")
    try others.table("w", "both moves") { ($0["plies"] as? [Any])?.count == 2 }
    try Logs.verify("a", home: home)
  }
}

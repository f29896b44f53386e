import Foundation
import TestKit
import Testing

/// Games that go on from positions of others, by the sub-protocol `parlor.1`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct BranchSocketTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func serve() throws -> (NetworkRun, SocketTests.Clients) {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    return (server, try SocketTests.Clients(server, home: home))
  }

  /// Has a client ask for a game.
  /// - Returns: the answer.
  private func ask(
    _ type: String, _ id: Int, _ members: String, by name: String, _ clients: SocketTests.Clients
  ) throws -> [String: Any] {
    try clients.ask(name, type, id, members)
    return try clients.answer(name, id)
  }

  /// Waits for a table of a room.
  @discardableResult private func table(
    _ room: String, of name: String, _ what: String, _ clients: SocketTests.Clients,
    until holds: @escaping ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let message = try clients.wait(name, what) {
      ($0["table"] as? [String: Any]).map { $0["room"] as? String == room && holds($0) } ?? false
    }
    return try #require(message["table"] as? [String: Any])
  }

  /// Waits for the beginning of a room's game.
  @discardableResult private func begun(
    _ room: String, of name: String, _ clients: SocketTests.Clients
  ) throws -> [String: Any] {
    try table(room, of: name, "the begin", clients) { $0["phase"] as? String == "playing" }
  }

  private static func moves(_ table: [String: Any]) -> [String] {
    (table["plies"] as? [[String: Any]])?.compactMap { ($0["moves"] as? [String])?.first } ?? []
  }

  private static func mayChoose(_ table: [String: Any]) -> Bool {
    (table["may"] as? [String])?.contains("choose") == true
  }

  /// Two guests play tic-tac-toe, Ada first.
  /// - Returns: the room.
  private func play(_ moves: [String], _ clients: SocketTests.Clients) throws -> String {
    try clients.greet("ada")
    try clients.greet("bo")
    let game = "\"game\":\"tic-tac-toe\",\"seat\":\"first\""
    let room = try #require(try ask("host", 2, game, by: "ada", clients)["room"] as? String)
    _ = try ask("join", 2, "\"room\":\"\(room)\"", by: "bo", clients)
    for (index, move) in moves.enumerated() {
      let name = ["ada", "bo"][index % 2]
      try table(room, of: name, "move \(index)", clients) {
        Self.mayChoose($0) && Self.moves($0).count == index
      }
      let answer = try ask(
        "choose", 10 + index, "\"room\":\"\(room)\",\"move\":\"\(move)\"", by: name, clients)
      #expect(answer["type"] as? String == "done", "\(answer)")
    }
    return room
  }

  @Test func aPositionIsPlayedOnFrom() throws {
    let (server, clients) = try serve()
    let old = try play(["5", "1", "3", "2", "7"], clients)
    // Against a bot, on the side to move; then for a friend, from a game that nobody here plays any more.
    let bot = try ask("branch", 30, "\"room\":\"\(old)\",\"ply\":3,\"bot\":\"level:2\"", by: "ada", clients)
    let first = try #require(bot["room"] as? String, "\(bot)")
    let position = try begun(first, of: "ada", clients)
    #expect(Self.mayChoose(position) && position["seat"] as? Int == 2 && position["opening"] as? Int == 3)
    let from = try #require(position["branch-of"] as? [String: Any])
    #expect(Self.moves(position) == ["5", "1", "3"] && from["room"] as? String == old)
    #expect(from["game"] as? Int == 1 && from["ply"] as? Int == 3)
    let chosen = try ask("choose", 31, "\"room\":\"\(first)\",\"move\":\"7\"", by: "ada", clients)
    try #require(chosen["type"] as? String == "done", "\(chosen)")
    try table(first, of: "ada", "the bot's move", clients) { Self.moves($0).count == 5 }
    let friend = try ask(
      "branch", 32, "\"room\":\"\(old)\",\"number\":1,\"ply\":0,\"seat\":\"second\"", by: "ada", clients)
    let second = try #require(friend["room"] as? String, "\(friend)")
    let code = try #require(friend["code"] as? String)
    #expect(try ask("join", 33, "\"room\":\"\(code)\"", by: "bo", clients)["room"] as? String == second)
    let start = try begun(second, of: "bo", clients)
    #expect(Self.mayChoose(start) && start["seat"] as? Int == 1 && start["opening"] as? Int == 0)
    #expect((start["branch-of"] as? [String: Any])?["ply"] as? Int == 0)
    // And a branch of a branch, a series.
    let third = try ask(
      "branch", 34, "\"room\":\"\(first)\",\"ply\":4,\"games\":3,\"target\":2,\"bot\":\"random\"", by: "bo",
      clients)
    let series = try #require(third["room"] as? String, "\(third)")
    let whole = try begun(series, of: "bo", clients)
    #expect(whole["games"] as? Int == 3 && whole["target"] as? Int == 2 && whole["seat"] as? Int == 1)
    #expect(Self.moves(whole).prefix(4) == ["5", "1", "3", "7"])
    let shown = try Program.run("log", "show", series, "--json", "--data", "a", home: home).output
    #expect(shown.contains("goes on from game 1 of \(first.prefix(10)) after 4 moves"), "\(shown)")
    try server.checkObjects()
    try Logs.verify("a", home: home)
  }

  @Test func whatCannotBePlayedOnFromIsSaid() throws {
    let (server, clients) = try serve()
    let won = try play(["5", "1", "3", "2", "7"], clients)
    try clients.greet("owner", "\"token\":\"\(try server.text("token", of: "web"))\"")
    let games = ["\"prisoners-dilemma\"", "\"memory-match\"", "\"tic-tac-toe\",\"scope\":\"invited\""]
    let rooms = try games.enumerated().map { index, game in
      let owner = ["ada", "ada", "owner"][index]
      let members = "\"game\":\(game),\"bot\":\"random\",\"seat\":\"first\""
      let room = try #require(try ask("host", 20 + index, members, by: owner, clients)["room"] as? String)
      try begun(room, of: owner, clients)
      return room
    }
    let waiting = try #require(
      try ask("host", 25, "\"game\":\"tic-tac-toe\"", by: "ada", clients)["room"] as? String)
    try clients.openTables("nobody")
    let from = { (room: String, ply: Int) in "\"room\":\"\(room)\",\"ply\":\(ply)" }
    let cases: [(name: String, members: String, words: String)] = [
      ("nobody", from(won, 1), "say hello first: who has not only looks on"),
      ("ada", from(won, 6), "game 1 has 5 moves; take a number up to that"),
      ("ada", from(won, 5), "the game is over there: take a lower number"),
      ("ada", from(won, 1) + ",\"number\":2", "there is no game 2 there: the last one is game 1"),
      ("ada", from(won, 1) + ",\"number\":0", "there is no game 0 there: the last one is game 1"),
      ("ada", from(won, 1) + ",\"bot\":\"lookahead:9\"", "a guest names a bot alone, without a colon"),
      ("ada", from(won, 1) + ",\"bot\":\"nobody\"", "nobody"),
      ("ada", from(won, 1) + ",\"games\":2,\"target\":3", "nobody can win 3 of 2 games"),
      ("ada", from(rooms[0], 0), "prisoners-dilemma has no openings"),
      ("ada", from(rooms[1], 0), "memory-match has no openings"),
      ("ada", from(rooms[2], 0), "there is no table \(rooms[2]) here"),
      ("ada", from(waiting, 0), "no game has begun there"),
      ("ada", from(String(repeating: "0", count: 64), 0), "there is no table"),
    ]
    let count = { try (ask("list", 90, "", by: "owner", clients)["tables"] as? [Any])?.count }
    let before = try count()
    for (index, (name, members, words)) in cases.enumerated() {
      let answer = try ask("branch", 50 + index, members, by: name, clients)
      #expect((answer["words"] as? String)?.contains(words) == true, "\(members): \(answer)")
    }
    try clients.ask("owner", "list", 91)
    #expect((try clients.answer("owner", 91)["tables"] as? [Any])?.count == before)
    try server.checkObjects()
    try Logs.verify("a", home: home)
  }

  /// What comes from a game for those who are invited is not shown to others by mistake; its bot is invited.
  @Test func aBranchOfAnInvitedGameIsForThoseInvited() throws {
    let (server, clients) = try serve()
    try clients.greet("ada")
    try clients.greet("bo")
    let members = "\"game\":\"connect-four\",\"scope\":\"invited\",\"bot\":\"random\",\"seat\":\"first\""
    let hosted = try ask("host", 2, members, by: "ada", clients)
    let old = try #require(hosted["room"] as? String, "\(hosted)")
    try begun(old, of: "ada", clients)
    let answer = try ask("branch", 3, "\"room\":\"\(old)\",\"ply\":0,\"bot\":\"random\"", by: "ada", clients)
    let room = try #require(answer["room"] as? String, "\(answer)")
    #expect(try begun(room, of: "ada", clients)["scope"] as? String == "invited")
    let refused = try ask("watch", 4, "\"room\":\"\(room)\"", by: "bo", clients)
    #expect(refused["words"] as? String == "there is no table \(room) here")
    let shared = try ask("branch", 5, "\"room\":\"\(old)\",\"ply\":0,\"scope\":\"local\"", by: "ada", clients)
    let other = try #require(shared["room"] as? String, "\(shared)")
    #expect(try ask("watch", 6, "\"room\":\"\(other)\"", by: "bo", clients)["type"] as? String == "done")
    try server.checkObjects()
  }
}

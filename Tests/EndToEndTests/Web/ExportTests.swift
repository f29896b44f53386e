import Events
import Foundation
import TestKit
import Testing

/// Rooms as files, by the sub-protocol `parlor.1`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ExportTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// All pieces of a room's file, and how many those are.
  private func fetch(
    _ room: String, by name: String, _ clients: SocketTests.Clients, id: Int
  ) throws -> (bytes: Data, pieces: Int) {
    var (bytes, pieces, total) = (Data(), 0, 1)
    while bytes.count < total {
      let from = bytes.isEmpty ? "" : ",\"from\":\(bytes.count)"
      try clients.ask(name, "export", id + pieces, "\"room\":\"\(room)\"\(from)")
      let answer = try clients.answer(name, id + pieces)
      let content = try #require(answer["content"] as? String, "\(answer)")
      #expect(answer["from"] as? Int == bytes.count)
      bytes += try #require(Data(base64Encoded: content))
      total = try #require(answer["bytes"] as? Int)
      pieces += 1
    }
    #expect(bytes.count == total)
    return (bytes, pieces)
  }

  /// What `log export` or `tournament export` writes of a room.
  private func written(_ room: String, _ kind: String) throws -> Data {
    let name = "\(kind)-\(room)"
    let run = try Program.run(kind, "export", room, "--data", "a", "--output", home.file(name), home: home)
    #expect(run.status == 0, "\(run.errors)")
    return Data(try home.bytes(name))
  }

  /// A socket gets the file that the command writes: of a long room in several pieces, and of a tournament with its
  /// games.
  @Test func theFileIsTheCommands() async throws {
    let (long, cup): (String, String)
    do {
      let samples = try Samples(home.file("a"))
      long = try await samples.match("othello", ["random", "random"], games: 250).description
      cup = try await samples.tournament(["random", "greedy", "random"]).description
    }
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    let clients = try SocketTests.Clients(server, home: home)
    try clients.greet("owner", "\"token\":\"\(try server.text("token", of: "web"))\"")
    let match = try fetch(long, by: "owner", clients, id: 10)
    #expect(try match.bytes == written(long, "log") && match.pieces > 1)
    #expect(try fetch(cup, by: "owner", clients, id: 50).bytes == written(cup, "tournament"))
    // What was fetched to its end is held no more, and a file has no byte behind its last.
    try clients.ask("owner", "export", 90, "\"room\":\"\(long)\",\"from\":\(match.bytes.count - 1)")
    let words = try clients.answer("owner", 90)["words"] as? String
    #expect(words == "that file is held no more: ask for it from 0 again")
    try clients.ask("owner", "export", 91, "\"room\":\"\(long)\"")
    try clients.ask("owner", "export", 92, "\"room\":\"\(long)\",\"from\":\(match.bytes.count)")
    #expect(try clients.answer("owner", 92)["words"] as? String == "that file has \(match.bytes.count) bytes")
    // Who may not see the room gets nothing of it, also while somebody else fetches it.
    try clients.greet("guest")
    for (id, from) in [(2, 0), (3, 1)] {
      try clients.ask("guest", "export", id, "\"room\":\"\(long)\",\"from\":\(from)")
      #expect(try clients.answer("guest", id)["words"] as? String == "there is no table \(long) here")
    }
  }

  @Test func howManyAreMadeIsLimited() throws {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    let clients = try SocketTests.Clients(server, home: home)
    try clients.greet("a")
    try clients.ask("a", "host", 2, "\"game\":\"tic-tac-toe\"")
    let code = try #require(try clients.answer("a", 2)["code"] as? String)
    for id in 10..<20 {
      try clients.ask("a", "export", id, "\"room\":\"\(code)\"")
      #expect(try clients.answer("a", id)["type"] as? String == "done")
    }
    try clients.ask("a", "export", 20, "\"room\":\"\(code)\"")
    let words = try clients.answer("a", 20)["words"] as? String
    #expect(words == "many files were asked for; try again in a minute")
  }
}

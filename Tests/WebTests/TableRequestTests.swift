import Events
import JSON
import Peer
import Service
import Testing

@testable import Web

@Suite struct TableRequestTests {
  private static let peer = String(repeating: "ab", count: 32)

  /// A request of each type with all its members, those that must be there first, and how many those are.
  private static let requests: [(type: String, needed: Int, members: [JSONMember])] = {
    let room = JSONMember("room", "KTQWXZ")
    let acts = ["resign", "undo", "agree", "claim", "offer-draw", "agree-draw", "decline-draw", "leave"]
    return [
      ("hello", 0, [.init("name", "Ada"), .init("emoji", "🐱"), .init("token", "x")]),
      ("hello", 0, [.init("secret", "x")]),
      ("games", 0, []),
      ("list", 0, [.init("follow", true)]),
      (
        "host", 1,
        [
          .init("game", "gomoku"), .init("settings", ["line": "exact", "size": 15]), .init("seat", "second"),
          .init("scope", "public"), .init("undo", false), .init("bot", "greedy"),
        ]
      ),
      (
        "branch", 2,
        [
          room, .init("ply", 5), .init("number", 1), .init("seat", "second"), .init("scope", "public"),
          .init("undo", false), .init("games", 3), .init("target", 2), .init("bot", "greedy"),
        ]
      ),
      (
        "join", 1,
        [
          room, .init("referee", .string(peer)), .init("move-limit", 1), .init("clock", 2),
          .init("increment", 3),
          .init("join-code", "7K2M9QXTRB"),
        ]
      ),
      ("watch", 1, [room]), ("unwatch", 1, [room]), ("rematch", 1, [room]), ("decline", 1, [room]),
      ("positions", 1, [room, .init("number", 1), .init("ply", 2)]),
      ("analyze", 1, [room, .init("number", 1)]),
      ("qr", 1, [.init("text", "http://127.0.0.1:8181/#KTQWXZ")]),
      ("export", 1, [room, .init("from", 98_304)]),
      ("choose", 2, [room, .init("move", "5"), .init("number", 1), .init("plies", 2)]),
      ("choose", 2, [room, .init("code", 4)]),
      ("say", 2, [room, .init("text", "hello")]),
      ("enter", 2, [room, .init("text", "2")]),
      ("invite", 2, [room, .init("peer", .string(peer))]),
    ] + acts.map { ($0, 1, [room]) }
  }()

  private func read(_ members: [JSONMember]) throws(TableRequest.Refusal) -> TableRequest {
    try TableRequest(Array(JSONLine(members).text.utf8))
  }

  private func refusal(_ members: [JSONMember]) -> TableRequest.Refusal? {
    do throws(TableRequest.Refusal) {
      let request = try read(members)
      Issue.record("it was taken: \(request)")
      return nil
    } catch { return error }
  }

  @Test func everyMemberIsReadAndNoOther() throws {
    for (type, needed, members) in Self.requests {
      let head = [JSONMember("id", 7), JSONMember("type", .string(type))]
      let request = try read(head + members)
      #expect(request.tag == .number(7))
      // In whichever order they come.
      #expect(try read(Array((head + members).reversed())) == request)
      #expect(refusal(head + members + [.init("other", 1)])?.words.contains("“other”") == true)
      for index in members.indices {
        var fewer = members
        fewer.remove(at: index)
        if index < needed {
          #expect(refusal(head + fewer)?.tag == .number(7), "\(type) without \(members[index].name)")
        } else {
          #expect(try read(head + fewer) != request, "\(type) has not read \(members[index].name)")
        }
        for value in [.null, [], .real(1.5), .string(""), .string(String(repeating: "x", count: 5_000))]
          as [JSONValue]
        {
          var wrong = members
          wrong[index].value = value
          let words = refusal(head + wrong)?.words ?? ""
          #expect(words.contains(members[index].name), "\(type): \(words)")
        }
      }
    }
  }

  @Test func whatIsReadIsMeant() throws {
    let head = [JSONMember("id", "x"), JSONMember("type", "host"), JSONMember("game", "gomoku")]
    var new = TableRequest.NewTable()
    new.game = "gomoku"
    #expect(try read(head) == TableRequest(tag: .text("x"), wish: .host(new)))
    new.settings = [.init(name: "size", value: "15")]
    new.bot = "greedy"
    (new.order, new.scope, new.allowsUndo) = (.first, .open, false)
    let members: [JSONMember] = [
      .init("settings", ["size": 15]), .init("bot", "greedy"), .init("seat", "first"),
      .init("scope", "public"),
      .init("undo", false),
    ]
    #expect(try read(head + members) == TableRequest(tag: .text("x"), wish: .host(new)))
    let say = [
      JSONMember("id", 1), JSONMember("type", "say"), JSONMember("room", "a"), JSONMember("text", "é"),
    ]
    #expect(try read(say).wish == .act(room: "a", .say("é")))
  }

  @Test func aPositionIsReadAsMeant() throws {
    let head: [JSONMember] = [
      .init("id", 1), .init("type", "branch"), .init("room", "KTQWXZ"), .init("ply", 0),
    ]
    var new = TableRequest.NewTable()
    new.position = TableRequest.Position(room: "KTQWXZ", number: nil, ply: 0)
    #expect(try read(head).wish == .host(new))
    new.position?.number = 2
    (new.order, new.bot) = (.random, "level:3")
    let more: [JSONMember] = [.init("number", 2), .init("seat", "random"), .init("bot", "level:3")]
    #expect(try read(head + more).wish == .host(new))
    let wrong: [(String, Int64)] = [("ply", -1), ("ply", 65_536), ("number", -1), ("number", 65_536)]
    for (name, value) in wrong {
      let members = head.filter { $0.name != name } + [.init(name, .integer(value))]
      #expect(refusal(members)?.words == "\(name) is a whole number from 0 to 65535")
    }
    // What the position says nobody else does.
    for member in [JSONMember("game", "gomoku"), JSONMember("settings", ["line": "exact"])] {
      #expect(refusal(head + [member])?.words.contains("no member") == true)
    }
  }

  @Test(
    "What has no id that can be told",
    arguments: ["null", "1.5", "\"\"", "[1]", "true", "18446744073709551616"])
  func ids(_ id: String) {
    #expect(throws: TableRequest.Refusal.self) {
      try TableRequest(Array("{\"type\":\"games\",\"id\":\(id)}".utf8))
    }
  }

  @Test(
    "What is no request",
    arguments: [
      "", "nonsense", "[]", "1", "{}", "{\"id\":1}", "{\"id\":1,\"id\":1,\"type\":\"games\"}",
      "{\"id\":1,\"type\":\"perform\"}", "{\"id\":1,\"type\":1}", "{\"id\":1,\"type\":\"games\"",
    ])
  func others(_ text: String) {
    let error = #expect(throws: TableRequest.Refusal.self) { try TableRequest(Array(text.utf8)) }
    #expect(error?.words.isEmpty == false)
  }

  @Test func depthAndBytesThatAreNoText() {
    for text in [
      Array(String(repeating: "{\"id\":", count: 680).utf8), [0xFF, 0xFE], [0x7B, 0x22, 0x00, 0x22],
    ] {
      #expect(throws: TableRequest.Refusal.self) { try TableRequest(text) }
    }
  }
}

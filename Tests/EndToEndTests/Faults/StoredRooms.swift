import Foundation
import Testing

/// The rooms of a data folder as the program lists them, for comparison with what it said before.
struct StoredRooms {
  /// An event, in the order of arrival.
  struct Entry {
    let kind: String
    let words: String
  }

  struct Room {
    let id: String
    let tournament: String?
    let entries: [Entry]
  }

  let rooms: [Room]

  init(_ home: TemporaryFolder, data: String = "data") throws {
    rooms = try Self.read(home, data, "log", "list", "--all").map { listed in
      let id = try #require(listed["id"] as? String)
      let entries = try Self.read(home, data, "log", "show", id).map { event in
        Entry(
          kind: try #require(event["kind"] as? String), words: try #require(event["words"] as? String))
      }
      return Room(id: id, tournament: listed["tournament"] as? String, entries: entries)
    }
  }

  private static func read(_ home: TemporaryFolder, _ data: String, _ words: String...) throws -> [[String:
    Any]]
  {
    let run = try Program.start(words + ["--json", "--data", data], home: home).finish()
    if run.status == 66 { return [] }
    try #require(run.status == 0, "\(words): \(run.errors)")
    return try run.objects()
  }

  /// How many events of which rooms a line of output acknowledges; more than there are when one is missing.
  func promised(by line: String) throws -> [(room: String, events: Int)] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let object = try #require(value as? [String: Any], "\(line)")
    let room = object["room"] as? String ?? ""
    switch object["type"] as? String {
    case "position", "waiting":
      let moves = try #require(object["moves"] as? [Any]).count
      return [(room, moves == 0 ? upTo(1, "start", in: room) : upTo(moves, "move", in: room))]
    case "game" where object["scores"] == nil: return [(room, upTo(1, "start", in: room))]
    case "game": return [(room, upTo(1, "result", in: room))]
    case "result": return [(room, upTo(1, "result", in: room))]
    case "decided":
      let tournament = rooms.first { $0.id == room }?.tournament ?? "the tournament"
      let result = upTo(1, "pairing-result", naming: "room \(room.prefix(10)):", in: tournament)
      return [(room, upTo(1, "result", in: room)), (tournament, result)]
    case "finished":
      guard let tournament = object["id"] as? String else { return [] }
      let known = rooms.filter { $0.id == tournament || $0.tournament == tournament }
      return known.isEmpty ? [(tournament, 1)] : known.map { ($0.id, $0.entries.count) }
    case "identity": return []
    case let other:
      Issue.record("a line of an unknown type \(other ?? "")")
      return []
    }
  }

  /// How many events stand in a room up to this one; more than any room has when it is not there.
  private func upTo(_ count: Int, _ kind: String, naming words: String = "", in room: String) -> Int {
    let entries = rooms.first { $0.id == room }?.entries ?? []
    let places = entries.indices.filter {
      entries[$0].kind == kind && (words.isEmpty || entries[$0].words.contains(words))
    }
    guard count <= places.count else { return Int(Int32.max) }
    // A game that is over is signed by both players, or by one for all games of the room, in one commit.
    return kind == "result" ? entries.count : places[count - 1] + 1
  }

  /// How many events of a room there are.
  func count(_ room: String) -> Int { rooms.first { $0.id == room }?.entries.count ?? 0 }
}

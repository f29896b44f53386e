internal import Events
internal import JSON

/// What a client that follows a table is told of its events.
struct Followed {
  /// How many it had been told, and has been told then.
  var (start, end): (Int, Int)
  var messages: [[UInt8]]

  /// The most events of a room that is followed from its beginning, and of a message.
  private static let (limitFollowed, limitPiece) = (8_192, 64)

  /// - Parameters:
  ///   - start: how many events it was told.
  ///   - entries: those behind them.
  init(_ room: RoomID, from start: Int, _ entries: [(event: Event, signature: Signature?)]) {
    guard start > 0 || entries.count <= Self.limitFollowed else {
      (self.start, end) = (start, start)
      messages = [Self.tooMany(room, entries.count)]
      return
    }
    (self.start, end) = (start, start + entries.count)
    messages = stride(from: 0, to: entries.count, by: Self.limitPiece).map { first in
      Self.message(room, entries[first...].prefix(Self.limitPiece))
    }
  }

  private static func message(
    _ room: RoomID, _ entries: ArraySlice<(event: Event, signature: Signature?)>
  ) -> [UInt8] {
    let events: [JSONValue] = entries.map { entry in
      var body: [UInt8] = []
      entry.event.append(to: &body, withID: false)
      return [
        "event": .string(body.hex), "signature": .optional(entry.signature.map { $0.bytes.hex }),
      ]
    }
    return message("events", room, JSONMember("events", .array(events)))
  }

  private static func tooMany(_ room: RoomID, _ count: Int) -> [UInt8] {
    let words = "the room has \(count) events, and at most \(limitFollowed) are told"
    return message("not-followed", room, JSONMember("words", .string(words)))
  }

  private static func message(_ type: String, _ room: RoomID, _ member: JSONMember) -> [UInt8] {
    let members = [JSONMember("type", .string(type)), JSONMember("room", .string(room.description)), member]
    return Array(JSONLine(members).text.utf8)
  }
}

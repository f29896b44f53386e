/// What every body begins with (Docs/PROTOCOL.md §3), read without taking the payload apart.
///
/// Reading one checks the form of everything but the payload: the length, the order of the parents, and that
/// the place in the feed fits the kind.
package struct EventHeader: Sendable {
  /// Where the list of parents starts in a body.
  private static let parentsOffset = 115

  /// What the event does.
  package let kind: Kind
  /// The room; zero in a `create`.
  package let room: RoomID
  /// Who wrote it.
  package let author: PeerID
  /// Its place in the author's feed of this room, from 1.
  package let sequence: UInt64
  /// The author's event before this one; zero for the first.
  package let previous: EventID
  /// Milliseconds since 1970 by the author's clock, for people to read.
  package let wallTime: UInt64
  /// How many parents it names.
  package let parentCount: Int

  /// Reads the header of a body that ends where the bytes end.
  /// - Parameter offset: where the body starts.
  package init(_ bytes: [UInt8], from start: Int = 0) throws(FormatError) {
    let count = bytes.count - start
    guard count <= Event.limitBytes else { throw .tooLong(count, limit: Event.limitBytes) }
    var reader = ByteReader(bytes, from: start)
    let version: UInt8 = try reader.integer()
    guard version == 1 else { throw .badField("event version \(version)", at: 0) }
    let code: UInt8 = try reader.integer()
    guard let kind = Kind(rawValue: code) else { throw .badField("event kind \(code)", at: 1) }
    self.kind = kind
    room = try reader.identifier()
    author = try reader.identifier()
    sequence = try reader.integer()
    previous = try reader.identifier()
    wallTime = try reader.integer()
    parentCount = Int(try reader.integer(UInt8.self))
    guard parentCount <= Event.limitParents else {
      throw .badField("\(parentCount) parents", at: Self.parentsOffset - 1)
    }
    try Self.checkParents(&reader, count: parentCount, previous: previous, from: start)
    let payload: UInt16 = try reader.integer()
    guard reader.remaining == Int(payload) else {
      throw reader.remaining < Int(payload)
        ? .truncated(at: count) : .trailing(at: reader.offset - start + Int(payload))
    }
    try checkPlace()
  }

  /// Where the payload starts, counted from the body's start.
  package var payloadOffset: Int { Self.parentsOffset + 32 * parentCount + 2 }

  /// The parents that a body with this header names, ascending.
  package func parents(in bytes: [UInt8], from start: Int = 0) -> [EventID] {
    (0..<parentCount).map { parent($0, in: bytes, from: start) }
  }

  /// One of the parents, counted from 0.
  package func parent(_ index: Int, in bytes: [UInt8], from start: Int = 0) -> EventID {
    EventID(Bytes32(bytes, at: start + Self.parentsOffset + 32 * index))
  }

  private static func checkParents(
    _ reader: inout ByteReader, count: Int, previous: EventID, from start: Int
  ) throws(FormatError) {
    var last = EventID.none
    for _ in 0..<count {
      let at = reader.offset - start
      let parent: EventID = try reader.identifier()
      guard last < parent, parent != previous else {
        throw .badField("parents must ascend, differ from the previous event and not be zero", at: at)
      }
      last = parent
    }
  }

  private func checkPlace() throws(FormatError) {
    guard sequence >= 1, sequence <= UInt64(Int64.max) else {
      throw .badField("sequence \(sequence)", at: 66)
    }
    guard (sequence == 1) == !previous.isSome else {
      throw .badField("only the first event of a feed has no previous", at: 74)
    }
    guard (kind == .create) == !room.isSome else {
      throw .badField("only a create event has no room", at: 2)
    }
    guard kind != .create || (sequence == 1 && parentCount == 0) else {
      throw .badField("a create event is the first of its feed and has no parents", at: 66)
    }
  }
}

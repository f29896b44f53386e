/// What every body begins with (Docs/PROTOCOL.md §3), read without taking the payload apart.
///
/// Reading one checks the form of everything but the payload: the length, the order of the parents, and that
/// the place in the feed fits the kind.
///
/// The ids and keys stay in the bytes; they are read from there by who needs them.
package struct EventHeader: Sendable {
  // Where the fields start in a body.
  static let roomOffset = 2
  static let authorOffset = 34
  static let previousOffset = 74
  static let parentsOffset = 115

  /// What the event does.
  package let kind: Kind
  /// How many parents it names.
  private let parents: UInt8
  /// Its place in the author's feed of this room, from 1.
  package let sequence: UInt64
  /// Milliseconds since 1970 by the author's clock, for people to read.
  package let wallTime: UInt64

  /// Reads the header of a body that starts where the reader is and ends where its bytes end; the reader then is
  /// at the payload.
  package init(_ reader: inout ByteReader) throws(FormatError) {
    let start = reader.offset
    let count = reader.remaining
    guard count <= Event.limitBytes else { throw .tooLong(count, limit: Event.limitBytes) }
    let version: UInt8 = try reader.integer()
    guard version == 1 else { throw .badField("event version \(version)", at: 0) }
    let code: UInt8 = try reader.integer()
    guard let kind = Kind(rawValue: code) else { throw .badField("event kind \(code)", at: 1) }
    self.kind = kind
    let room: RoomID = try reader.identifier()
    _ = try reader.identifier(PeerID.self)
    sequence = try reader.integer()
    let previous: EventID = try reader.identifier()
    wallTime = try reader.integer()
    parents = try reader.integer()
    guard parents <= Event.limitParents else {
      throw .badField("\(parents) parents", at: Self.parentsOffset - 1)
    }
    try Self.checkParents(&reader, count: Int(parents), previous: previous, from: start)
    let payload: UInt16 = try reader.integer()
    guard reader.remaining == Int(payload) else {
      throw reader.remaining < Int(payload)
        ? .truncated(at: count) : .trailing(at: reader.offset - start + Int(payload))
    }
    try checkPlace(room: room, previous: previous)
  }

  /// The header of a new event, whose parents ascend.
  init(
    _ kind: Kind, room: RoomID, sequence: UInt64, previous: EventID, wallTime: UInt64, parents: [EventID]
  ) throws(FormatError) {
    guard parents.count <= Event.limitParents else {
      throw .badField("\(parents.count) parents", at: Self.parentsOffset - 1)
    }
    self.kind = kind
    self.parents = UInt8(parents.count)
    self.sequence = sequence
    self.wallTime = wallTime
    var last = EventID.none
    for (index, parent) in parents.enumerated() {
      try Self.checkParent(parent, after: last, previous: previous, at: Self.parentsOffset + 32 * index)
      last = parent
    }
    try checkPlace(room: room, previous: previous)
  }

  /// Writes the header, as far as the length of the payload.
  func encode(
    to body: inout BodyWriter, room: RoomID, author: PeerID, previous: EventID, parents: [EventID]
  ) {
    body.append(1)
    body.append(kind.rawValue)
    body.append(room)
    body.append(author)
    body.append(bigEndian: sequence)
    body.append(previous)
    body.append(bigEndian: wallTime)
    body.append(self.parents)
    for parent in parents { body.append(parent) }
  }

  /// How many parents it names.
  package var parentCount: Int { Int(parents) }

  /// The room of a body; zero in a `create`.
  static func room(in body: RawSpan) -> RoomID { RoomID(Bytes32(body, at: roomOffset)) }

  /// Who wrote a body.
  static func author(in body: RawSpan) -> PeerID { PeerID(Bytes32(body, at: authorOffset)) }

  /// The author's event before; zero for the first.
  static func previous(in body: RawSpan) -> EventID { EventID(Bytes32(body, at: previousOffset)) }

  /// One of the parents, which ascend, counted from 0.
  static func parent(_ index: Int, in body: RawSpan) -> EventID {
    EventID(Bytes32(body, at: parentsOffset + 32 * index))
  }

  private static func checkParents(
    _ reader: inout ByteReader, count: Int, previous: EventID, from start: Int
  ) throws(FormatError) {
    var last = EventID.none
    for _ in 0..<count {
      let at = reader.offset - start
      let parent: EventID = try reader.identifier()
      try checkParent(parent, after: last, previous: previous, at: at)
      last = parent
    }
  }

  private static func checkParent(
    _ parent: EventID, after last: EventID, previous: EventID, at offset: Int
  ) throws(FormatError) {
    guard last < parent, parent != previous else {
      throw .badField("parents must ascend, differ from the previous event and not be zero", at: offset)
    }
  }

  private func checkPlace(room: RoomID, previous: EventID) throws(FormatError) {
    guard sequence >= 1, sequence <= UInt64(Int64.max) else {
      throw .badField("sequence \(sequence)", at: 66)
    }
    guard (sequence == 1) == !previous.isSome else {
      throw .badField("only the first event of a feed has no previous", at: 74)
    }
    guard (kind == .create) == !room.isSome else {
      throw .badField("only a create event has no room", at: 2)
    }
    guard kind != .create || (sequence == 1 && parents == 0) else {
      throw .badField("a create event is the first of its feed and has no parents", at: 66)
    }
  }
}

/// What every body begins with (Docs/PROTOCOL.md §3), read without taking the payload apart.
///
/// Reading one checks the form of everything but the payload: the length, the order of the parents, and that
/// the place in the feed fits the kind.
///
/// The ids and keys stay in the bytes; they are read from there by who needs them.
package struct EventHeader: BitwiseCopyable, Sendable {
  // Where the fields start in a body.
  static var roomOffset: Int { 2 }
  static var authorOffset: Int { 34 }
  static var sequenceOffset: Int { 66 }
  static var previousOffset: Int { 74 }
  static var wallTimeOffset: Int { 106 }
  static var parentsOffset: Int { 115 }

  /// The number of the event's kind, known here or not.
  package let code: UInt8
  /// How many parents it names.
  private let parents: UInt8
  /// Its place in the author's feed of this room, from 1.
  package let sequence: UInt64
  /// Milliseconds since 1970 by the author's clock, for people to read.
  package let wallTime: UInt64

  /// Reads the header of a body.
  ///
  /// It is read for each event of every replay, so lengths are checked once for all fields that they hold.
  @inline(__always)
  init(_ body: RawSpan) throws(FormatError) {
    let count = body.byteCount
    guard count <= Event.limitBytes else { throw .tooLong(count, limit: Event.limitBytes) }
    guard count >= Self.parentsOffset else { throw .truncated(at: Self.lastField(before: count)) }
    guard body.byte(at: 0) == Event.version else {
      throw .badField("event version \(body.byte(at: 0))", at: 0)
    }
    code = body.byte(at: 1)
    sequence = body.number(at: Self.sequenceOffset)
    wallTime = body.number(at: Self.wallTimeOffset)
    parents = body.byte(at: Self.parentsOffset - 1)
    guard parents <= Event.limitParents else {
      throw .badField("\(parents) parents", at: Self.parentsOffset - 1)
    }
    guard count >= payloadOffset else { throw .truncated(at: Self.lastField(before: count)) }
    let previous = Self.previous(in: body)
    try Self.checkParents(of: body, count: parentCount, previous: previous)
    let payloadBytes = Int(body.number(at: payloadOffset - 2) as UInt16)
    guard count - payloadOffset == payloadBytes else {
      throw count - payloadOffset < payloadBytes
        ? .truncated(at: count) : .trailing(at: payloadOffset + payloadBytes)
    }
    try checkPlace(hasRoom: Self.room(in: body).isSome, hasPrevious: previous.isSome)
  }

  /// The header of a new event, whose parents ascend.
  init(
    _ code: UInt8, room: RoomID, sequence: UInt64, previous: EventID, wallTime: UInt64, parents: [EventID]
  ) throws(FormatError) {
    guard parents.count <= Event.limitParents else {
      throw .badField("\(parents.count) parents", at: Self.parentsOffset - 1)
    }
    self.code = code
    self.parents = UInt8(parents.count)
    self.sequence = sequence
    self.wallTime = wallTime
    var last = EventID.none
    for (index, parent) in parents.enumerated() {
      try Self.checkParent(parent, after: last, previous: previous, at: Self.parentsOffset + 32 * index)
      last = parent
    }
    try checkPlace(hasRoom: room.isSome, hasPrevious: previous.isSome)
  }

  /// Writes the header, as far as the length of the payload.
  func encode(
    to body: inout BodyWriter, room: RoomID, author: PeerID, previous: EventID, parents: [EventID]
  ) {
    body.append(Event.version)
    body.append(code)
    body.append(room)
    body.append(author)
    body.append(bigEndian: sequence)
    body.append(previous)
    body.append(bigEndian: wallTime)
    body.append(self.parents)
    for parent in parents { body.append(parent) }
  }

  /// Whether it opens a room.
  @inline(__always) package var isCreate: Bool { code == Kind.create.rawValue }

  /// How many parents it names.
  @inline(__always) package var parentCount: Int { Int(parents) }

  /// Where the payload starts in the body, behind its length.
  @inline(__always) var payloadOffset: Int { Self.parentsOffset + 32 * parentCount + 2 }

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

  /// Where the last field begins of which so many bytes may have something.
  private static func lastField(before count: Int) -> Int {
    let offsets = [
      0, 1, roomOffset, authorOffset, sequenceOffset, previousOffset, wallTimeOffset, parentsOffset - 1,
    ]
    return count < parentsOffset ? offsets.last { $0 <= count } ?? 0 : count - (count - parentsOffset) % 32
  }

  @inline(__always)
  private static func checkParents(
    of body: RawSpan, count: Int, previous: EventID
  ) throws(FormatError) {
    var last = EventID.none
    for index in 0..<count {
      let parent = parent(index, in: body)
      try checkParent(parent, after: last, previous: previous, at: parentsOffset + 32 * index)
      last = parent
    }
  }

  @inline(__always)
  private static func checkParent(
    _ parent: EventID, after last: EventID, previous: EventID, at offset: Int
  ) throws(FormatError) {
    guard last < parent, parent != previous else {
      throw .badField("parents must ascend, differ from the previous event and not be zero", at: offset)
    }
  }

  @inline(__always)
  private func checkPlace(hasRoom: Bool, hasPrevious: Bool) throws(FormatError) {
    guard sequence >= 1, sequence <= UInt64(Int64.max) else {
      throw .badField("sequence \(sequence)", at: 66)
    }
    guard (sequence == 1) != hasPrevious else {
      throw .badField("only the first event of a feed has no previous", at: 74)
    }
    guard isCreate != hasRoom else {
      throw .badField("only a create event has no room", at: 2)
    }
    guard !isCreate || (sequence == 1 && parents == 0) else {
      throw .badField("a create event is the first of its feed and has no parents", at: 66)
    }
  }
}

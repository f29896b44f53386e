/// One entry of a feed: its canonical body, the body's id, and the fields read from it.
///
/// An event is immutable. It is made by `author`ing a new one or by decoding bytes; both ways end in the same
/// checks, so an `Event` that exists is in canonical form. Its signature is kept apart from it.
public struct Event: Hashable, Sendable, Identifiable {
  /// The longest body, in bytes.
  public static let limitBytes = 8_192
  /// The most parents.
  public static let limitParents = 32
  /// Where the list of parents starts in a body.
  private static let parentsOffset = 115

  /// The hash that names the event.
  public let id: EventID
  /// The body, as it travels and is stored.
  public let body: [UInt8]
  /// What the event does.
  public let kind: Kind
  /// The room; for a `create` the event's own id.
  public let room: RoomID
  /// Who wrote it.
  public let author: PeerID
  /// Its place in the author's feed of this room, from 1.
  public let sequence: UInt64
  /// The author's event before this one.
  public let previous: EventID
  /// Milliseconds since 1970 by the author's clock, for people to read.
  public let wallTime: UInt64
  /// Events of other feeds that the author had newly seen, ascending.
  public let parents: [EventID]
  /// What the payload says.
  public let action: Action

  /// Events are equal when their ids are.
  public static func == (a: Event, b: Event) -> Bool { a.id == b.id }
  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Reads a body and computes its id.
  package init(body: [UInt8], hasher: EventHasher) throws(FormatError) {
    try self.init(body: body, id: hasher.id(ofBody: body))
  }

  /// Reads a body whose id is known from a store that this program wrote.
  package init(body: [UInt8], id: EventID) throws(FormatError) {
    guard body.count <= Self.limitBytes else { throw .tooLong(body.count, limit: Self.limitBytes) }
    var reader = ByteReader(body)
    let version: UInt8 = try reader.integer()
    guard version == 1 else { throw .badField("event version \(version)", at: 0) }
    let code: UInt8 = try reader.integer()
    guard let kind = Kind(rawValue: code) else { throw .badField("event kind \(code)", at: 1) }
    let room: RoomID = try reader.identifier()
    author = try reader.identifier()
    sequence = try reader.integer()
    previous = try reader.identifier()
    wallTime = try reader.integer()
    parents = try Self.parents(&reader, previous: previous)
    let count: UInt16 = try reader.integer()
    guard reader.remaining == Int(count) else {
      throw reader.remaining < Int(count)
        ? .truncated(at: body.count) : .trailing(at: reader.offset + Int(count))
    }
    action = try Action(kind: kind, reader: &reader)
    try reader.end()
    try Self.checkPlace(kind: kind, room: room, sequence: sequence, previous: previous, parents: parents)
    self.id = id
    self.body = body
    self.kind = kind
    self.room = kind == .create ? id : room
  }

  /// Writes a new event.
  /// - Parameters:
  ///   - room: the room; ignored for a `create`, whose room is its own id.
  ///   - parents: ids of other feeds' events in any order, at most 32.
  package static func author(
    _ action: Action, room: RoomID, author: PeerID, sequence: UInt64, previous: EventID, parents: [EventID],
    wallTime: UInt64, hasher: EventHasher
  ) throws(FormatError) -> Event {
    var body: [UInt8] = []
    body.reserveCapacity(256)
    body.append(1)
    body.append(action.kind.rawValue)
    body.append(action.kind == .create ? .none : room)
    body.append(author)
    body.append(bigEndian: sequence)
    body.append(previous)
    body.append(bigEndian: wallTime)
    guard parents.count <= limitParents else { throw .badField("\(parents.count) parents", at: 114) }
    body.append(UInt8(parents.count))
    for parent in parents.sorted() { body.append(parent) }
    let lengthAt = body.count
    body.append(bigEndian: UInt16(0))
    action.encode(to: &body)
    let count = body.count - lengthAt - 2
    guard body.count <= limitBytes else { throw .tooLong(body.count, limit: limitBytes) }
    body[lengthAt] = UInt8(truncatingIfNeeded: count >> 8)
    body[lengthAt + 1] = UInt8(truncatingIfNeeded: count)
    let event = try Event(body: body, hasher: hasher)
    guard event.action == action else {
      throw .badField("what is to be written is over a limit of the format", at: lengthAt + 2)
    }
    return event
  }

  private static func parents(
    _ reader: inout ByteReader, previous: EventID
  ) throws(FormatError) -> [EventID] {
    let count: UInt8 = try reader.integer()
    guard count <= limitParents else { throw .badField("\(count) parents", at: reader.offset - 1) }
    guard count > 0 else { return [] }
    var parents: [EventID] = []
    parents.reserveCapacity(Int(count))
    var last = EventID.none
    for _ in 0..<count {
      let at = reader.offset
      let parent: EventID = try reader.identifier()
      guard last < parent, parent != previous else {
        throw .badField("parents must ascend, differ from the previous event and not be zero", at: at)
      }
      parents.append(parent)
      last = parent
    }
    return parents
  }

  private static func checkPlace(
    kind: Kind, room: RoomID, sequence: UInt64, previous: EventID, parents: [EventID]
  ) throws(FormatError) {
    guard sequence >= 1, sequence <= UInt64(Int64.max) else {
      throw .badField("sequence \(sequence)", at: 66)
    }
    guard (sequence == 1) == !previous.isSome else {
      throw .badField("only the first event of a feed has no previous", at: 74)
    }
    guard (kind == .create) == !room.isSome else {
      throw .badField("only a create event has no room", at: 2)
    }
    guard kind != .create || (sequence == 1 && parents.isEmpty) else {
      throw .badField("a create event is the first of its feed and has no parents", at: 66)
    }
  }
}

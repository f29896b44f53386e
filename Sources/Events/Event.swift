/// One entry of a feed: its canonical body, the body's id, and the fields read from it.
///
/// An event is immutable. It is made by `author`ing a new one or by decoding bytes; both ways end in the same
/// checks, so an `Event` that exists is in canonical form. Its signature is kept apart from it.
public struct Event: Hashable, Sendable, Identifiable {
  /// The longest body, in bytes.
  public static let limitBytes = 8_192
  /// The most parents.
  public static let limitParents = 32

  // One reference, so that passing an event on costs one count.
  private let content: Content

  private final class Content: Sendable {
    let id: EventID
    let body: [UInt8]
    let header: EventHeader
    let parents: [EventID]
    let action: Action

    init(id: EventID, body: [UInt8], header: EventHeader, parents: [EventID], action: Action) {
      self.id = id
      self.body = body
      self.header = header
      self.parents = parents
      self.action = action
    }

    /// The 32 bytes of the body from `offset`.
    func field(_ offset: Int) -> Bytes32 { Bytes32(body, at: offset) }
  }

  /// The hash that names the event.
  public var id: EventID { content.id }
  /// The body, as it travels and is stored.
  public var body: [UInt8] { content.body }
  /// What the event does.
  public var kind: Kind { content.header.kind }
  /// The room; for a `create` the event's own id.
  public var room: RoomID { kind == .create ? content.id : RoomID(content.field(EventHeader.roomOffset)) }
  /// Who wrote it.
  public var author: PeerID { PeerID(content.field(EventHeader.authorOffset)) }
  /// Its place in the author's feed of this room, from 1.
  public var sequence: UInt64 { content.header.sequence }
  /// The author's event before this one.
  public var previous: EventID { EventID(content.field(EventHeader.previousOffset)) }
  /// Milliseconds since 1970 by the author's clock, for people to read.
  public var wallTime: UInt64 { content.header.wallTime }
  /// Events of other feeds that the author had newly seen, ascending.
  public var parents: [EventID] { content.parents }
  /// What the payload says.
  public var action: Action { content.action }

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
    var reader = ByteReader(body)
    let header = try EventHeader(&reader)
    let parents = (0..<header.parentCount).map { EventHeader.parent($0, in: body.rawSpan) }
    let action = try Action(kind: header.kind, reader: &reader)
    try reader.end()
    self.init(id: id, body: body, header: header, parents: parents, action: action)
  }

  /// An event whose parts were read from its body.
  init(id: EventID, body: [UInt8], header: EventHeader, parents: [EventID], action: Action) {
    content = Content(id: id, body: body, header: header, parents: parents, action: action)
  }

  var header: EventHeader { content.header }

  /// Writes a new event.
  /// - Parameters:
  ///   - room: the room; ignored for a `create`, whose room is its own id.
  ///   - parents: ids of other feeds' events in any order, at most 32.
  package static func author(
    _ action: Action, room: RoomID, author: PeerID, sequence: UInt64, previous: EventID, parents: [EventID],
    wallTime: UInt64, hasher: EventHasher
  ) throws(FormatError) -> Event {
    guard parents.count <= limitParents else { throw .badField("\(parents.count) parents", at: 114) }
    var body: [UInt8] = []
    body.reserveCapacity(256)
    body.append(1)
    body.append(action.kind.rawValue)
    body.append(action.kind == .create ? .none : room)
    body.append(author)
    body.append(bigEndian: sequence)
    body.append(previous)
    body.append(bigEndian: wallTime)
    body.append(UInt8(parents.count))
    let parents = parents.count > 1 ? parents.sorted() : parents
    for parent in parents { body.append(parent) }
    let lengthAt = body.count
    body.append(bigEndian: UInt16(0))
    action.encode(to: &body)
    let count = body.count - lengthAt - 2
    guard body.count <= limitBytes else { throw .tooLong(body.count, limit: limitBytes) }
    body[lengthAt] = UInt8(truncatingIfNeeded: count >> 8)
    body[lengthAt + 1] = UInt8(truncatingIfNeeded: count)
    let id = hasher.id(ofBody: body)
    if action.kind.hasFixedLength {
      var reader = ByteReader(body)
      return Event(id: id, body: body, header: try EventHeader(&reader), parents: parents, action: action)
    }
    let event = try Event(body: body, id: id)
    guard event.action == action else {
      throw .badField("what is to be written is over a limit of the format", at: lengthAt + 2)
    }
    return event
  }
}

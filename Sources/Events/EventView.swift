/// An event where it lies among other bytes, checked but not yet a value of its own.
///
/// Whoever goes through many stored events and keeps few of them reads views: a view lies in the bytes that it
/// was read from, which outlive it. Its fields are read from there by who asks for them, and `event` copies the
/// body out.
package struct EventView: ~Escapable, BitwiseCopyable, Sendable {
  /// The hash that names the event.
  package let id: EventID
  /// The body's fixed part.
  package let header: EventHeader
  private let body: RawSpan
  /// What the event does; `nil` when its kind is not known here, or its payload cannot be read.
  package let kind: Kind?

  /// Reads a body and checks that its header is in canonical form, and looks whether its payload can be read.
  /// - Parameter bytes: what somebody says is the body's hash, and behind it the body.
  @_lifetime(copy bytes)
  package init(idAndBody bytes: RawSpan) throws(FormatError) {
    guard bytes.byteCount >= 32 else { throw .truncated(at: 0) }
    let body = bytes.extracting(droppingFirst: 32)
    let header = try EventHeader(body)
    kind =
      header.code == Kind.move.rawValue
      ? Move.isReadable(in: body, from: header.payloadOffset) ? .move : nil
      : try Action(of: header, in: body).kind
    self.header = header
    self.body = body
    id = EventID(Bytes32(bytes, at: 0))
  }

  /// The same of an array that stays as it is meanwhile.
  @_lifetime(borrow bytes)
  package init(idAndBody bytes: borrowing [UInt8]) throws(FormatError) {
    try self.init(idAndBody: bytes.rawSpan)
  }

  /// A view of an event.
  @_lifetime(borrow event)
  package init(_ event: borrowing Event) {
    id = event.id
    header = event.header
    body = event.bodySpan
    kind = event.kind
  }

  /// The room; for a `create` the event's own id.
  package var room: RoomID { header.isCreate ? id : EventHeader.room(in: body) }
  /// Who wrote it.
  package var author: PeerID { EventHeader.author(in: body) }
  /// The author's event before this one; zero for the first.
  package var previous: EventID { EventHeader.previous(in: body) }
  /// How long the body is.
  package var bodyBytes: Int { body.byteCount }

  /// One of the parents, counted from 0.
  package func parent(_ index: Int) -> EventID { EventHeader.parent(index, in: body) }

  // To compare a field where it lies is quicker than to take it out.

  /// Whether it is an event of this room.
  @inline(__always)
  func isOf(_ room: RoomID) -> Bool {
    header.isCreate ? id == room : body.holds(room, at: EventHeader.roomOffset)
  }

  /// Whether this is who wrote it.
  @inline(__always)
  func isWritten(by author: PeerID) -> Bool { body.holds(author, at: EventHeader.authorOffset) }

  /// Whether this is its author's event before.
  @inline(__always)
  func isNext(to id: EventID) -> Bool { body.holds(id, at: EventHeader.previousOffset) }

  /// Whether this is one of the parents, counted from 0.
  @inline(__always)
  func isParent(_ index: Int, _ id: EventID) -> Bool {
    body.holds(id, at: EventHeader.parentsOffset &+ 32 &* index)
  }

  /// Whether the id is the body's hash.
  package func isHashed(by hasher: EventHasher) -> Bool { hasher.id(ofBody: body) == id }

  /// The move that stands on this node as this ply of this game; `nil` for another move or kind.
  package func move(on node: EventID, game: Int, ply: Int) -> Move? {
    let at = header.payloadOffset
    guard kind == .move, body.holds(node, at: at + Action.Step.nodeOffset),
      Int(body.number(at: at) as UInt16) == game,
      Int(body.number(at: at + Action.Step.plyOffset) as UInt16) == ply
    else { return nil }
    var payload = ByteReader(body, from: at + Action.Step.bytes)
    do throws(FormatError) { return try Move(&payload) } catch { unreadable(error) }
  }

  /// What the payload says.
  package var action: Action {
    do throws(FormatError) { return try Action(of: header, in: body) } catch { unreadable(error) }
  }

  /// The event.
  package var event: Event {
    Event(id: id, body: body, header, action)
  }

  private func unreadable(_ error: FormatError) -> Never {
    preconditionFailure("the payload of event \(id), which was checked, changed: \(error)")
  }
}

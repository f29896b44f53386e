/// An event where it lies among other bytes, read but not yet a value of its own.
///
/// Whoever goes through many stored events and keeps few of them reads views: a view lies in the bytes that it
/// was read from, which outlive it, and `event` copies the body out.
package struct EventView: ~Copyable, ~Escapable, Sendable {
  /// The hash that names the event.
  package let id: EventID
  /// The body's fixed part.
  package let header: EventHeader
  /// What the payload says.
  package let action: Action
  private let body: RawSpan

  /// Reads a body; `id` is what somebody says its hash is.
  @_lifetime(copy body)
  package init(id: EventID, body: RawSpan) throws(FormatError) {
    var reader = ByteReader(body)
    let header = try EventHeader(&reader)
    let action = try Action(kind: header.kind, reader: &reader)
    try reader.end()
    self.header = header
    self.action = action
    self.id = id
    self.body = body
  }

  /// A view of an event.
  @_lifetime(borrow event)
  package init(_ event: borrowing Event) {
    id = event.id
    header = event.header
    action = event.action
    body = event.bodySpan
  }

  /// The room; for a `create` the event's own id.
  package var room: RoomID { header.kind == .create ? id : EventHeader.room(in: body) }
  /// Who wrote it.
  package var author: PeerID { EventHeader.author(in: body) }
  /// The author's event before this one; zero for the first.
  package var previous: EventID { EventHeader.previous(in: body) }
  /// How long the body is.
  package var bodyBytes: Int { body.byteCount }

  /// One of the parents, counted from 0.
  package func parent(_ index: Int) -> EventID { EventHeader.parent(index, in: body) }

  /// Whether the event names this one as its previous or among its parents.
  package func follows(_ id: EventID) -> Bool {
    if previous == id { return true }
    for index in 0..<header.parentCount where parent(index) == id { return true }
    return false
  }

  /// Whether the id is the body's hash.
  package func isHashed(by hasher: EventHasher) -> Bool { hasher.id(ofBody: body) == id }

  /// The event.
  package var event: Event {
    Event(id: id, body: body, header, action)
  }
}

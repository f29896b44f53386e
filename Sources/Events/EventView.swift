/// An event where it lies among other bytes, read but not yet a value of its own.
///
/// Whoever goes through many stored events and keeps few of them reads views: a view shares the bytes that it
/// was read from, and `event()` copies the body out.
package struct EventView: ~Copyable, Sendable {
  /// The hash that names the event.
  package let id: EventID
  /// The body's fixed part.
  package let header: EventHeader
  /// What the payload says.
  package let action: Action
  private let bytes: [UInt8]
  private let start: Int

  /// Reads a body that goes from `start` to the end of the bytes; `id` is what somebody says its hash is.
  package init(id: EventID, bytes: [UInt8], bodyFrom start: Int) throws(FormatError) {
    var reader = ByteReader(bytes, from: start)
    let header = try EventHeader(&reader)
    let action = try Action(kind: header.kind, reader: &reader)
    try reader.end()
    self.header = header
    self.action = action
    self.id = id
    self.bytes = bytes
    self.start = start
  }

  /// A view of an event.
  package init(_ event: Event) {
    id = event.id
    header = event.header
    action = event.action
    bytes = event.body
    start = 0
  }

  /// The room; for a `create` the event's own id.
  package var room: RoomID { header.kind == .create ? id : EventHeader.room(in: bytes, from: start) }
  /// Who wrote it.
  package var author: PeerID { EventHeader.author(in: bytes, from: start) }
  /// The author's event before this one; zero for the first.
  package var previous: EventID { EventHeader.previous(in: bytes, from: start) }
  /// How long the body is.
  package var bodyBytes: Int { bytes.count - start }

  /// One of the parents, counted from 0.
  package func parent(_ index: Int) -> EventID { EventHeader.parent(index, in: bytes, from: start) }

  /// Whether the event names this one as its previous or among its parents.
  package func follows(_ id: EventID) -> Bool {
    previous == id || (0..<header.parentCount).contains { parent($0) == id }
  }

  /// Whether the id is the body's hash.
  package func isHashed(by hasher: EventHasher) -> Bool { hasher.id(ofBody: bytes, from: start) == id }

  /// The event.
  package var event: Event {
    // SAFETY: `start` is inside of the array, which lives during the call.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe Event(id: id, body: UnsafeRawBufferPointer(rebasing: bytes[start...]), header, action)
    }
  }
}

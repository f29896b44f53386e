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

  /// Reads a body and checks that it is in canonical form, payload included.
  /// - Parameter bytes: what somebody says is the body's hash, and behind it the body.
  @_lifetime(copy bytes)
  package init(idAndBody bytes: RawSpan) throws(FormatError) {
    guard bytes.byteCount >= 32 else { throw .truncated(at: 0) }
    let body = bytes.extracting(droppingFirst: 32)
    let header = try EventHeader(body)
    var payload = ByteReader(body, from: header.payloadOffset)
    if header.kind == .move {
      _ = (try Action.Step(&payload), try Move(&payload))
    } else {
      _ = try Action(kind: header.kind, reader: &payload)
    }
    try payload.end()
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

  /// Whether the id is the body's hash.
  package func isHashed(by hasher: EventHasher) -> Bool { hasher.id(ofBody: body) == id }

  /// The move that stands on this node as this ply of this game; `nil` for another move or kind.
  package func move(on node: EventID, game: Int, ply: Int) -> Move? {
    guard header.kind == .move else { return nil }
    var payload = ByteReader(body, from: header.payloadOffset)
    do throws(FormatError) {
      let (step, move) = (try Action.Step(&payload), try Move(&payload))
      return step.node == node && Int(step.game) == game && Int(step.ply) == ply ? move : nil
    } catch { unreadable(error) }
  }

  /// What the payload says.
  package var action: Action {
    var payload = ByteReader(body, from: header.payloadOffset)
    do throws(FormatError) { return try Action(kind: header.kind, reader: &payload) } catch {
      unreadable(error)
    }
  }

  /// The event.
  package var event: Event {
    Event(id: id, body: body, header, action)
  }

  private func unreadable(_ error: FormatError) -> Never {
    preconditionFailure("the payload of event \(id), which was checked, changed: \(error)")
  }
}

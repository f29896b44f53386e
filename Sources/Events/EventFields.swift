/// What is read of an event alike, be it a value of its own or a view of bytes.
package protocol EventFields: ~Escapable {
  /// The hash that names the event.
  var id: EventID { get }
  /// The room; for a `create` the event's own id.
  var room: RoomID { get }
  /// Who wrote it.
  var author: PeerID { get }
  /// Its place in the author's feed of this room, from 1.
  var sequence: UInt64 { get }
  /// The author's event before this one; zero for the first.
  var previous: EventID { get }
  /// How many parents there are.
  var parentCount: Int { get }
  /// One of the parents, which ascend, counted from 0.
  func parent(_ number: Int) -> EventID
  /// The number of its kind, known here or not.
  var code: UInt8 { get }
  /// What the payload says.
  var action: Action { get }
  /// How long the body is.
  var bodyBytes: Int { get }
}

extension Event: EventFields {}

extension EventView: EventFields {
  package var sequence: UInt64 { header.sequence }
  package var parentCount: Int { header.parentCount }
  package var code: UInt8 { header.code }
}

import Events

/// What is known of a dishonest peer's doings.
struct Forger: Sendable {
  /// Rooms in which each of its two programs has written since they parted.
  private var written: [[RoomID]] = [[], []]
  /// Messages that it has sent, to be sent again.
  var sent: [[UInt8]] = []
  /// To whom it sends nothing, until when.
  var silentUntil: [UInt64] = []
  /// Whether it hears nothing of what others write, until when.
  var deafUntil: UInt64 = 0
  /// When its programs part.
  var partsAt: UInt64 = .max

  /// Notes that one of two programs has written in a room.
  mutating func note(_ face: Int, wroteIn room: RoomID) {
    if !written[face].contains(room) { written[face].append(room) }
  }

  /// Whether it has told two stories in a room.
  func hasForked(in room: RoomID) -> Bool { written.allSatisfy { $0.contains(room) } }
}

internal import Events
internal import Network
internal import Peer

/// Rooms in which this peer could not do its duties.
struct UndoneDuties {
  /// Those where it can when it is known how far this peer's own feeds go, and those where it can when there is space
  /// again: without space nothing can be done in any room in which anything happens, however many these are.
  private var postponed = RoomQueue()
  private var withoutSpace = RoomQueue()
  /// Those in which duties have no effect, so that doing them again would go on for ever.
  private var faulty: Set<RoomID> = []

  /// Duties failed in a room.
  mutating func note(_ room: RoomID, _ error: PeerError) {
    switch error {
    case .recovering, .alone, .unconfirmed, .doubled, .notWhole: postponed.add(room)
    case .full: withoutSpace.add(room)
    default: faulty.insert(room)
    }
  }

  /// Takes the rooms where they are to be tried again.
  /// - Parameter hasSpace: whether anything can be stored, as far as is known.
  mutating func takePostponed(hasSpace: Bool) -> [RoomID] {
    postponed.takeAll() + (hasSpace ? withoutSpace.takeAll() : [])
  }

  /// Whether duties are done no more in a room.
  func isFaulty(_ room: RoomID) -> Bool { faulty.contains(room) }
}

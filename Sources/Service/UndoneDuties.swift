internal import Events
internal import Peer

/// Rooms in which this peer could not do its duties.
struct UndoneDuties {
  /// Those where it can later: when it is known how far this peer's own feeds go, or there is space again.
  private var postponed: [RoomID] = []
  /// Those in which duties have no effect, so that doing them again would go on for ever.
  private var faulty: Set<RoomID> = []

  /// Duties failed in a room.
  mutating func note(_ room: RoomID, _ error: PeerError) {
    switch error {
    case .recovering, .alone, .unconfirmed, .doubled, .notWhole, .full:
      if !postponed.contains(room) { postponed.append(room) }
    default: faulty.insert(room)
    }
  }

  /// Takes the rooms where they are to be tried again.
  mutating func takePostponed() -> [RoomID] {
    defer { postponed = [] }
    return postponed
  }

  /// Whether duties are done no more in a room.
  func isFaulty(_ room: RoomID) -> Bool { faulty.contains(room) }
}

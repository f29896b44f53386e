package import Events

/// The rooms at which a peer sits, and may sit, each list ascending.
package struct TableList: Sendable {
  /// Where a game waits for this peer's choice.
  package let toChoose: [RoomID]
  /// Where a game is on and waits for others.
  package let others: [RoomID]
  /// Own rooms that have not begun.
  package let hosted: [RoomID]
  /// Where this peer is invited and may still come.
  package let invitations: [RoomID]

  /// Whether a room is among those where this peer plays or waits.
  func isAlive(_ room: RoomID) -> Bool {
    toChoose.contains(room) || others.contains(room) || hosted.contains(room) || invitations.contains(room)
  }
}

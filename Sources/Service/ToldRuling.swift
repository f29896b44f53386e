package import Events
package import Peer
package import Rules

/// A ruling that this peer's referee has made.
package struct ToldRuling: Hashable, Sendable {
  package let room: RoomID
  /// The seat whose time was up.
  package let seat: Seat
  /// What limited its time.
  package let limit: SeatClocks.Limit

  package init(room: RoomID, seat: Seat, limit: SeatClocks.Limit) {
    self.room = room
    self.seat = seat
    self.limit = limit
  }
}

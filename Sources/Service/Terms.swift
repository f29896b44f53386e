package import Events

/// The referee of a game and its time limits: what somebody agrees to who takes a seat.
package struct Terms: Hashable, Sendable {
  /// Who rules when a seat's time is up; no peer for a game without one.
  package var referee: PeerID = .none
  /// Milliseconds for each move, 0 for no limit.
  package var moveLimitMilliseconds: UInt32 = 0
  /// Milliseconds for all moves of a game, 0 for no limit, and what each move adds.
  package var clockMilliseconds: UInt32 = 0
  package var incrementMilliseconds: UInt32 = 0

  /// Those of a game without referee and limits.
  package init() {}

  /// Those of a room.
  package init(_ create: Create) {
    referee = create.referee
    moveLimitMilliseconds = create.moveLimitMilliseconds
    clockMilliseconds = create.clockMilliseconds
    incrementMilliseconds = create.incrementMilliseconds
  }
}

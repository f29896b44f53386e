public import Events

/// The referee of a game and its time limits: what somebody agrees to who takes a seat.
public struct Terms: Hashable, Sendable {
  /// Who rules when a seat's time is up; no peer for a game without one.
  public var referee: PeerID = .none
  /// Milliseconds for each move, 0 for no limit.
  public var moveLimitMilliseconds: UInt32 = 0
  /// Milliseconds for all moves of a game, 0 for no limit.
  public var clockMilliseconds: UInt32 = 0
  /// Milliseconds that each move adds to those.
  public var incrementMilliseconds: UInt32 = 0

  /// Those of a game without referee and limits.
  public init() {}

  /// Whether anything is limited.
  package var hasLimits: Bool { moveLimitMilliseconds > 0 || clockMilliseconds > 0 }

  /// Those of a room.
  public init(_ create: Create) {
    referee = create.referee
    moveLimitMilliseconds = create.moveLimitMilliseconds
    clockMilliseconds = create.clockMilliseconds
    incrementMilliseconds = create.incrementMilliseconds
  }
}

import Events
import Peer
import Projection
import Rules

/// What a peer does in a room, and what its person remembers over a restart.
struct Table: Sendable {
  /// A claim that waits for the referee's patience to end.
  struct OpenClaim: Sendable {
    let claim: EventID
    let node: EventID
    let seat: Seat
    let since: UInt64
  }

  let room: RoomID
  let conduct: PeerCore.Conduct
  /// Whether something has happened in the room that was not looked at.
  var isStirred = true
  /// Whether it is this peer's turn, as it saw last.
  var isOwnTurn = false
  /// Claims that a referee has read of.
  var claims: [OpenClaim] = []
  /// How many entries of the log were looked through for claims.
  var searched = 0
  /// What play stands on, and since when.
  var tip = EventID.none
  var tipSince: UInt64 = 0
  /// The node at which somebody was called silent.
  var claimedAt = EventID.none
  /// Whether the last word has been said, once faults have ended.
  var hasClosed = false

  init(room: RoomID, conduct: PeerCore.Conduct) {
    self.room = room
    self.conduct = conduct
  }

  /// What a program does not remember over a restart.
  mutating func restart() {
    isStirred = true
    isOwnTurn = false
    claims = []
    searched = 0
  }
}

extension RoomState {
  /// Whether the room waits for this seat.
  func owes(_ seat: Seat) -> Bool {
    switch turn {
    case .seat(let other): return seat == other
    case .everyone:
      if round.commits[seat] == nil { return true }
      return round.commits.count == seats.count && round.reveals[seat] == nil
    default: return false
    }
  }
}

import Events
import Peer
import Projection
import Rules

/// What a peer does in a room, and what its person remembers over a restart.
struct Table: Sendable {
  let room: RoomID
  let conduct: PeerCore.Conduct
  /// Whether something has happened in the room that was not looked at.
  var isStirred = true
  /// Whether it is this peer's turn, as it saw last.
  var isOwnTurn = false
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
  }
}

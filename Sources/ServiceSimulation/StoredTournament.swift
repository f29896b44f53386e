import EventLog
import Events
import Games
import Peer
import Projection
import Tournaments

/// The tournament of a run as a disk holds it.
struct StoredTournament {
  let room: RoomID
  let disk: MemoryEventLog

  /// What is to be played, and what counts; `nil` where it is not here.
  func read() throws(LogError) -> TournamentRoom? { try disk.tournament(room, Games.catalog, nil) }

  /// The state of its room, which is here.
  func state() throws(LogError) -> RoomState { try disk.state(of: room, verify: false, Games.catalog) }

  func isHeld() throws(LogError) -> Bool { try disk.holds(room) }

  /// Whether it is known to have started.
  func hasStarted() throws(LogError) -> Bool { try isHeld() ? try state().start != nil : false }

  /// Whether a feed of somebody's is known to be forked.
  func hasForked(_ peer: PeerID) throws(LogError) -> Bool { try state().forked.contains(peer) }
}

extension MemoryEventLog {
  /// A disk with the same on it.
  func copy() throws(LogError) -> MemoryEventLog {
    let copy = MemoryEventLog(network: .standard)
    for stored in try storedRooms(from: 0, limit: .max) {
      var change = RoomChange(try load(stored.room, verify: false), from: 0)
      change.use = stored.use
      try copy.write([change], clocks: [])
    }
    return copy
  }
}

import EventLog
import Events
import Games
import Peer
import Projection

/// Parlor's side of a replay: every stored room into its games' states, as `parlor log verify` and `replay` do it.
enum StoredReplay {
  /// Replays all rooms of a store.
  /// - Parameter verify: whether ids, links and signatures are checked again.
  static func run(folder: String, verify: Bool) throws -> Tally {
    let log = try LMDBEventLog(folder: folder, access: .reading, network: .standard)
    var tally = Tally()
    for room in try log.roomIDs().rooms {
      let (state, events) = try replay(room, of: log, verify: verify)
      tally.count(state.games)
      tally.rooms += 1
      tally.events += events
    }
    return tally
  }

  private static func replay(
    _ room: RoomID, of log: LMDBEventLog, verify: Bool
  ) throws -> (state: RoomState, events: Int) {
    guard verify else { return try log.outline(of: room, Games.catalog) }
    guard let (state, events, _) = try log.straightState(of: room, verify: true, Games.catalog) else {
      throw BenchFailure.differs("replay", "room \(room.short) was not played straight on")
    }
    return (state, events)
  }
}

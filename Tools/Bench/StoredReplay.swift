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
      guard let (state, events, _) = try log.straightState(of: room, verify: verify, Games.catalog) else {
        throw BenchFailure.differs("replay", "room \(room.short) was not played straight on")
      }
      tally.count(state.games)
      tally.rooms += 1
      tally.events += events
    }
    return tally
  }
}

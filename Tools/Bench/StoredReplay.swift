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
      let stored = try log.load(room, verify: verify)
      var projection = try stored.projection(Games.catalog)
      for game in projection.state.games { tally.count(game) }
      tally.rooms += 1
      tally.events += stored.entries.count
    }
    return tally
  }
}

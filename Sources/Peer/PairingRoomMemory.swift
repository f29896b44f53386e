import EventLog
import Events
import Synchronization
import Tournaments

/// What the rooms of a tournament's games were found to be, as long as nothing is added to them: who reads a tournament
/// again and again reads each of its rooms once.
package final class PairingRoomMemory: Sendable {
  private struct Known {
    var events: Int
    var whole: PairingRoom?
    var at: [[Action.PairingResult.Head]: PairingRoom] = [:]
  }

  private let rooms = Mutex<[RoomID: Known]>([:])

  package init() {}

  /// Notes how many events rooms have now, and forgets what they were with fewer. Other rooms are not remembered.
  func note(_ listings: [RoomListing]) {
    rooms.withLock { rooms in
      for listing in listings where rooms[listing.room]?.events != listing.events {
        rooms[listing.room] = Known(events: listing.events)
      }
    }
  }

  /// A room as it is, or as it was at these heads; `nil` where that is not known.
  func find(_ room: RoomID, _ heads: [Action.PairingResult.Head]?) -> PairingRoom? {
    rooms.withLock { rooms in heads.map { rooms[room]?.at[$0] } ?? rooms[room]?.whole }
  }

  func remember(_ found: PairingRoom, _ room: RoomID, _ heads: [Action.PairingResult.Head]?) {
    rooms.withLock { rooms in
      if let heads { rooms[room]?.at[heads] = found } else { rooms[room]?.whole = found }
    }
  }
}

internal import EventLog
package import Events
internal import Network
internal import Peer
internal import Projection

// Rooms that are forgotten.

extension PeerService {
  package func forget(_ named: [RoomID], _ which: Forgetting) async throws(ServiceError) -> [RoomID] {
    guard !isClosed else { throw .gone("it stops") }
    for room in named {
      try writer.checkReservation(room, by: nil)
      guard which == .unplayed, try await rooms.isPlayed(room) else { continue }
      throw .refused("a game is on in the room \(room.short), in which this peer has a part")
    }
    do throws(PeerError) {
      let forgotten = try await networkPeer.forget(named, which == .strangers ? .strangers : .all)
      // Whoever asks next sees what was done.
      await settle()
      return forgotten
    } catch { throw .peer(error) }
  }
}

internal import EventLog
package import Events
internal import Network
internal import Peer
internal import Projection

// Rooms that are forgotten.

extension PeerService {
  package func forget(_ rooms: [RoomID], _ which: Forgetting) async throws(ServiceError) -> [RoomID] {
    guard !isClosed else { throw .gone("it stops") }
    for room in rooms {
      try checkReservation(room, by: nil)
      guard which == .unplayed, try await isPlayed(room) else { continue }
      throw .refused("a game is on in the room \(room.short), in which this peer has a part")
    }
    do throws(PeerError) {
      let forgotten = try await networkPeer.forget(rooms, which == .strangers ? .strangers : .all)
      // Whoever asks next sees what was done.
      await tend()
      return forgotten
    } catch { throw .peer(error) }
  }

  /// Whether a room is under way and this peer has a part in it.
  private func isPlayed(_ room: RoomID) async throws(ServiceError) -> Bool {
    guard let state = try await state(of: room), Steward.isUnderWay(state) else { return false }
    let keys = await networkPeer.read { core in core.members(in: state).map { core.id(of: $0) } }
    return !keys.isEmpty || state.hosted?.player(peer) != nil
  }
}

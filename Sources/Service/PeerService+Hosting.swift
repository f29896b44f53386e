import Events
import Network
import Peer
import Projection

// Hosted rounds: what the peer of the host does by itself.

extension PeerService {
  /// Does what this peer owes as the host of a room's rounds, or as a player.
  func keepRounds(in room: RoomID) async throws(PeerError) {
    let (now, admits) = (elapsed(), isAttended(room))
    try await networkPeer.update { core throws(PeerError) in
      let (hasHosted, hasProven) = (
        try core.host(room, admits: admits, at: now), try core.proveEntries(in: room)
      )
      return hasHosted || hasProven ? [room] : []
    }
  }

  /// The join code of a room of which this peer is the host.
  func joinCode(of state: RoomState) -> String? {
    guard state.creator == peer, case .hosted(_, true, _) = state.create.purpose else { return nil }
    return JoinCode.code(of: state.room, signer)
  }

  /// How long the round that is on has been open, where this process has opened it.
  func elapsedInRound(of state: RoomState, at now: UInt64) async -> UInt64? {
    guard let opening = state.hosted?.round?.opening else { return nil }
    let room = state.room
    return await networkPeer.read { $0.hosting.elapsed(in: room, opening, at: now) }
  }
}

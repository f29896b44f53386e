import Events
import Network
import Peer
import Projection

// Hosted rounds: what the peer of the host does by itself.

extension PeerService {
  /// Does what this peer owes as the host of a room's rounds, or as a player.
  func keepRounds(in room: RoomID) async throws(PeerError) {
    let (now, admits, me) = (elapsed(), presence.isAttended(room), peer)
    let isHost = await networkPeer.read { core in
      core.state(of: room).map { $0.creator == me && $0.hosted != nil } ?? false
    }
    let sources = isHost ? presence.guests.sources(with: await neighbours()) : [:]
    try await networkPeer.update { core throws(PeerError) in
      let (hasHosted, hasProven) = (
        try core.host(room, admits: admits, sources: sources, at: now), try core.proveEntries(in: room)
      )
      return hasHosted || hasProven ? [room] : []
    }
  }
}

extension RoomState {
  /// The join code of a room of hosted rounds, where it has one.
  /// - Parameter host: the key of whoever asks; only the host's gives it.
  func joinCode(by host: SigningKey) -> String? {
    guard creator == host.peer, case .hosted(_, true, _) = create.purpose else { return nil }
    return JoinCode.code(of: room, host)
  }
}

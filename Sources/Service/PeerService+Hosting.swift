import Events
import Network
import Peer
import Projection

// Hosted rounds: what the peer of the host does by itself.

extension PeerService {
  /// Does what this peer owes as the host of a room's rounds, or as a player.
  func keepRounds(in room: RoomID) async throws(PeerError) {
    let (now, admits, me) = (elapsed(), isAttended(room), peer)
    let isHost = await networkPeer.read { core in
      core.state(of: room).map { $0.creator == me && $0.hosted != nil } ?? false
    }
    let sources = isHost ? await sources() : [:]
    try await networkPeer.update { core throws(PeerError) in
      let (hasHosted, hasProven) = (
        try core.host(room, admits: admits, sources: sources, at: now), try core.proveEntries(in: room)
      )
      return hasHosted || hasProven ? [room] : []
    }
  }

  /// Where peers come from: those that are connected, and guests behind sockets. None is on this machine.
  private func sources() async -> [PeerID: String] {
    var sources = guests.sources
    for status in await neighbours() where status.state == .connected {
      if let peer = status.peer { sources[peer] = status.address.sourceElsewhere }
    }
    return sources
  }

  /// The join code of a room of which this peer is the host.
  func joinCode(of state: RoomState) -> String? {
    guard state.creator == peer, case .hosted(_, true, _) = state.create.purpose else { return nil }
    return JoinCode.code(of: state.room, signer)
  }
}

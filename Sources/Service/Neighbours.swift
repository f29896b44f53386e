package import Events
internal import Gossip
package import Network

/// Those around a peer: whom it is connected with, whom it tries to reach, and how far it is with each.
package struct Neighbours: Sendable {
  let networkPeer: NetworkPeer

  /// The peers that this one is connected with, and the addresses that it tries.
  nonisolated(nonsending) func all() async -> [NeighbourStatus] {
    let (peers, addresses) = await networkPeer.neighbourhood
    let connected = peers.map { NeighbourStatus(peer: $0.peer, address: $0.remote, state: .connected) }
    return connected + addresses.filter { !$0.isConnected }.map { NeighbourStatus($0) }
  }

  /// The peers that this one is connected with.
  nonisolated(nonsending) package func connected() async -> Set<PeerID> {
    Set(Neighbourhood.peers(await all()))
  }

  /// How an address that is tried stands, by the name it was given.
  nonisolated(nonsending) package func status(of address: Address) async -> NeighbourStatus? {
    await networkPeer.addresses.first { $0.address == address }.map { NeighbourStatus($0) }
  }

  /// Why this peer refused last what came from an address that it connects to, in words.
  nonisolated(nonsending) package func refusal(at address: Address) async -> String? {
    await networkPeer.refusal(at: address)?.description
  }

  /// Whether a peer that is connected was last found to hold all that both may share.
  nonisolated(nonsending) package func isEqual(with peer: PeerID) async -> Bool {
    await networkPeer.isEqual(with: peer)
  }

  /// Whether all that this peer has written since the start is with every peer that it is connected with, or is about
  /// to be.
  nonisolated(nonsending) package func isHandedOver() async -> Bool { await networkPeer.isHandedOver() }
}

extension Rooms {
  /// Those around the peer whose rooms these are.
  var surroundings: Neighbours { Neighbours(networkPeer: networkPeer) }
}

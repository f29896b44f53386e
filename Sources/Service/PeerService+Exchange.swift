package import Events
internal import Gossip
package import Network

// How far the exchange with others is, and what came of it.

extension PeerService {
  /// How far the exchange is at this moment.
  package func exchange() async -> ExchangeStatus { await ExchangeStatus(networkPeer) }

  /// Whether a peer that is connected was last found to hold all that both may share.
  package func isEqual(with peer: PeerID) async -> Bool { await networkPeer.isEqual(with: peer) }

  /// Whether all that this peer has written since the start is with every peer that it is connected with, or is about
  /// to be.
  package func isHandedOver() async -> Bool { await networkPeer.isHandedOver() }

  /// What others have this peer keep at present.
  package func burden() async -> Burden { await networkPeer.burden }

  /// A signal for each time that anything happened on the network, whether it changed a room or not.
  package func pulses() async -> Changes { await networkPeer.changes() }

  /// Why this peer refused last what came from an address that it connects to, in words.
  package func refusal(at address: Address) async -> String? {
    await networkPeer.refusal(at: address)?.description
  }
}

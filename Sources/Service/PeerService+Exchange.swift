package import Network

// How far the exchange with others is, and what came of it.

extension PeerService {
  /// How far the exchange is at this moment.
  package func exchange() async -> ExchangeStatus { await ExchangeStatus(networkPeer) }

  /// What others have this peer keep at present.
  package func burden() async -> Burden { await networkPeer.burden }

  /// A signal for each time that anything happened on the network, whether it changed a room or not.
  package func pulses() async -> Changes { await networkPeer.changes() }
}

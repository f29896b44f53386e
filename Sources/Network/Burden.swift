package import Gossip
internal import Peer

/// What others have this peer keep at present, and what of that is bounded by its settings.
package struct Burden: Hashable, Sendable {
  /// Connections with peers, and those whose other end has not proven who it is.
  package let connections: Int
  package let greetings: Int
  /// What rooms of strangers count for, and what of that is in memory.
  package let strangersBytes: Int
  package let openStrangersBytes: Int
  package let gossip: GossipLoad
}

extension NetworkPeer {
  package var burden: Burden {
    let greetings = connections.greetings
    return Burden(
      connections: connections.all.count - greetings, greetings: greetings,
      strangersBytes: durable.strangers.bytes,
      openStrangersBytes: durable.strangers.bytes(of: durable.core.openRooms),
      gossip: durable.core.gossip.load)
  }
}

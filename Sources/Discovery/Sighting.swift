package import Network

/// News of a peer on the local network. Nothing of it is proven: who it is says the handshake alone.
package enum Sighting: Hashable, Sendable {
  /// A peer announces itself under this name, and listens there. Said again when the addresses have changed; they
  /// are at least one, each once, those that are best tried first in front.
  case found(name: String, addresses: [Address])
  /// The peer of this name said goodbye, or was not heard of for too long.
  case lost(name: String)
  /// All that is there now was told; said once.
  case settled
}

package import Events
package import Network
internal import Peer

// Guests: people behind sockets, each a peer of its own whose key this process keeps.

extension PeerService {
  /// The loop that this peer lives on.
  package nonisolated var loop: EventLoop { networkPeer.loop }

  /// The owner's key, from which those of guests are derived.
  package nonisolated var ownerKey: SigningKey { signer }

  /// Takes in a guest, whose key acts from now on.
  /// - Parameters:
  ///   - isPerson: whether it decides about take-backs and draws itself; else it does as bots do.
  ///   - address: where its client is, in numbers.
  package func admit(_ key: SigningKey, isPerson: Bool = false, from address: String? = nil) async {
    let source = address.flatMap { Address(host: $0, port: 0).sourceElsewhere }
    presence.guests.admit(key.peer, isPerson: isPerson, from: source)
    await networkPeer.admit(key)
  }

  /// Lets go of a guest, after what it wrote is durable.
  package func dismiss(_ guest: PeerID) async throws(ServiceError) {
    do throws(PeerError) { try await networkPeer.flush() } catch { throw .peer(error) }
    presence.guests.dismiss(guest)
    await networkPeer.dismiss(guest)
  }
}

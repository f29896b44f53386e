package import Events
internal import Platform

/// Finds peers of one network on the local networks that this machine is on, and is found by them: DNS-SD (RFC 6763)
/// over multicast DNS (RFC 6762).
///
/// Several processes of one machine may each have one, and a system's own service of this kind may run as well. What is
/// heard is checked and bounded, and proves nothing: the handshake does. Networks that come and go are followed.
package final class MulticastDiscovery: Sendable {
  /// What speaks on the network. Another one starts in the same way, tells the queue what it hears, and can be stopped.
  private typealias Responder = AvahiResponder

  private let queue: SightingQueue
  private let responder: Guarded<Responder?>

  /// Begins to look for others, and to be seen.
  /// - Parameters:
  ///   - network: strangers' networks are passed over.
  ///   - port: where this peer listens on all its addresses; `nil` to look without being seen.
  package init(network: NetworkID, announcing port: UInt16?) throws(DiscoveryError) {
    queue = SightingQueue()
    let announced = port == 0 ? nil : port
    responder = Guarded(try Responder(network: network, port: announced, queue: queue))
  }

  deinit { stop() }

  /// The name under which this peer is announced, which is random and never among the sightings; `nil` when it is not.
  /// Two peers that see each other may compare their names to decide who connects.
  package var name: String? { queue.change { $0.ownName } }

  /// What becomes known of others, for one reader: news of one name replace each other until they are read, so that
  /// nothing piles up. Ends when this has stopped.
  package var sightings: AsyncStream<Sighting> { queue.sightings }

  /// Says goodbye, and ends.
  package func stop() {
    let running = responder.withLock { responder in
      defer { responder = nil }
      return responder
    }
    running?.stop()
    queue.finish()
  }
}

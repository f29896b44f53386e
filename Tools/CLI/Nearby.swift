import Discovery
import Events
import Network
import Service
import Terminal

/// Connects a peer with those that are found on the local network, and lets them find it.
actor Nearby {
  /// How long the first address of a peer may take before its others are tried as well.
  private static let patience = Duration.seconds(2)

  private let service: PeerService
  private let discovery: MulticastDiscovery
  /// Where each name was seen last.
  private var addresses: [String: [Address]] = [:]

  /// Begins to look, and to be seen where the peer listens.
  init(_ service: PeerService, network: NetworkID, port: UInt16?) throws(DiscoveryError) {
    self.service = service
    discovery = try MulticastDiscovery(network: network, announcing: port)
  }

  /// Follows what is seen, until the discovery stops.
  func run() async {
    for await sighting in discovery.sightings {
      switch sighting {
      case .found(let name, let found): await note(name, found)
      case .lost(let name): await note(name, [])
      case .settled: service.lookAround.end()
      }
    }
  }

  nonisolated func stop() { discovery.stop() }

  private func note(_ name: String, _ found: [Address]) async {
    let before = addresses[name] ?? []
    addresses[name] = found.isEmpty ? nil : found
    for address in before where !found.contains(address) { await service.lost(address) }
    guard let first = found.first, first != before.first else { return }
    await service.found(first)
    guard found.count > 1 else { return }
    Task {
      try await Task.sleep(for: Self.patience)
      await self.tryOthers(of: name, after: first)
    }
  }

  /// Tries the further addresses of a peer that does not answer at its first one.
  private func tryOthers(of name: String, after first: Address) async {
    guard let known = addresses[name], known.first == first else { return }
    guard let status = await service.surroundings.status(of: first), status.state != .connected,
      status.peer == nil
    else {
      return
    }
    for address in known.dropFirst() { await service.found(address) }
  }
}

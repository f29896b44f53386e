internal import Events
internal import Network

/// What is known of guests, whose keys this process keeps, beside their keys.
struct Guests {
  /// Those who decide for themselves, as people do.
  private(set) var people: Set<PeerID> = []
  /// Those who are here, and so come to the tables of their tournaments.
  private(set) var present: Set<PeerID> = []
  /// Where their clients are, but for those of this machine.
  private var sources: [PeerID: String] = [:]

  /// Where peers come from: guests behind sockets, and those that are connected. None is on this machine.
  func sources(with neighbours: [NeighbourStatus]) -> [PeerID: String] {
    var sources = sources
    for status in neighbours where status.state == .connected {
      if let peer = status.peer { sources[peer] = status.address.sourceElsewhere }
    }
    return sources
  }

  /// - Parameter source: where its client is; `nil` for this machine.
  mutating func admit(_ guest: PeerID, isPerson: Bool, from source: String?) {
    if isPerson { people.insert(guest) }
    if let source { sources[guest] = source }
  }

  mutating func dismiss(_ guest: PeerID) {
    people.remove(guest)
    sources[guest] = nil
  }

  /// Says who is here.
  /// - Returns: those who were not before.
  mutating func come(_ guests: Set<PeerID>) -> Set<PeerID> {
    defer { present = guests }
    return guests.subtracting(present)
  }
}

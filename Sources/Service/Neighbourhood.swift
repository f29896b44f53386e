internal import Events
internal import Network

/// Who is connected, and who was and is no more.
struct Neighbourhood {
  /// The most absent peers that are remembered; of more, those that have been away for longest are forgotten.
  static let limit = 1_024

  private(set) var connections: [NeighbourStatus] = []
  /// Whose connection was lost, and when, in milliseconds since 1970.
  private(set) var absentSince: [PeerID: UInt64] = [:]

  /// The peers that are connected.
  var peers: [PeerID] { Self.peers(connections) }

  /// Takes note of how neighbours stand.
  /// - Parameter time: milliseconds since 1970.
  /// - Returns: whether that has changed.
  mutating func note(_ now: [NeighbourStatus], atMilliseconds time: UInt64) -> Bool {
    guard now != connections else { return false }
    let here = Set(Self.peers(now))
    for peer in peers where !here.contains(peer) { absentSince[peer] = time }
    for peer in here { absentSince[peer] = nil }
    connections = now
    guard absentSince.count > Self.limit else { return true }
    let longest = absentSince.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (peer, _) in longest.prefix(absentSince.count - Self.limit) { absentSince[peer] = nil }
    return true
  }

  /// Those of them that are connected.
  static func peers(_ statuses: [NeighbourStatus]) -> [PeerID] {
    statuses.compactMap { $0.state == .connected ? $0.peer : nil }
  }
}

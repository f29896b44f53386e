internal import Events

/// The guests of an owner: those who were met, and those whose keys act though their clients are gone.
struct SocketGuests {
  /// How many guests are remembered without a look at their keys.
  private static let limitMet = 4_096

  private let owner: SigningKey
  /// How many may be absent.
  private let limitAbsent: Int
  private var met: Set<PeerID> = []
  /// Guests whose keys act and who have no client, those who went first in front.
  private var absent: [PeerID] = []

  init(owner: SigningKey, limitAbsent: Int) {
    self.owner = owner
    self.limitAbsent = limitAbsent
  }

  /// Whether a peer is a guest of this owner.
  mutating func isGuest(_ peer: PeerID, name: String) -> Bool {
    if met.contains(peer) { return true }
    guard Guest(name, peer, owner: owner, .table) != nil else { return false }
    if met.count >= Self.limitMet { met = [] }
    met.insert(peer)
    return true
  }

  /// A guest who may be absent from now on; `nil` for one who is already, for others, and where there are too many.
  func absentee(_ peer: PeerID, name: String) -> Guest? {
    guard absent.count < limitAbsent, !absent.contains(peer) else { return nil }
    return Guest(name, peer, owner: owner, .table)
  }

  func isAbsent(_ peer: PeerID) -> Bool { absent.contains(peer) }

  mutating func noteAbsent(_ peer: PeerID) { absent.append(peer) }

  /// Who has a client again, or whose key acts no more.
  mutating func noteHere(_ peer: PeerID) { absent.removeAll { $0 == peer } }

  /// Who went first, where too many are absent.
  var absentBeyondLimit: PeerID? { absent.count > limitAbsent ? absent[0] : nil }
}

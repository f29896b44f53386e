package import EventLog
package import Events
package import Projection

/// The keys of one process, by number: the owner's, who is member 0, and those of local bots and guests.
package struct Keyring: Sendable {
  package private(set) var signers: [any Signer]
  /// Their public keys; of those who were dismissed too, until their numbers are another's.
  package private(set) var ids: [PeerID]
  /// The numbers of members who were dismissed.
  private var dismissed: [Int] = []
  /// The members whose keys are new, and so can have forgotten nothing.
  private var new: Set<Int> = []

  init(owner: any Signer) {
    signers = [owner]
    ids = [owner.peer]
  }

  /// Adds a key.
  /// - Parameter isNew: whether it was made for this process, and nothing was written with it elsewhere.
  /// - Returns: its number.
  mutating func add(_ signer: any Signer, isNew: Bool) -> Int {
    // Whoever comes back has its number again: a key has one.
    let place = dismissed.firstIndex { ids[$0] == signer.peer } ?? dismissed.indices.last
    let member = place.map { dismissed.remove(at: $0) } ?? signers.count
    if member == signers.count {
      signers.append(signer)
      ids.append(signer.peer)
    } else {
      (signers[member], ids[member]) = (signer, signer.peer)
    }
    if isNew { new.insert(member) }
    return member
  }

  /// Lets go of a key; its number may become another's.
  mutating func dismiss(_ member: Int) {
    precondition(member > 0 && !dismissed.contains(member), "member \(member) cannot be dismissed")
    dismissed.append(member)
    new.remove(member)
  }

  package func contains(_ peer: PeerID) -> Bool { ids.contains(peer) }

  /// The number of a key; `nil` when it is not here.
  package func number(of peer: PeerID) -> Int? {
    ids.firstIndex(of: peer).flatMap { dismissed.contains($0) ? nil : $0 }
  }

  /// Whether a member's key can have forgotten nothing.
  func isNew(_ member: Int) -> Bool { new.contains(member) }

  /// The owner's key, from which those of local bots are derived.
  var ownerKey: SigningKey? { signers[0] as? SigningKey }

  /// Whether a seat is that of a bot whose key is derived from the owner's.
  func isLocalBot(_ peer: PeerID, _ profile: Profile) -> Bool {
    ownerKey?.isKey(ofBot: peer, profile) ?? false
  }

  /// The peers who must know what these have written into a room, ascending: who created it, and who has a seat.
  func others(at state: RoomState) -> [PeerID] {
    var peers = [state.creator]
    if !state.create.isTournament {
      for case let seat? in state.seats where !isLocalBot(seat.peer, seat.profile) { peers.append(seat.peer) }
    }
    return Set(peers.filter { !contains($0) }).sorted()
  }

  /// The members who have created a room or a seat in it, ascending.
  package func members(in state: RoomState) -> [Int] {
    let founders = [state.creator] + [state.referee].compactMap(\.self)
    guard ids.count > 1 else { return founders.contains(ids[0]) || state.seat(of: ids[0]) != nil ? [0] : [] }
    return Set((founders + state.seats.compactMap { $0?.peer }).compactMap { number(of: $0) }).sorted()
  }
}

extension RoomChange {
  /// Whether it has events of these keys.
  package func isWritten(by keys: Keyring) -> Bool { entries.contains { keys.contains($0.event.author) } }
}

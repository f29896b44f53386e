import Events

/// Whom a room's creator has invited, and which of the invites have an effect (Docs/PROTOCOL.md §1.6).
///
/// That is read from the creator's chain before each invite, never from what came here first: on its chain an
/// invite is the first one of its key, and there are fewer than 64 that have an effect before it.
struct Invitations: Sendable {
  private struct Invitation {
    let position: Int
    let peer: PeerID
    /// The one before it on its chain, in `effective`.
    let before: Int?
    /// How many there are on its chain up to it.
    let count: Int
  }

  /// What has an effect, in the order in which it was added.
  private var effective: [Invitation] = []
  /// For the position of every invite of the creator the last one on its chain that has an effect, itself
  /// included.
  private var last: [Int: Int?] = [:]

  /// Adds an invite of the creator that lies at a position of the graph.
  mutating func add(_ peer: PeerID, at position: Int, _ graph: CausalGraph) {
    let before = lastBefore(position, graph)
    let count = before.map { effective[$0].count } ?? 0
    guard count < Create.limitInvited, !holds(peer, upTo: before) else {
      last[position] = .some(before)
      return
    }
    effective.append(Invitation(position: position, peer: peer, before: before, count: count + 1))
    last[position] = effective.count - 1
  }

  /// The last invite with an effect on the chain before a position. The way back ends at the invite before, so
  /// that all ways together are as long as the creator's branches.
  private func lastBefore(_ position: Int, _ graph: CausalGraph) -> Int? {
    var place = position
    while let previous = graph.previous(place) {
      if let known = last[previous] { return known }
      place = previous
    }
    return nil
  }

  private func holds(_ peer: PeerID, upTo last: Int?) -> Bool {
    var next = last
    while let at = next {
      if effective[at].peer == peer { return true }
      next = effective[at].before
    }
    return false
  }

  /// Whether a peer is invited on the creator's chain before one of its events.
  func hold(_ peer: PeerID, before event: Int, _ graph: CausalGraph) -> Bool {
    holds(peer, upTo: lastBefore(event, graph))
  }

  /// The invited peers in the order of the creator's feed.
  /// - Parameter anchors: which events are anchored; `nil` when all are.
  func peers(_ graph: CausalGraph, _ anchors: Anchors?) -> [PeerID] {
    var peers: [PeerID] = []
    var known: Set<PeerID> = []
    let anchoredOnes = effective.filter { anchors?.isAnchored($0.position, graph) ?? true }
    for invitation in anchoredOnes.sorted(by: { graph.isEarlier($0.position, $1.position) })
    where known.insert(invitation.peer).inserted {
      peers.append(invitation.peer)
    }
    return peers
  }

  /// The verdict on an anchored invite of the creator.
  func verdict(on position: Int, _ graph: CausalGraph) -> Verdict {
    guard case .invite(let peer) = graph.events[position].action, let last = last[position] else {
      preconditionFailure("position \(position) holds no invite of the creator")
    }
    if let last, effective[last].position == position { return .effective }
    return holds(peer, upTo: last) ? .superseded : .overLimit
  }
}

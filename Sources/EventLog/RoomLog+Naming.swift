package import Events

// What an honest peer names (Docs/PROTOCOL.md §3.2), which is less than it may.
extension RoomLog {
  /// What somebody names in its next event besides what the event's kind needs.
  private enum Naming {
    /// The room's `create`: it is no member.
    case create
    /// Events of members, and this grant of a request of its own.
    case members(grant: Int?)
    /// Events of the creator, and this grant.
    case creator(grant: Int?)
  }

  /// What an author's next event names: the required events first, and the members' heads that its events have not
  /// named yet, at most 32.
  /// - Parameters:
  ///   - required: what the event's kind needs, as far as the author may name it.
  ///   - named: how much of each feed is in the past of the author's last event, by the numbers of feeds, and then of
  ///     the next one.
  package func newlySeen(by author: PeerID, required: [EventID], named: inout [UInt64]) -> [EventID] {
    var parents: [EventID] = []
    var isCreatorsOnly = false
    switch naming(by: author) {
    case .create:
      let isFirst = lastPosition(of: author) == nil
      return isFirst && graph.count > 0 ? [room] : []
    case .members(let grant): graph.name(grant, among: &parents, named)
    case .creator(let grant):
      isCreatorsOnly = true
      graph.name(grant, among: &parents, named)
    }
    for id in required {
      guard let position = position(of: id), graph.author(position) != author, !parents.contains(id)
      else { continue }
      parents.append(id)
    }
    // A host's events name what they acknowledge, and nothing that somebody says.
    if membership.isHosted, author == membership.creator {
      return parents.count > Event.limitParents ? Array(parents.prefix(Event.limitParents)) : parents
    }
    for feed in 0..<graph.feedCount where parents.count < Event.limitParents {
      if feed == named.count { named.append(0) }
      let other = graph.author(ofFeed: feed)
      // Of a forked feed nothing beyond the fork is named, or it would be anchored.
      guard other != author, let last = graph.lastBeforeFork(ofFeed: feed, after: named[feed]),
        membership.contains(other), isMembers(at: last.position),
        !isCreatorsOnly || other == membership.creator
      else { continue }
      let id = graph.id(last.position)
      if !parents.contains(id) { parents.append(id) }
      named[feed] = last.sequence
    }
    return parents.count > Event.limitParents ? Array(parents.prefix(Event.limitParents)) : parents
  }

  private func naming(by author: PeerID) -> Naming {
    if membership.isFounder(author) {
      return membership.isGames || author == membership.creator ? .members(grant: nil) : .creator(grant: nil)
    }
    guard let grant = membership.grant(of: author) else { return .create }
    // Whoever has said already that it is a member goes on: what its steps need must stay in their past.
    let isKnown = lastPosition(of: author).map { isMembers(at: $0) } ?? false
    guard isKnown || graph.isBeforeFork(grant) else { return .create }
    return membership.isGames ? .members(grant: grant) : .creator(grant: grant)
  }
}

extension CausalGraph {
  /// Whether a member's grant is no event of a forked part of the creator's feed.
  fileprivate func isBeforeFork(_ grant: Int) -> Bool {
    sequence(grant) < feeds[feed(grant)].forkSequence ?? .max
  }

  /// Names the grant that made the author a member, unless an event of it has named that already.
  fileprivate func name(_ grant: Int?, among parents: inout [EventID], _ named: [UInt64]) {
    guard let grant, case let feed = self.feed(grant),
      feed >= named.count || named[feed] < sequence(grant)
    else { return }
    parents.append(id(grant))
  }
}

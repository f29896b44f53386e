extension GossipCore {
  /// Whether a neighbour was last found to hold all that both may share and want, and nothing of that has changed here
  /// since. Rooms that it holds and that are not taken here do not count.
  ///
  /// Only what is durable counts, on both sides.
  package mutating func isEqual(with neighbour: Neighbour) -> Bool {
    guard let at = linkTable.place(of: neighbour), links[at].descent == nil else { return false }
    let root = offers.root(at).high
    return links[at].agreed == root || links[at].alike?.mine == root
  }

  /// Compares with a neighbour once more, without waiting for its turn.
  package mutating func compareAgain(with neighbour: Neighbour, at now: Tick) -> [Directive] {
    if let at = linkTable.place(of: neighbour) { compare(with: at, at: now) }
    return takeDirectives()
  }

  /// Of how many feeds nothing more is taken, because their authors have used up what they may store here.
  package var barredFeeds: Int { shares.barredFeeds }

  /// How many feeds are asked for and have not come.
  package var missingFeeds: Int { requests.count }
}

extension GossipCore {
  /// Whether a neighbour was last found to hold all that both may share, and nothing of that has changed here since.
  ///
  /// Only what is durable counts, on both sides. Between peers of which one limits its interest nothing is said.
  package mutating func isEqual(with neighbour: Neighbour) -> Bool {
    guard let at = link(neighbour), links[at].interest == nil, let agreed = links[at].agreed else {
      return false
    }
    return links[at].descent == nil && agreed == directory.root(links[at].circles).high
  }

  /// How many feeds are asked for and have not come.
  package var missingFeeds: Int { requests.count }
}

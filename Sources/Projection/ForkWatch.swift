import Events

/// Which feeds of a room are forked, and what is anchored all the same, as far as a projection knows.
struct ForkWatch: Sendable {
  /// The authors of forked feeds, ascending.
  private(set) var forked: [PeerID] = []
  /// Which events are anchored; `nil` while no feed is forked, and when that is to be found anew.
  private(set) var anchors: Anchors?
  /// How many of the graph's news of forks are known.
  private var known = 0

  /// Takes in new events of the graph.
  /// - Returns: whose feeds are forked, or forked earlier than was known; and of whose events behind forks others are
  ///   anchored than before.
  mutating func advance(_ graph: CausalGraph, members: [PeerID]) -> (forked: [PeerID], rescued: [PeerID]) {
    var news: [PeerID] = []
    if graph.forkNews.count > known {
      news = Set(graph.forkNews[known...]).sorted()
      known = graph.forkNews.count
      note(news)
      // What is behind a member's fork anchors nothing.
      if news.contains(where: members.contains) { anchors = nil }
    }
    return (news, anchors?.advance(graph) ?? [])
  }

  private mutating func note(_ news: [PeerID]) {
    var all: [PeerID] = []
    all.reserveCapacity(forked.count + news.count)
    var at = 0
    for author in news {
      while at < forked.count, forked[at] < author {
        all.append(forked[at])
        at += 1
      }
      if at == forked.count || forked[at] != author { all.append(author) }
    }
    forked = all + forked[at...]
  }

  /// Finds what is anchored anew where other members' events anchor than before.
  /// - Returns: `false` where all is as it was.
  mutating func makeAnchors(_ graph: CausalGraph, members: [PeerID], start: Int?) -> Bool {
    guard !forked.isEmpty, anchors == nil || anchors?.members != members || anchors?.start != start else {
      return false
    }
    anchors = Anchors(graph, members: members, start: start)
    return true
  }
}

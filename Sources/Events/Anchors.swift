/// Which events of a room are anchored (Docs/PROTOCOL.md §1.4): those that are not behind a fork, and those on which
/// an event of an anchoring member rests.
///
/// Each event is gone through once, however many there are later.
package struct Anchors: Sendable {
  /// Whose events, before a fork of their feeds, anchor what they rest on.
  package let members: [PeerID]
  /// An event that anchors what it rests on, whoever wrote it.
  package let start: Int?
  /// For each event whether a member's event rests on it, or is it.
  private var rests: [Bool] = []

  /// Goes through all events of a graph.
  package init(_ graph: CausalGraph, members: [PeerID], start: Int?) {
    self.members = members
    self.start = start
    _ = advance(graph)
  }

  /// Whether an event is anchored; of one that was not gone through only its own feed tells.
  package func isAnchored(_ position: Int, _ graph: CausalGraph) -> Bool {
    position < rests.count && rests[position] || !graph.isBehindFork(position)
  }

  /// Goes through the events that were added since. The fork of a member's feed calls for new anchors.
  /// - Returns: the authors of events behind forks that are anchored now, some more than once.
  package mutating func advance(_ graph: CausalGraph) -> [PeerID] {
    var rescued: [PeerID] = []
    let first = rests.count
    rests += [Bool](repeating: false, count: graph.count - first)
    var open: [Int] = []
    for position in first..<graph.count {
      guard position == start || members.contains(graph.author(position)) && !graph.isBehindFork(position)
      else {
        continue
      }
      open.append(position)
      while let next = open.popLast() {
        guard !rests[next] else { continue }
        rests[next] = true
        if graph.isBehindFork(next) { rescued.append(graph.author(next)) }
        for before in graph.before(next) where !rests[Int(before)] { open.append(Int(before)) }
      }
    }
    return rescued
  }
}

import Events

/// The requests of a room that wait for a grant, as far as the lobby was looked through.
///
/// Anybody may ask, with as many keys as he likes: what comes is added to what was found, and not all found anew.
struct OpenRequests: Sendable {
  /// Ascending by peer and id.
  private(set) var list: [RoomState.OpenRequest] = []
  /// How much of the lobby was looked through; `nil` when all is to be found anew.
  private var seen: Int?

  /// Something may have changed that all requests depend on.
  mutating func findAnew() { seen = nil }

  /// Looks through what is new in the lobby.
  /// - Parameter anchored: for each event whether it is anchored; `nil` when all are.
  mutating func advance(_ facts: Facts, _ roster: Roster, anchored: [Bool]?) {
    defer { seen = facts.lobby.count }
    guard let seen, anchored == nil else {
      return list = roster.openRequests(among: facts.lobby, facts, anchored: anchored)
    }
    let fresh = facts.lobby[seen...]
    // Whoever leaves may have asked before.
    let leavers = Set(fresh.lazy.filter { facts.kind($0) == .leave }.map(facts.author))
    guard leavers.isEmpty else {
      let earlier = list.compactMap { leavers.contains($0.peer) ? facts.graph.position(of: $0.id) : nil }
      list.removeAll { leavers.contains($0.peer) }
      return merge(roster.openRequests(among: earlier + Array(fresh), facts, anchored: nil))
    }
    merge(roster.openRequests(among: fresh, facts, anchored: nil))
  }

  private mutating func merge(_ more: [RoomState.OpenRequest]) {
    guard let first = more.first else { return }
    guard let last = list.last, RoomState.OpenRequest.precedes(first, last) else { return list += more }
    var merged: [RoomState.OpenRequest] = []
    merged.reserveCapacity(list.count + more.count)
    var rest = more[...]
    for request in list {
      while let next = rest.first, RoomState.OpenRequest.precedes(next, request) {
        merged.append(rest.removeFirst())
      }
      merged.append(request)
    }
    list = merged + rest
  }
}

extension RoomState.OpenRequest {
  /// Requests are told in the order of their authors and ids, which is the same for everybody.
  static func precedes(_ a: Self, _ b: Self) -> Bool { (a.peer, a.id) < (b.peer, b.id) }
}

import Events

/// The waiting events of a room and what they name among each other: finds which can be taken in together.
///
/// That is the largest set in which every event's previous and parents are in the log or in the set, and
/// every event is signed or has a successor in the set that is covered. Two feeds may cite each other all the
/// way through, so it is found by taking away what cannot stay, in time linear in the links.
struct WaitingGraph {
  private enum Verdict { case stays, goesBack, broken }

  private let entries: [RoomLog.Entry]
  private var verdicts: [Verdict]
  /// For each event those that name it.
  private var dependents: [[Int]]
  /// For each event its previous one, when that waits too.
  private var previous: [Int?]
  /// For each event how many of the set name it as previous.
  private var successors: [Int]
  private var removed: [Int] = []
  /// Where each event is in `entries`.
  private var places: [EventID: Int] = [:]

  init(_ entries: [RoomLog.Entry], in log: RoomLog) {
    self.entries = entries
    verdicts = .init(repeating: .stays, count: entries.count)
    dependents = .init(repeating: [], count: entries.count)
    previous = .init(repeating: nil, count: entries.count)
    successors = .init(repeating: 0, count: entries.count)
    for (at, entry) in entries.enumerated() { places[entry.event.id] = at }
    for at in entries.indices { connect(at, log) }
  }

  /// The places of the events to take in, in a causal order, and of those that can never be, with the reasons.
  mutating func release(into log: RoomLog) -> (released: [Int], broken: [(at: Int, error: LogError)]) {
    for at in entries.indices where entries[at].signature == nil && successors[at] == 0 {
      remove(at, .goesBack)
    }
    takeAway()
    var order = causalOrder()
    let misnamed = misnamed(order, log)
    if !misnamed.isEmpty {
      for at in misnamed { remove(at, .broken) }
      takeAway()
      order = causalOrder()
    }
    let broken = entries.indices.filter { verdicts[$0] == .broken }.map { at in
      let event = entries[at].event
      let error: LogError =
        misnamed.contains(at) ? .misnamed(event.id) : .brokenChain(event.id, sequence: event.sequence)
      return (at, error)
    }
    return (order, broken)
  }

  /// Takes away what rests on what was removed, or is left without a signature.
  private mutating func takeAway() {
    while let at = removed.popLast() {
      for dependent in dependents[at] { remove(dependent, .goesBack) }
      guard let before = previous[at] else { continue }
      successors[before] -= 1
      if successors[before] == 0, entries[before].signature == nil { remove(before, .goesBack) }
    }
  }

  /// Those of the events in a causal order that name what their authors may not name, or rest on such events.
  private func misnamed(_ order: [Int], _ log: RoomLog) -> [Int] {
    var membership = log.membership
    var standings = [Membership.Standing?](repeating: nil, count: entries.count)
    var grantees: [Int: PeerID] = [:]
    func standing(_ id: EventID) -> Membership.Standing? {
      if let at = places[id] { return standings[at] }
      return log.position(of: id).map(membership.standing(at:))
    }
    func grantee(_ id: EventID) -> PeerID? {
      if let at = places[id] { return grantees[at] }
      return log.position(of: id).flatMap(membership.grantee(at:))
    }
    for at in order {
      let event = entries[at].event
      if event.id == log.room {
        membership.begin(event.action, by: event.author)
        standings[at] = .create
        continue
      }
      let subject = Membership.Subject(event)
      let previous = event.sequence > 1 ? standing(event.previous) : nil
      guard event.sequence == 1 || previous != nil else { continue }
      standings[at] = membership.standing(
        of: subject, after: previous,
        parent: { standing(event.parent($0)) }, grantee: { grantee(event.parent($0)) })
      guard standings[at]?.isCreators ?? false, let request = subject.request else { continue }
      grantees[at] = author(of: event.parent(request), log)
    }
    return order.filter { standings[$0] == nil }
  }

  private func author(of id: EventID, _ log: RoomLog) -> PeerID? {
    (places[id].map { entries[$0].event } ?? log.graph.event(id))?.author
  }

  private mutating func connect(_ at: Int, _ log: RoomLog) {
    let event = entries[at].event
    if event.sequence > 1, let before = places[event.previous] {
      previous[at] = before
      successors[before] += 1
      dependents[before].append(at)
      if !CausalGraph.follows(event, entries[before].event) { remove(at, .broken) }
    } else if event.sequence > 1, log.position(of: event.previous) == nil {
      remove(at, .goesBack)
    }
    for index in 0..<event.parentCount {
      let parent = event.parent(index)
      if let before = places[parent] {
        dependents[before].append(at)
        if entries[before].event.author == event.author { remove(at, .broken) }
      } else if log.position(of: parent) == nil {
        remove(at, .goesBack)
      }
    }
    guard event.id != log.room, !log.contains(log.room) else {
      if case .broken = log.graph.linking(of: event) { remove(at, .broken) }
      return
    }
    if let create = places[log.room] { dependents[create].append(at) } else { remove(at, .goesBack) }
  }

  private mutating func remove(_ at: Int, _ verdict: Verdict) {
    if verdicts[at] == .stays { removed.append(at) }
    if verdicts[at] != .broken { verdicts[at] = verdict }
  }

  /// The events that stay, each after those it names; of several, the one that waited longest first.
  private func causalOrder() -> [Int] {
    var missing = [Int](repeating: 0, count: entries.count)
    for at in entries.indices where verdicts[at] == .stays {
      for dependent in dependents[at] { missing[dependent] += 1 }
    }
    var order = entries.indices.filter { verdicts[$0] == .stays && missing[$0] == 0 }
    var next = 0
    while next < order.count {
      for dependent in dependents[order[next]] where verdicts[dependent] == .stays {
        missing[dependent] -= 1
        if missing[dependent] == 0 { order.append(dependent) }
      }
      next += 1
    }
    return order
  }
}

/// The “happened before” relation of a room's events, and which of them a fork leaves standing.
///
/// Events are added in a causal order, so an event's past always has lower positions than the event.
package struct CausalGraph: Sendable {
  /// The events, in the order in which they were added.
  package private(set) var events: [Event] = []
  private var index: [EventID: Int] = [:]
  /// For each author the positions of its events, in the order in which they were added.
  package private(set) var feeds: [PeerID: [Int]] = [:]
  /// For each author with a fork, the lowest sequence that two of its events share.
  package private(set) var forks: [PeerID: UInt64] = [:]
  private var highest: [PeerID: UInt64] = [:]

  package init() {}

  /// Adds an event whose previous and parents are here.
  /// - Returns: its position, or `nil` when it is here already.
  package mutating func add(_ event: Event) -> Int? {
    guard index[event.id] == nil else { return nil }
    let position = events.count
    events.append(event)
    index[event.id] = position
    feeds[event.author, default: []].append(position)
    let last = highest[event.author] ?? 0
    if event.sequence <= last {
      forks[event.author] = min(forks[event.author] ?? .max, event.sequence)
    } else {
      highest[event.author] = event.sequence
    }
    return position
  }

  /// The position of an event.
  package func position(of id: EventID) -> Int? { index[id] }

  /// The event of this id.
  package func event(_ id: EventID) -> Event? { index[id].map { events[$0] } }

  /// Whether `ancestor` happened before `event`, by positions. An event is not in its own past.
  package func isInPast(_ ancestor: Int, of event: Int) -> Bool {
    guard ancestor < event else { return false }
    let target = events[ancestor]
    let targetIsForked = forks[target.author] != nil
    var seen: Set<Int> = []
    var stack = [event]
    while let position = stack.popLast() {
      for next in before(position) where next >= ancestor && seen.insert(next).inserted {
        if next == ancestor { return true }
        let found = events[next]
        if !targetIsForked, found.author == target.author, found.sequence > target.sequence { return true }
        stack.append(next)
      }
    }
    return false
  }

  /// Positions of an event's previous and parents.
  package func before(_ position: Int) -> [Int] {
    let event = events[position]
    var before = event.parents.compactMap { index[$0] }
    if let previous = index[event.previous] { before.append(previous) }
    return before
  }

  /// For each event, whether it is anchored (Docs/PROTOCOL.md §1.4); `nil` when no feed is forked and all
  /// are.
  package func anchored() -> [Bool]? {
    guard !forks.isEmpty else { return nil }
    var anchored = events.map { event in
      forks[event.author].map { event.sequence < $0 } ?? true
    }
    for position in events.indices.reversed() where anchored[position] {
      for next in before(position) { anchored[next] = true }
    }
    return anchored
  }
}

/// The “happened before” relation of a room's events, and which of them a fork leaves standing.
///
/// Events are added in a causal order, so an event's past always has lower positions than the event.
package struct CausalGraph: Sendable {
  /// The events, in the order in which they were added.
  package private(set) var events: [Event] = []
  private var index = PositionTable()
  private var feeds: [Feed] = []
  private var numbers = FeedNumbers()
  /// For each author with a fork, the lowest sequence that two of its events share.
  package private(set) var forks: [PeerID: UInt64] = [:]
  /// Positions of previous and parents of all events, one event's after the other's.
  private var links: [Int] = []
  /// Where each event's links end; they begin where those of the event before end.
  private var linkEnds: [Int] = []

  private struct Feed {
    let author: PeerID
    /// Where the author's events lie, in the order in which they were added.
    var positions: [Int] = []
    var highest: UInt64 = 0
  }

  package init() {}

  /// Adds an event of the same room as the first one, whose previous and parents are here and whose previous
  /// is its author's event of the sequence before.
  /// - Returns: its position, or `nil` when it is here already or does not link.
  package mutating func add(_ event: Event) -> Int? {
    let kept = links.count
    let position = events.count
    guard link(event), note(event.id, at: position) else {
      links.removeSubrange(kept...)
      return nil
    }
    linkEnds.append(links.count)
    events.append(event)
    let author = event.author
    let feed = numbers[author] ?? addFeed(of: author)
    feeds[feed].positions.append(position)
    if event.sequence <= feeds[feed].highest {
      forks[author] = min(forks[author] ?? .max, event.sequence)
    } else {
      feeds[feed].highest = event.sequence
    }
    return position
  }

  private mutating func addFeed(of author: PeerID) -> Int {
    feeds.append(Feed(author: author))
    return numbers.add(author)
  }

  /// The positions of an author's events, in the order in which they were added.
  package func feed(of author: PeerID) -> [Int] { numbers[author].map { feeds[$0].positions } ?? [] }

  /// Notes where an event is: one look into the index, where asking first would take two.
  /// - Returns: `false`, and nothing changed, when it is here already.
  private mutating func note(_ id: EventID, at position: Int) -> Bool {
    let events = events
    return index.insert(id, at: position) { events[$0].id == id }
  }

  /// Appends the positions of previous and parents.
  /// - Returns: `false` when one is missing, or is not what it should be.
  private mutating func link(_ event: Event) -> Bool {
    if let first = events.first, first.room != event.room { return false }
    if event.sequence > 1 {
      guard let previous = position(of: event.previous), events[previous].author == event.author,
        events[previous].sequence + 1 == event.sequence
      else { return false }
      links.append(previous)
    }
    for number in 0..<event.parentCount {
      guard let position = position(of: event.parent(number)) else { return false }
      links.append(position)
    }
    return true
  }

  /// The position of an event.
  package func position(of id: EventID) -> Int? {
    // What is named most is what came last, or just before that.
    let last = events.count - 1
    if last >= 0, events[last].id == id { return last }
    if last >= 1, events[last - 1].id == id { return last - 1 }
    return index.position(of: id) { events[$0].id == id }
  }

  /// The event of this id.
  package func event(_ id: EventID) -> Event? { position(of: id).map { events[$0] } }

  /// The position of an author's event before this one; `nil` for the first of a feed.
  package func previous(_ position: Int) -> Int? {
    events[position].sequence > 1 ? before(position).first : nil
  }

  /// Positions of an event's previous and parents, in this order.
  package func before(_ position: Int) -> ArraySlice<Int> {
    links[(position == 0 ? 0 : linkEnds[position - 1])..<linkEnds[position]]
  }

  /// Whether the first of two positions holds the event of lower sequence; of equal ones (two branches of a
  /// fork) that of the lower id.
  package func isEarlier(_ a: Int, _ b: Int) -> Bool {
    (events[a].sequence, events[a].id) < (events[b].sequence, events[b].id)
  }
}

// MARK: - The past

extension CausalGraph {
  /// Whether `ancestor` happened before `event`, by positions. An event is not in its own past.
  package func isInPast(_ ancestor: Int, of event: Int) -> Bool {
    guard ancestor < event else { return false }
    if before(event).contains(ancestor) { return true }
    let author = events[ancestor].author
    let sequence = events[ancestor].sequence
    let isForked = forks[author] != nil
    if !isForked, events[event].author == author { return events[event].sequence > sequence }
    var seen = [Bool](repeating: false, count: event - ancestor)
    var stack = [event]
    while let position = stack.popLast() {
      for next in before(position) where next >= ancestor && !seen[next - ancestor] {
        // In a feed without a fork everything before an event of it is in that event's past.
        if next == ancestor || (!isForked && events[next].author == author) {
          if next == ancestor || events[next].sequence > sequence { return true }
        }
        seen[next - ancestor] = true
        stack.append(next)
      }
    }
    return false
  }

  /// A set of positions: what happened before an event, from some position on.
  package struct Past: Sendable {
    private let lowest: Int
    private var bits: [Bool]

    fileprivate init(from lowest: Int, to end: Int) {
      self.lowest = lowest
      bits = [Bool](repeating: false, count: max(0, end - lowest))
    }

    /// Whether the event at this position is in it.
    package func contains(_ position: Int) -> Bool {
      position >= lowest && position - lowest < bits.count && bits[position - lowest]
    }

    /// Adds a position.
    /// - Returns: whether it is in range and was not there.
    fileprivate mutating func insert(_ position: Int) -> Bool {
      guard position >= lowest, position - lowest < bits.count, !bits[position - lowest] else { return false }
      bits[position - lowest] = true
      return true
    }
  }

  /// What happened before an event, as far as it has positions from `lowest` on.
  package func past(of event: Int, from lowest: Int = 0) -> Past {
    var past = Past(from: lowest, to: event)
    var stack = [event]
    while let position = stack.popLast() {
      for next in before(position) where past.insert(next) { stack.append(next) }
    }
    return past
  }

  /// For each event, whether it is anchored (Docs/PROTOCOL.md §1.4); `nil` when no feed is forked and all
  /// are.
  /// - Parameters:
  ///   - members: whose events, before a fork of their feeds, anchor what they rest on.
  ///   - start: an event that anchors what it rests on, whoever wrote it.
  package func anchored(members: [PeerID], start: Int?) -> [Bool]? {
    guard !forks.isEmpty else { return nil }
    var rests = [Bool](repeating: false, count: events.count)
    for member in members {
      for position in feed(of: member) where events[position].sequence < forks[member] ?? .max {
        rests[position] = true
      }
    }
    if let start { rests[start] = true }
    for position in events.indices.reversed() where rests[position] {
      for next in before(position) { rests[next] = true }
    }
    return events.indices.map { position in
      rests[position] || events[position].sequence < forks[events[position].author] ?? .max
    }
  }
}

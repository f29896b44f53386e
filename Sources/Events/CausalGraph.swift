/// The events of one room by position: what each names, the feeds that they make, and the “happened before” relation.
///
/// Inside a room an event is a number, and so is what it names; ids are for others. Events are added in a causal order,
/// so an event's past always has lower positions than the event. Who goes through events without keeping them hands in
/// views; then `events` stays empty, and all else is the same.
package struct CausalGraph: Sendable {
  /// One author's events.
  package struct Feed: Sendable {
    package let author: PeerID
    /// The position of the event at each sequence, from sequence 1; the branch that came first.
    package fileprivate(set) var positions: [Int] = []
    /// The lowest sequence at which branches differ.
    package fileprivate(set) var forkSequence: UInt64?
    /// Other branches, each from its first differing event.
    package fileprivate(set) var branches: [[Int]] = []
    /// The positions of all its events, ascending, where it is forked.
    fileprivate var added: [UInt32] = []
    /// The highest sequence of an event that others have named.
    fileprivate var namedThrough: UInt64 = 0

    /// The last sequence held.
    package var last: UInt64 { UInt64(positions.count) }

    fileprivate mutating func noteAdded(_ position: Int) {
      if added.isEmpty { added = positions.map { UInt32(truncatingIfNeeded: $0) } }
      added.append(UInt32(truncatingIfNeeded: position))
    }

    /// The positions of the events before branches differ.
    package var positionsBeforeFork: ArraySlice<Int> {
      positions.prefix(forkSequence.map { Int(clamping: $0 - 1) } ?? .max)
    }

    /// The last event before branches differ, when it is after this sequence.
    package func lastBeforeFork(after sequence: UInt64) -> (sequence: UInt64, position: Int)? {
      // A damaged store may hold a branch that begins beyond the end.
      let through = min(forkSequence.map { $0 - 1 } ?? last, last)
      return through > sequence ? (through, positions[Int(through) - 1]) : nil
    }
  }

  /// What an event names, by position.
  package struct Links: Sendable {
    /// The author's event before; `nil` for the first of a feed, and for one that is taken in with this one.
    package fileprivate(set) var previous: Int?
    /// The number of the author's feed, where there is one.
    fileprivate var feed: Int?
    /// How many parents there are.
    package fileprivate(set) var parents = 0
    // Most events name one or two, which need no list.
    private var near: (UInt32, UInt32) = (0, 0)
    private var far: [UInt32] = []

    fileprivate init() {}

    fileprivate mutating func append(parent position: Int) {
      let position = UInt32(truncatingIfNeeded: position)
      switch parents {
      case 0: near.0 = position
      case 1: near.1 = position
      default: far.append(position)
      }
      parents += 1
    }

    /// One of the parents, in the order in which the event names them.
    package func parent(_ number: Int) -> Int {
      switch number {
      case 0: Int(near.0)
      case 1: Int(near.1)
      default: Int(far[number - 2])
      }
    }
  }

  /// How an event's previous and parents stand to what is here.
  package enum Linking: Sendable {
    /// All are here and the chain links.
    case whole(Links)
    /// This one is not here.
    case missing(EventID)
    /// The chain does not link, whatever may come.
    case broken
  }

  /// What is kept of each event.
  private struct Place {
    let id: EventID
    let sequence: UInt64
    /// The number of its author's feed.
    let feed: UInt32
    /// Where its links end; they begin where those of the event before end.
    let linkEnd: UInt32
  }

  /// The events, in the order in which they were added, where they are kept.
  package private(set) var events: [Event] = []
  /// Feeds, in the order of their first events.
  package private(set) var feeds: [Feed] = []
  /// For each author with a fork, the lowest sequence that two of its events share.
  package private(set) var forks: [PeerID: UInt64] = [:]
  /// Whose feeds were found to be forked, or forked earlier than was known, in the order in which that was found.
  package private(set) var forkNews: [PeerID] = []
  private var places: [Place] = []
  private var index: PositionTable
  /// Whether all positions are in `index`; else only the ends of the first feeds are found.
  private var isIndexed: Bool
  private var numbers = FeedNumbers()
  /// Positions of previous and parents of all events, one event's after the other's.
  private var links: [UInt32] = []
  /// For each event the nearest on its chain, itself among them, that names more than the one before it, or is the
  /// chain's first.
  private var naming: [UInt32] = []
  /// Events of a damaged store that do not link, and those that rest on them.
  private var loose: Set<Int> = []

  /// An empty graph, with room for `capacity` events.
  /// - Parameter isIndexed: whether any event is found by its id; else `makeIndex` comes before that.
  package init(capacity: Int = 0, isIndexed: Bool = true) {
    index = PositionTable(capacity: isIndexed ? capacity : 0)
    self.isIndexed = isIndexed
    places.reserveCapacity(capacity)
    naming.reserveCapacity(capacity)
  }

  /// The graph of a room's events, in a causal order; those that do not link are left out.
  package init(_ events: [Event]) {
    self.init(capacity: events.count)
    for event in events { _ = add(event) }
  }

  // MARK: - Adding

  /// How many events were added.
  package var count: Int { places.count }

  /// Whether `event` may name `before` as its previous.
  package static func follows(_ event: Event, _ before: Event) -> Bool {
    before.author == event.author && before.sequence + 1 == event.sequence
  }

  /// How an event of this room links to what is here (Docs/PROTOCOL.md §3.1).
  /// - Parameter before: an event that is about to be added and that this one may follow.
  package func linking(
    of event: some EventFields & ~Escapable, after before: EventID? = nil
  ) -> Linking {
    var found = Links()
    var missing: EventID?
    let feed = numbers[event.author]
    found.feed = feed
    if event.sequence > 1, case let previous = event.previous, previous != before {
      if let at = position(of: previous) {
        guard self.feed(at) == feed, places[at].sequence + 1 == event.sequence else { return .broken }
        found.previous = at
      } else {
        missing = previous
      }
    }
    for number in 0..<event.parentCount {
      let parent = event.parent(number)
      if let at = position(of: parent) {
        guard self.feed(at) != feed else { return .broken }
        found.append(parent: at)
      } else {
        missing = missing ?? parent
      }
    }
    // A room begins with its own event, which all others rest on.
    if places.isEmpty ? event.id != event.room : !isLinked(0) { missing = missing ?? event.room }
    return missing.map { .missing($0) } ?? .whole(found)
  }

  /// Whether an event that links could be here already: whatever goes on from the end of a feed is new.
  package func mayHold(_ event: some EventFields & ~Escapable, _ links: Links) -> Bool {
    guard let feed = links.feed else { return false }
    return event.sequence != feeds[feed].last + 1 || links.previous != feeds[feed].positions.last
  }

  /// Adds an event of the same room as the first one, and keeps it.
  /// - Returns: its position, or `nil` when it is here already or does not link.
  package mutating func add(_ event: Event) -> Int? {
    if let first = events.first, first.room != event.room { return nil }
    guard case .whole(let links) = linking(of: event),
      !mayHold(event, links) || position(of: event.id) == nil
    else { return nil }
    add(event, links)
    return places.count - 1
  }

  /// Adds an event that is not here, with what was just found of its links, and keeps it.
  /// - Returns: the number of its feed.
  @discardableResult
  package mutating func add(_ event: Event, _ links: Links) -> Int {
    if events.isEmpty { events.reserveCapacity(places.capacity) }
    events.append(event)
    return note(event, links)
  }

  /// Adds an event that is not here, with what was just found of its links, and does not keep it.
  /// - Returns: the number of its feed.
  @discardableResult
  package mutating func note(_ event: some EventFields & ~Escapable, _ links: Links) -> Int {
    let position = places.count
    if let previous = links.previous { self.links.append(UInt32(truncatingIfNeeded: previous)) }
    for number in 0..<links.parents {
      let parent = links.parent(number)
      self.links.append(UInt32(truncatingIfNeeded: parent))
      noteNamed(parent)
    }
    let (id, sequence) = (event.id, event.sequence)
    let feed = links.feed ?? numbers[event.author] ?? addFeed(of: event.author)
    places.append(
      Place(
        id: id, sequence: sequence, feed: UInt32(truncatingIfNeeded: feed),
        linkEnd: UInt32(truncatingIfNeeded: self.links.count)))
    let isPlain = links.parents == 0
    naming.append(
      isPlain
        ? links.previous.map { naming[$0] } ?? UInt32(truncatingIfNeeded: position)
        : UInt32(truncatingIfNeeded: position))
    if !loose.isEmpty, before(position).contains(where: { loose.contains(Int($0)) }) {
      loose.insert(position)
    }
    if isIndexed {
      let places = places
      index.set(id, at: position) { places[$0].id == id }
    }
    addToFeed(feed, sequence, at: position, after: links.previous)
    return feed
  }

  /// Has any event found by its id from here on.
  /// - Returns: whether that is new.
  package mutating func makeIndex() -> Bool {
    guard !isIndexed else { return false }
    isIndexed = true
    index = PositionTable(capacity: places.capacity)
    let places = places
    for (position, place) in places.enumerated() {
      index.set(place.id, at: position) { places[$0].id == place.id }
    }
    return true
  }

  /// Adds an event from a store that is trusted: one that does not link there stands for itself.
  /// - Returns: what it names, and the number of its feed.
  package mutating func restore(_ event: Event) -> (links: Links, feed: Int) {
    if (events.first ?? event).room == event.room, case .whole(let links) = linking(of: event) {
      return (links, add(event, links))
    }
    loose.insert(places.count)
    return (Links(), add(event, Links()))
  }

  /// Whether all events link; they do but in a damaged store.
  package var isWhole: Bool { loose.isEmpty }

  /// Whether an event and all that it rests on link.
  package func isLinked(_ position: Int) -> Bool { loose.isEmpty || !loose.contains(position) }

  private mutating func addToFeed(_ feed: Int, _ sequence: UInt64, at position: Int, after previous: Int?) {
    defer { if !feeds[feed].branches.isEmpty { feeds[feed].noteAdded(position) } }
    if sequence == feeds[feed].last + 1, previous == feeds[feed].positions.last {
      feeds[feed].positions.append(position)
    } else if let previous, let branch = feeds[feed].branches.firstIndex(where: { $0.last == previous }) {
      feeds[feed].branches[branch].append(position)
    } else {
      feeds[feed].branches.append([position])
      guard sequence < feeds[feed].forkSequence ?? .max else { return }
      feeds[feed].forkSequence = sequence
      forks[feeds[feed].author] = sequence
      forkNews.append(feeds[feed].author)
    }
  }

  private mutating func noteNamed(_ position: Int) {
    let (feed, sequence) = (Int(places[position].feed), places[position].sequence)
    if feeds[feed].namedThrough < sequence { feeds[feed].namedThrough = sequence }
  }

  private mutating func addFeed(of author: PeerID) -> Int {
    feeds.append(Feed(author: author))
    return numbers.add(author)
  }

  // MARK: - Looking

  /// The number of an author's feed in `feeds`.
  package func number(of author: PeerID) -> Int? { numbers[author] }

  // To read a feed through `feeds` copies it; these do not.

  /// How many feeds there are.
  package var feedCount: Int { feeds.count }

  /// Who writes a feed.
  package func author(ofFeed feed: Int) -> PeerID { feeds[feed].author }

  /// The position of the last event of a feed's first branch.
  package func end(ofFeed feed: Int) -> Int? { feeds[feed].positions.last }

  /// How many events the first branch of a feed has.
  package func length(ofFeed feed: Int) -> UInt64 { feeds[feed].last }

  /// Whether a feed is forked.
  package func isForked(feed: Int) -> Bool { feeds[feed].forkSequence != nil }

  /// The last event of a feed before branches differ, when it is after this sequence.
  package func lastBeforeFork(ofFeed feed: Int, after sequence: UInt64) -> (sequence: UInt64, position: Int)?
  {
    feeds[feed].lastBeforeFork(after: sequence)
  }

  /// The feed of an author.
  package func feed(of author: PeerID) -> Feed? { numbers[author].map { feeds[$0] } }

  /// The position of an event.
  package func position(of id: EventID) -> Int? {
    if let near = near(id, before: places.count) { return near }
    guard isIndexed else {
      for feed in feeds.indices.prefix(FeedNumbers.limitNear) {
        if let end = feeds[feed].positions.last, places[end].id == id { return end }
      }
      return nil
    }
    let places = places
    return index.position(of: id) { places[$0].id == id }
  }

  /// The position of an event when it is before another one.
  package func position(of id: EventID, before end: Int) -> Int? {
    near(id, before: end) ?? position(of: id).flatMap { $0 < end ? $0 : nil }
  }

  /// The position of an event that is likely to have come soon after another one.
  package func position(of id: EventID, after start: Int) -> Int? {
    for position in start..<min(start + Self.reachNear, places.count) where places[position].id == id {
      return position
    }
    return position(of: id)
  }

  /// What is named most is what came last, or just before that: the events of a round name each other.
  private func near(_ id: EventID, before end: Int) -> Int? {
    var position = end - 1
    let lowest = max(0, end - Self.reachNear)
    while position >= lowest {
      if places[position].id == id { return position }
      position -= 1
    }
    return nil
  }

  /// How many events are looked through one by one.
  private static let reachNear = 6

  /// The event whose id begins so, where it is one of the last ones; of several the last.
  /// - Parameter reach: how many of the last ones are looked through.
  package func recent(_ prefix: UInt64, reach: Int) -> EventID? {
    places.suffix(reach).last { $0.id.bytes.prefix64 == prefix }?.id
  }

  /// The event of this id.
  package func event(_ id: EventID) -> Event? { position(of: id).map { events[$0] } }

  /// The id of the event at a position.
  package func id(_ position: Int) -> EventID { places[position].id }

  /// The number of the feed that the event at a position is in.
  package func feed(_ position: Int) -> Int { Int(places[position].feed) }

  /// Who wrote the event at a position.
  package func author(_ position: Int) -> PeerID { feeds[feed(position)].author }

  /// The place of the event at a position in its author's feed, from 1.
  package func sequence(_ position: Int) -> UInt64 { places[position].sequence }

  /// Whether an event is on a branch: its feed is forked at or before it.
  package func isBehindFork(_ position: Int) -> Bool {
    places[position].sequence >= feeds[feed(position)].forkSequence ?? .max
  }

  /// The position of an author's event before this one; `nil` for the first of a feed.
  package func previous(_ position: Int) -> Int? {
    places[position].sequence > 1 ? before(position).first.map { Int($0) } : nil
  }

  /// The position of the last event of the same feed that was added before this one, on whatever branch; `nil` where
  /// none was.
  func lastOfFeed(before position: Int) -> Int? {
    let feed = places[position].feed
    guard position > 0, places[position - 1].feed != feed else { return position > 0 ? position - 1 : nil }
    guard !feeds[Int(feed)].branches.isEmpty else { return previous(position) }
    let place = feeds[Int(feed)].added.partitioningIndex { $0 >= position }
    return place > 0 ? Int(feeds[Int(feed)].added[place - 1]) : nil
  }

  /// Positions of an event's previous and parents, in this order.
  package func before(_ position: Int) -> ArraySlice<UInt32> {
    links[Int(position == 0 ? 0 : places[position - 1].linkEnd)..<Int(places[position].linkEnd)]
  }

  /// Whether the first of two positions holds the event of lower sequence; of equal ones (two branches of a
  /// fork) that of the lower id.
  package func isEarlier(_ a: Int, _ b: Int) -> Bool {
    (places[a].sequence, places[a].id) < (places[b].sequence, places[b].id)
  }
}

// MARK: - The past

extension CausalGraph {
  /// Whether `ancestor` happened before `event`, by positions. An event is not in its own past.
  package func isInPast(_ ancestor: Int, of event: Int) -> Bool {
    guard ancestor < event else { return false }
    if before(event).contains(UInt32(truncatingIfNeeded: ancestor)) { return true }
    let (feed, sequence) = (places[ancestor].feed, places[ancestor].sequence)
    let isForked = feeds[Int(feed)].forkSequence != nil
    if !isForked, places[event].feed == feed { return places[event].sequence > sequence }
    // What nobody else has named is in nobody else's past: else whoever names each other all the way could have all of
    // it gone through for each event of a stranger that they speak of.
    if places[event].feed != feed, feeds[Int(feed)].namedThrough < sequence { return false }
    // Of events that name nothing but the one before there may be many in a row, which lead nowhere else. Those of the
    // ancestor's own feed are gone through one by one, where it has branches.
    func lastNaming(_ position: Int) -> Int {
      places[position].feed == feed ? position : Int(naming[position])
    }
    // In a feed without a fork everything before an event of it is in that event's past.
    func leads(_ next: Int) -> Bool {
      next == ancestor || (!isForked && places[next].feed == feed && places[next].sequence > sequence)
    }
    let last = lastNaming(event)
    guard last > ancestor else { return false }
    if before(last).contains(where: { leads(Int($0)) }) { return true }
    var seen = [Bool](repeating: false, count: event - ancestor)
    var stack = [last]
    while let position = stack.popLast() {
      for next in before(position).lazy.map({ Int($0) }) where next >= ancestor {
        if leads(next) { return true }
        let next = lastNaming(next)
        guard next > ancestor, !seen[next - ancestor] else { continue }
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
      for next in before(position) where past.insert(Int(next)) { stack.append(Int(next)) }
    }
    return past
  }

  /// The highest sequence of each feed, by its number, among an event and its past.
  package func highestSequences(through event: Int) -> [UInt64] {
    var highest = [UInt64](repeating: 0, count: feeds.count)
    let past = past(of: event)
    for position in 0...event where position == event || past.contains(position) {
      let feed = feed(position)
      highest[feed] = max(highest[feed], sequence(position))
    }
    return highest
  }
}

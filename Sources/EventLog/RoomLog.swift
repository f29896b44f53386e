package import Events

/// The events of one room in memory, in causal order, with their signatures: the rules of appending.
///
/// The log only grows. An event is here when its previous and all its parents are, so every prefix of
/// `entries` is closed under “happened before”. Two ways lead in: `append` for events made in this process,
/// which may still be unsigned, and `receive` for runs from others, which are checked first.
package struct RoomLog: Sendable {
  /// One event with its signature, if it has one of its own.
  package struct Entry: Sendable {
    package let event: Event
    package internal(set) var signature: Signature?

    package init(event: Event, signature: Signature?) {
      self.event = event
      self.signature = signature
    }
  }

  /// One author's events here.
  package struct Feed: Sendable {
    package let author: PeerID
    /// Index in `entries` of the event at each sequence, from sequence 1; the branch that came first.
    package internal(set) var positions: [Int] = []
    /// The last sequence that a checked signature covers.
    package internal(set) var verifiedThrough: UInt64 = 0
    /// The lowest sequence at which branches differ.
    package internal(set) var forkSequence: UInt64?
    /// Other branches, each from its first differing event; indexes in `entries`.
    package internal(set) var branches: [[Int]] = []

    package init(author: PeerID) { self.author = author }

    /// The last sequence held.
    package var last: UInt64 { UInt64(positions.count) }
  }

  /// The most events that wait for others.
  package static let limitWaiting = 1_024
  /// The most branches kept of a forked feed, besides the first.
  package static let limitBranches = 8

  /// The room; its `create` is the first entry.
  package let room: RoomID
  /// Events in the order in which they were taken in, which is a causal order.
  package internal(set) var entries: [Entry] = []
  /// Feeds, in the order of their first events here.
  package internal(set) var feeds: [Feed] = []
  /// Verified events that wait for previous or parents, in order of arrival.
  package internal(set) var waiting: [Entry] = []
  private var index: [EventID: Int] = [:]
  private var feedIndex: [PeerID: Int] = [:]
  private var waitingIDs: Set<EventID> = []

  /// An empty log of a room.
  package init(room: RoomID) { self.room = room }

  /// The feed of an author.
  package func feed(_ author: PeerID) -> Feed? { feedIndex[author].map { feeds[$0] } }

  /// The position of an event in `entries`.
  package func position(of id: EventID) -> Int? { index[id] }

  /// Whether the event is here.
  package func contains(_ id: EventID) -> Bool { index[id] != nil }

  /// The event at a sequence of the first branch of a feed.
  package func event(of author: PeerID, at sequence: UInt64) -> Event? {
    guard let feed = feed(author), sequence >= 1, sequence <= feed.last else { return nil }
    return entries[feed.positions[Int(sequence) - 1]].event
  }

  /// What is held: one clock entry per feed.
  package var clock: VectorClock {
    VectorClock(
      feeds.map { feed in
        if let fork = feed.forkSequence {
          return .init(author: feed.author, sequence: fork, head: .none, isForked: true)
        }
        let head = feed.positions.last.map { entries[$0].event.id } ?? .none
        return .init(author: feed.author, sequence: feed.last, head: head)
      })
  }

  /// Takes an event made in this process, signed or not yet.
  package mutating func append(_ event: Event, signature: Signature? = nil) throws(LogError) {
    guard event.room == room else { throw .wrongRoom(event.id) }
    guard !contains(event.id) else { return }
    let held = feed(event.author)?.last ?? 0
    guard event.sequence == held + 1 else { throw .brokenChain(event.id, sequence: event.sequence) }
    try checkLinks(of: event)
    place(event, signature: signature)
  }

  /// Notes the signature over an event that is here; the caller vouches for it.
  package mutating func attach(_ signature: Signature, to id: EventID) throws(LogError) {
    guard let position = index[id] else { throw .missing(id) }
    entries[position].signature = signature
    let event = entries[position].event
    guard let at = feedIndex[event.author] else { return }
    if feeds[at].positions.count >= event.sequence, feeds[at].positions[Int(event.sequence) - 1] == position {
      feeds[at].verifiedThrough = max(feeds[at].verifiedThrough, event.sequence)
    }
  }

  /// Checks that previous and parents are here, or in `taken`, and that the chain links.
  private func checkLinks(of event: Event, with taken: [EventID: Event] = [:]) throws(LogError) {
    if event.sequence > 1 {
      let previous = try known(event.previous, or: taken)
      guard previous.author == event.author, previous.sequence + 1 == event.sequence else {
        throw .brokenChain(event.id, sequence: event.sequence)
      }
    }
    for parent in event.parents {
      guard try known(parent, or: taken).author != event.author else {
        throw .brokenChain(event.id, sequence: event.sequence)
      }
    }
    if event.id != room { _ = try known(room, or: taken) }
  }

  private func known(_ id: EventID, or taken: [EventID: Event]) throws(LogError) -> Event {
    if let position = index[id] { return entries[position].event }
    guard let event = taken[id] else { throw .missing(id) }
    return event
  }

  /// Adds an event whose links hold: at the end of its feed, or on a branch of a fork.
  private mutating func place(_ event: Event, signature: Signature?) {
    let position = entries.count
    entries.append(Entry(event: event, signature: signature))
    index[event.id] = position
    let at: Int
    if let known = feedIndex[event.author] {
      at = known
    } else {
      at = feeds.count
      feedIndex[event.author] = at
      feeds.append(Feed(author: event.author))
    }
    if event.sequence == feeds[at].last + 1, event.sequence == 1 || isTip(event.previous, of: feeds[at]) {
      feeds[at].positions.append(position)
      if signature != nil { feeds[at].verifiedThrough = event.sequence }
    } else {
      addToBranch(event, position: position, feed: at)
    }
  }

  private func isTip(_ id: EventID, of feed: Feed) -> Bool {
    feed.positions.last.map { entries[$0].event.id == id } ?? false
  }

  private mutating func addToBranch(_ event: Event, position: Int, feed at: Int) {
    let fork = feeds[at].forkSequence ?? event.sequence
    let known = feeds[at].branches.firstIndex {
      $0.last.map { entries[$0].event.id == event.previous } ?? false
    }
    if let known {
      feeds[at].branches[known].append(position)
    } else {
      feeds[at].branches.append([position])
      feeds[at].forkSequence = min(fork, event.sequence)
    }
  }
}

extension RoomLog {
  /// Takes a run from somebody else, after checking ids' chain and signature.
  /// - Returns: the events that are in `entries` now and were not before, in the order they were taken in:
  ///   of this run, and of earlier ones that waited for it.
  /// - Throws: when the run is not what its author signed, when it leaves a gap, or accuses without proof.
  package mutating func receive(
    _ run: Run, scheme: some SignatureScheme
  ) throws(LogError) -> [Event] {
    try checkShape(of: run)
    guard let last = run.events.last else { return [] }
    guard run.events.contains(where: { !isKnown($0.id) }) else { return [] }
    try checkStart(of: run)
    guard scheme.isValid(run.signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
    try checkFork(run)
    guard waiting.count + run.events.count <= Self.limitWaiting + Run.limitEvents else {
      throw .limit("more than \(Self.limitWaiting) events wait for events that are not here")
    }
    for event in run.events where !isKnown(event.id) {
      waiting.append(Entry(event: event, signature: event.id == last.id ? run.signature : nil))
      waitingIDs.insert(event.id)
    }
    if let position = index[last.id], entries[position].signature == nil {
      try attach(run.signature, to: last.id)
    }
    return releaseWaiting()
  }

  private func isKnown(_ id: EventID) -> Bool { contains(id) || waitingIDs.contains(id) }

  /// One author, one room, each event naming the one before, within the limits of a run.
  private func checkShape(of run: Run) throws(LogError) {
    guard run.events.count <= Run.limitEvents, run.events.reduce(0, { $0 + $1.body.count }) <= Run.limitBytes
    else { throw .limit("a run of \(run.events.count) events") }
    for (offset, event) in run.events.enumerated() {
      guard event.room == room else { throw .wrongRoom(event.id) }
      guard offset > 0 else { continue }
      let before = run.events[offset - 1]
      guard before.author == event.author, event.previous == before.id, event.sequence == before.sequence + 1
      else { throw .brokenChain(event.id, sequence: event.sequence) }
    }
  }

  /// The run's first event starts the feed or follows an event of the same author that is known.
  private func checkStart(of run: Run) throws(LogError) {
    guard let first = run.events.first, first.sequence > 1 else { return }
    let before =
      index[first.previous].map { entries[$0].event }
      ?? waiting.first { $0.event.id == first.previous }?.event
    guard let before else { throw .missing(first.previous) }
    guard before.author == first.author, before.sequence + 1 == first.sequence else {
      throw .brokenChain(first.id, sequence: first.sequence)
    }
  }

  /// A run that contradicts what is here counts only when the branch here is signed too.
  private func checkFork(_ run: Run) throws(LogError) {
    guard let fresh = run.events.first(where: { !isKnown($0.id) }), let feed = feed(fresh.author) else {
      return
    }
    guard fresh.sequence <= feed.last else { return }
    guard fresh.sequence <= feed.verifiedThrough else { throw .unprovenFork(fresh.id) }
    guard feed.branches.count < Self.limitBranches else {
      throw .limit("a feed with more than \(Self.limitBranches) branches is proven dishonest already")
    }
  }

  /// Moves from the waiting room into the log what is linked, as far as each feed's last checked signature: a
  /// feed in the log never ends in an event that no signature here covers.
  private mutating func releaseWaiting() -> [Event] {
    var releasable = linked(waiting)
    while true {
      var signedThrough: [PeerID: UInt64] = [:]
      for entry in releasable where entry.signature != nil {
        signedThrough[entry.event.author] = max(signedThrough[entry.event.author] ?? 0, entry.event.sequence)
      }
      let covered = releasable.filter { $0.event.sequence <= signedThrough[$0.event.author] ?? 0 }
      guard covered.count < releasable.count else { break }
      releasable = linked(covered)
    }
    for entry in releasable {
      place(entry.event, signature: entry.signature)
      waitingIDs.remove(entry.event.id)
    }
    waiting.removeAll { !waitingIDs.contains($0.event.id) }
    return releasable.map(\.event)
  }

  /// Those of `entries` that can be taken in one after the other, in such an order.
  private func linked(_ entries: [Entry]) -> [Entry] {
    var order: [Entry] = []
    var taken: [EventID: Event] = [:]
    var left = entries
    while true {
      var still: [Entry] = []
      for entry in left {
        if isLinked(entry.event, with: taken) {
          taken[entry.event.id] = entry.event
          order.append(entry)
        } else {
          still.append(entry)
        }
      }
      guard still.count < left.count, !still.isEmpty else { return order }
      left = still
    }
  }

  private func isLinked(_ event: Event, with taken: [EventID: Event]) -> Bool {
    do throws(LogError) {
      try checkLinks(of: event, with: taken)
      return true
    } catch { return false }
  }
}

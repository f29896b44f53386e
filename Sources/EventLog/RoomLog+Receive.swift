package import Events

extension RoomLog {
  /// Takes a run from somebody else, after checking its chain, its signature and what it contradicts.
  /// - Returns: the events that are in `entries` now and were not before, in the order they were taken in:
  ///   of this run, and of earlier ones that waited for it.
  /// - Throws: when the run is not what its author signed, when it leaves a gap, when it accuses without
  ///   proof, or when it comes early and the waiting room is full.
  package mutating func receive(
    _ run: Run, scheme: some SignatureScheme
  ) throws(LogError) -> [Event] {
    try checkShape(of: run)
    guard let last = run.events.last else { return [] }
    let fresh = run.events.filter { !isKnown($0.id) }
    guard let first = fresh.first else {
      return try receiveSignature(run.signature, of: last, scheme: scheme)
    }
    try checkStart(of: run)
    guard scheme.isValid(run.signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
    try checkFork(first)
    let held = entries.count
    if try linksDirectly(fresh) {
      for event in fresh.dropLast() { place(event, signature: nil) }
      if let end = fresh.last { place(end, signature: end.id == last.id ? run.signature : nil) }
      if waiting.isEmpty { return fresh }
      releaseWaiting()
    } else {
      try makeRoom(for: fresh.count, of: last.author)
      for event in fresh {
        wait(Entry(event: event, signature: event.id == last.id ? run.signature : nil))
      }
      noteWaitingSignature(run.signature, of: last.id)
      if fresh.allSatisfy(hasAllLinks) { releaseWaiting() }
    }
    return entries[held...].map(\.event)
  }

  private func isKnown(_ id: EventID) -> Bool { contains(id) || waitingIDs.contains(id) }

  private mutating func wait(_ entry: Entry) {
    waiting.append(entry)
    waitingIDs.insert(entry.event.id)
  }

  /// Takes the signature of a run whose events are all known, where it covers events that none covers yet.
  private mutating func receiveSignature(
    _ signature: Signature, of last: Event, scheme: some SignatureScheme
  ) throws(LogError) -> [Event] {
    if let position = position(of: last.id) {
      let isOnFirstBranch = event(of: last.author, at: last.sequence) == last
      guard isOnFirstBranch, entries[position].signature == nil,
        last.sequence > feed(last.author)?.verifiedThrough ?? 0
      else { return [] }
      guard scheme.isValid(signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
      try attach(signature, to: last.id)
      return []
    }
    guard waiting.contains(where: { $0.event.id == last.id && $0.signature == nil }) else { return [] }
    guard scheme.isValid(signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
    let held = entries.count
    noteWaitingSignature(signature, of: last.id)
    releaseWaiting()
    return entries[held...].map(\.event)
  }

  private mutating func noteWaitingSignature(_ signature: Signature, of id: EventID) {
    guard let at = waiting.firstIndex(where: { $0.event.id == id }) else { return }
    waiting[at].signature = signature
  }

  /// One author, one room, each event naming the one before, within the limits of a run.
  private func checkShape(of run: Run) throws(LogError) {
    guard run.events.count <= Run.limitEvents, run.events.reduce(0, { $0 + $1.bodyBytes }) <= Run.limitBytes
    else { throw .limit("a run of \(run.events.count) events") }
    // Elements of a span are lent; those of an array would be copied.
    let events = run.events.span
    for index in events.indices {
      guard events[index].room == room else { throw .wrongRoom(events[index].id) }
      guard index > 0 else { continue }
      guard events[index].previous == events[index - 1].id, follows(events[index], events[index - 1]) else {
        throw .brokenChain(events[index].id, sequence: events[index].sequence)
      }
    }
  }

  /// The run's first event starts the feed or follows an event of the same author that is known.
  private func checkStart(of run: Run) throws(LogError) {
    guard let first = run.events.first, first.sequence > 1 else { return }
    let before =
      position(of: first.previous).map { entries[$0].event }
      ?? waiting.first { $0.event.id == first.previous }?.event
    guard let before else { throw .missing(first.previous) }
    guard follows(first, before) else { throw .brokenChain(first.id, sequence: first.sequence) }
  }

  /// A run that contradicts what is here counts only when the branch here is signed too.
  private func checkFork(_ fresh: Event) throws(LogError) {
    guard let feed = feed(fresh.author), fresh.sequence <= feed.last else { return }
    // A run that goes on from the tip of a proven branch adds no branch.
    let goesOn = feed.branches.contains { branch in
      branch.last.map { entries[$0].event.id == fresh.previous } ?? false
    }
    guard !goesOn else { return }
    guard fresh.sequence <= feed.verifiedThrough else { throw .unprovenFork(fresh.id) }
    guard feed.branches.count < Self.limitBranches else {
      throw .crowded("a feed with more than \(Self.limitBranches) branches is proven dishonest already")
    }
  }

  /// Whether new events of one run can be taken in at once; throws when they never can.
  private func linksDirectly(_ events: [Event]) throws(LogError) -> Bool {
    var before: EventID?
    var isWhole = true
    let events = events.span
    for index in events.indices {
      switch link(of: events[index], after: before) {
      case .whole: break
      case .missing: isWhole = false
      case .broken: throw .brokenChain(events[index].id, sequence: events[index].sequence)
      }
      before = events[index].id
    }
    return isWhole
  }

  /// Whether all that an event names is here or waits.
  private func hasAllLinks(_ event: Event) -> Bool {
    (event.sequence == 1 || isKnown(event.previous)) && event.parents.allSatisfy(isKnown) && isKnown(room)
  }

  /// Makes room for early events, at the cost of whoever has most events waiting.
  ///
  /// So one author who names events that never come cannot keep the others' early events out; theirs that
  /// are dropped here are asked for again.
  private mutating func makeRoom(for count: Int, of author: PeerID) throws(LogError) {
    while waiting.count + count > Self.limitWaiting {
      var counts: [PeerID: Int] = [author: count]
      for entry in waiting { counts[entry.event.author, default: 0] += 1 }
      let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
      guard let most, most.key != author else {
        throw .crowded("more than \(Self.limitWaiting) events wait for events that are not here")
      }
      waiting.removeAll { $0.event.author == most.key }
      waitingIDs = Set(waiting.map(\.event.id))
    }
  }

  /// Events that waiting ones name and that are nowhere here.
  /// - Parameter limit: the most ids wanted.
  package func missing(limit: Int) -> [EventID] {
    var missing: [EventID] = []
    for entry in waiting {
      let event = entry.event
      let named = (event.sequence > 1 ? [event.previous] : []) + event.parents + [room]
      for id in named where !isKnown(id) && !missing.contains(id) { missing.append(id) }
      if missing.count >= limit { break }
    }
    return Array(missing.prefix(limit))
  }

  /// Moves from the waiting room into the log what is linked, as far as each chain's last checked signature:
  /// a feed in the log never ends in an event that no signature here covers.
  mutating func releaseWaiting() {
    guard !waiting.isEmpty else { return }
    var graph = WaitingGraph(waiting, in: self)
    let (released, broken) = graph.release()
    for at in released { place(waiting[at].event, signature: waiting[at].signature) }
    guard !released.isEmpty || !broken.isEmpty else { return }
    let gone = Set(released + broken)
    waiting = waiting.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
    waitingIDs = Set(waiting.map(\.event.id))
  }
}

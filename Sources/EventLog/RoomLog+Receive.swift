package import Events

extension RoomLog {
  /// Takes a run from somebody else, after checking its chain, its signature and what it contradicts.
  ///
  /// A run that comes early waits (Docs/PROTOCOL.md §3.1). Of a feed that is known to be forked nothing is taken beyond
  /// the fork but what waiting events need.
  /// - Parameters:
  ///   - giver: the connection that it came from: of each so much waits, and no more.
  ///   - isOwn: whether another process of this peer's data folder sends it: then all of it is wanted.
  /// - Returns: the events that are in `entries` now and were not before, in the order they were taken in:
  ///   of this run, and of earlier ones that waited for it.
  /// - Throws: when the run is not what its author signed, when it leaves a gap, when it accuses without proof, or when
  ///   it is not wanted now.
  package mutating func receive(
    _ run: Run, from giver: UInt32? = nil, scheme: some SignatureScheme, isOwn: Bool = false
  ) throws(LogError) -> [Event] {
    try run.checkShape(in: room)
    if let error = refusal(of: run) { throw error }
    guard let last = run.events.last else { return [] }
    let fresh = run.events.filter { !isKnown($0.id) }
    if !waitingRoom.isEmpty { waitingRoom.note(giver, gave: run.events) }
    release.earn(run.events.count)
    guard !fresh.isEmpty else { return try receiveSignature(run.signature, of: last, scheme: scheme) }
    let need = waitingRoom.place(needing: run.events)
    if need == nil, !isOwn { try checkStart(fresh[0]) }
    guard scheme.isValid(run.signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
    if need == nil, !isOwn { try checkFork(startOfBranch(to: fresh[0])) }
    let held = graph.events.count
    if try linksDirectly(fresh) {
      for event in fresh { restore(event, signature: event.id == last.id ? run.signature : nil) }
      if waitingRoom.isEmpty { return fresh }
      // All that waits, waits for the `create` first, and then for what it names.
      if waitingRoom.noteHeld(fresh) || held == 0 { release.isDue = true }
    } else {
      try wait(fresh, run, of: giver, neededBy: need)
      if mayLink(fresh[0]) { release.isDue = true }
    }
    releaseIfDue()
    return Array(graph.events[held...])
  }

  /// Whether all that an event names is here or waits: only then can it, or what waits for it, be taken in.
  private func mayLink(_ event: Event) -> Bool {
    isKnown(room) && (event.sequence == 1 || isKnown(event.previous))
      && (0..<event.parentCount).allSatisfy { isKnown(event.parent($0)) }
  }

  private func isKnown(_ id: EventID) -> Bool { contains(id) || waitingRoom.contains(id) }

  /// Takes the signature of a run whose events are all known, where it covers events that none covers yet.
  private mutating func receiveSignature(
    _ signature: Signature, of last: Event, scheme: some SignatureScheme
  ) throws(LogError) -> [Event] {
    if let position = position(of: last.id) {
      let isOnFirstBranch = event(of: last.author, at: last.sequence) == last
      guard isOnFirstBranch, self.signature(at: position) == nil,
        last.sequence > verifiedThrough(of: last.author)
      else { return [] }
      guard scheme.isValid(signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
      try attach(signature, to: last.id)
      return []
    }
    guard waitingRoom.isUnsigned(last.id) else { return [] }
    guard scheme.isValid(signature, of: last.id, by: last.author) else { throw .badSignature(last.id) }
    let held = graph.events.count
    waitingRoom.sign(last.id, signature)
    release.isDue = true
    releaseIfDue()
    return Array(graph.events[held...])
  }

  /// Throws unless an event that nothing needs follows one that is known.
  private func checkStart(_ first: Event) throws(LogError) {
    guard first.sequence > 1 else { return }
    guard let before = entry(first.previous) else {
      if first.sequence > feed(first.author)?.forkSequence ?? .max { throw .notNeeded(first.id) }
      throw .missing(first.previous)
    }
    guard CausalGraph.follows(first, before) else { throw .brokenChain(first.id, sequence: first.sequence) }
  }

  /// An event that is here or waits.
  private func entry(_ id: EventID) -> Event? {
    graph.event(id) ?? waitingRoom.event(id)
  }

  /// The first event on the chain to this one that is not in the log; those between wait.
  private func startOfBranch(to event: Event) -> Event {
    if let start = waitingRoom.startOfBranch(to: event.previous), !contains(start.id) { return start }
    // Some of the branch is in the log since its first run came to wait.
    var first = event
    while first.sequence > 1, let before = waitingRoom.event(first.previous) { first = before }
    return first
  }

  /// Throws unless an event that nothing needs goes on from the end of a feed without a fork, or proves a fork, or a
  /// lower one than the one that is known.
  /// - Parameter first: the first event of its branch that is not in the log.
  private func checkFork(_ first: Event) throws(LogError) {
    guard let feed = feed(first.author) else { return }
    guard first.sequence < feed.forkSequence ?? .max else { throw .notNeeded(first.id) }
    guard first.sequence <= feed.last else { return }
    // A run that contradicts what is here counts only when the branch here is signed too.
    guard first.sequence <= verifiedThrough(of: first.author) else { throw .unprovenFork(first.id) }
  }

  /// Whether new events of one run can be taken in at once; throws when they never can.
  private func linksDirectly(_ events: [Event]) throws(LogError) -> Bool {
    var before: (id: EventID, standing: Membership.Standing?)?
    var isWhole = true
    let events = events.span
    for index in events.indices {
      var standing: Membership.Standing?
      switch graph.linking(of: events[index], after: before?.id) {
      case .whole(let links):
        guard isWhole else { break }
        standing = membership.standing(of: events[index], links, after: before?.standing)
        if standing == nil { throw .misnamed(events[index].id) }
      case .missing: isWhole = false
      case .broken: throw .brokenChain(events[index].id, sequence: events[index].sequence)
      }
      before = (events[index].id, standing)
    }
    return isWhole
  }

  // MARK: - Waiting

  /// Lets a run wait in the places of who gave it.
  private mutating func wait(
    _ fresh: [Event], _ run: Run, of giver: UInt32?, neededBy need: Int?
  ) throws(LogError) {
    let last = run.events.last?.id
    let waiting = fresh.map { Entry(event: $0, signature: $0.id == last ? run.signature : nil) }
    let bytes = fresh.reduce(0) { $0 + $1.bodyBytes }
    guard waitingRoom.makeRoom(for: bytes, of: giver, neededBy: need) else {
      throw .crowded("\(WaitingRoom.limitBytes) bytes of one giver wait already")
    }
    let start = startOfBranch(to: fresh[0])
    withHeld { room, isHeld in
      room.add(waiting, of: giver, isNeeded: need != nil, start: start, isHeld: isHeld)
    }
  }

  /// Notes that a connection is gone: what it gave and waits is nobody's.
  package mutating func forget(giver: UInt32) {
    waitingRoom.forget(giver)
  }

  /// Lets what a giver alone gave wait no more; it may be given again.
  package mutating func dropWaiting(of giver: UInt32?) {
    guard !waitingRoom.isEmpty else { return }
    waitingRoom.drop(giver)
  }

  /// Calls with the waiting room and a look into the log.
  private mutating func withHeld(_ body: (inout WaitingRoom, (EventID) -> Bool) -> Void) {
    // Taken out, so that it is not copied; the log that is asked is as it was.
    var room = waitingRoom
    waitingRoom = WaitingRoom()
    let log = self
    body(&room) { log.contains($0) }
    waitingRoom = room
  }

  /// Events that are nowhere here and that waiting ones name which a giver gave.
  /// - Parameters:
  ///   - limit: the most ids wanted.
  ///   - newest: how many runs are looked through at most, the newest first.
  package func missing(of giver: UInt32? = nil, limit: Int, newest: Int = .max) -> [EventID] {
    if graph.events.isEmpty, !waitingRoom.isEmpty, !waitingRoom.contains(room) { return [room] }
    return waitingRoom.missing(of: giver, limit: limit, newest: newest)
  }

  /// Moves from the waiting room into the log what is linked, as far as each chain's last checked signature:
  /// a feed in the log never ends in an event that no signature here covers.
  mutating func releaseWaiting() {
    release.isDue = false
    guard !waitingRoom.isEmpty else { return }
    let entries = waitingRoom.entries
    var graph = WaitingGraph(entries, in: self)
    let (released, broken) = graph.release(into: self)
    release.spend(entries.count - released.count)
    for at in released { restore(entries[at].event, signature: entries[at].signature) }
    guard !released.isEmpty || !broken.isEmpty else { return }
    for (at, error) in broken { noteRefused(entries[at].event.id, error) }
    let gone = Set((released + broken.map(\.at)).map { entries[$0].event.id })
    withHeld { room, isHeld in room.remove(gone, isHeld: isHeld) }
  }

  /// Moves what is linked, if it may be that something is, unless much work was for nothing.
  private mutating func releaseIfDue() {
    if release.isDue, release.isAffordable { releaseWaiting() }
  }

  /// Moves what is linked, if that was put off.
  /// - Returns: the events that are in `entries` now and were not before.
  package mutating func releaseWhatWasPutOff() -> [Event] {
    guard release.isDue else { return [] }
    let held = graph.events.count
    releaseWaiting()
    return Array(graph.events[held...])
  }

  /// When it is looked through what waits.
  ///
  /// Each look goes through all of it. Looks that let nothing in are paid for by what comes: else somebody whose runs
  /// wait for one thing that never comes could have all of them looked through for each of many things that do.
  struct Release: Sendable {
    /// Of how many waiting events it may be found at first, and at most, that they have to stay.
    private static let limitCredit = 65_536
    /// Of how many for each event that comes.
    private static let creditOfEvent = 16

    /// Whether something may be linked.
    var isDue = false
    private var credit = limitCredit

    var isAffordable: Bool { credit > 0 }
    mutating func spend(_ events: Int) { credit -= events }
    mutating func earn(_ events: Int) {
      credit = min(credit + events * Self.creditOfEvent, Self.limitCredit)
    }
  }

  /// Why a run is refused for ever: one of its events had waited, and what it named has shown that it is false.
  @_effects(readonly)
  package func refusal(of run: Run) -> LogError? {
    guard !refused.isEmpty else { return nil }
    for event in run.events { if let error = refused[event.id] { return error } }
    return nil
  }

  /// The most events of which it is remembered that they are false.
  private static let limitRefused = 256

  private mutating func noteRefused(_ id: EventID, _ error: LogError) {
    if refused.count >= Self.limitRefused { refused = [:] }
    refused[id] = error
  }
}

extension Run {
  /// Throws unless it has one author and one room, each event naming the one before, and keeps the limits of a run.
  fileprivate func checkShape(in room: RoomID) throws(LogError) {
    guard events.count <= Self.limitEvents, events.reduce(0, { $0 + $1.bodyBytes }) <= Self.limitBytes
    else { throw .limit("a run of \(events.count) events") }
    // Elements of a span are lent; those of an array would be copied.
    let events = self.events.span
    for index in events.indices {
      guard events[index].room == room else { throw .wrongRoom(events[index].id) }
      guard index > 0 else { continue }
      guard events[index].previous == events[index - 1].id,
        CausalGraph.follows(events[index], events[index - 1])
      else {
        throw .brokenChain(events[index].id, sequence: events[index].sequence)
      }
    }
  }
}

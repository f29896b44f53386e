internal import EventLog
internal import Events
internal import Gossip
internal import Peer

/// A peer's core and what of it is stored: what has changed waits for a commit, rooms leave memory when all of them is
/// durable and nothing is done with them, and what is kept for strangers stays bounded.
///
/// A value: commits and reads are done by others, who tell it what came of them.
struct DurableCore {
  var core: PeerCore
  var commits: CommitQueue
  var space = StoreSpace()
  var inMemory = RoomsInMemory()
  /// What is kept for strangers.
  var strangers: StrangersRooms
  /// Rooms in which something happened that nobody has taken notice of yet.
  var touched = RoomQueue()

  init(_ core: PeerCore, _ settings: NetworkSettings) {
    self.core = core
    commits = CommitQueue(settings)
    strangers = StrangersRooms(settings)
  }

  // MARK: - What changes

  /// Somebody here has written into these rooms.
  mutating func noteWritten(_ rooms: [RoomID]) {
    commits.noteWritten()
    for room in rooms { markDirty(room) }
  }

  /// What the core has changed since it was asked last waits for a commit.
  mutating func markChanged() {
    for room in core.effects.takeChanged() { markDirty(room) }
  }

  private mutating func markDirty(_ room: RoomID) {
    commits.add(room)
    touched.add(room)
  }

  /// What a commit is to store of these rooms. What of strangers' rooms is too much by far is taken back, and comes
  /// again when it is asked for.
  /// - Parameter source: the host that a neighbour's connection comes from.
  mutating func changes(
    in rooms: [RoomID], at tick: Tick, source: (Neighbour) -> String
  ) throws(PeerError) -> [RoomChange] {
    var (changes, coming): ([RoomChange], Int) = ([], 0)
    for room in rooms {
      guard var change = try core.prepareCommit(room) else { continue }
      noteUse(&change, source)
      if let use = change.use {
        guard !strangers.isOverrun(by: use.source, with: coming) else {
          revert([room], at: tick)
          continue
        }
        coming += StrangersRooms.roomBytes + StrangersRooms.cost(of: change)
      }
      changes.append(change)
    }
    return changes
  }

  private mutating func revert(_ rooms: [RoomID], at tick: Tick) {
    core.revert(rooms, at: tick)
    for room in rooms { touched.add(room) }
  }

  /// Says of a change in a room of strangers who brought it, and when.
  private mutating func noteUse(_ change: inout RoomChange, _ source: (Neighbour) -> String) {
    let room = change.room
    let known = strangers.source(of: room)
    // To derive the keys of bots that sit there takes longer than all else: what was found once is true until a key of
    // this machine writes.
    let isOfStrangers = !change.isWritten(by: core.keys) && (known != nil || core.isOfStrangers(room))
    guard isOfStrangers, !core.gossip.isAskedFor(room) else { return strangers.remove(room) }
    guard let source = known ?? core.gossip.rooms.source(of: room).map(source) else { return }
    change.use = RoomUse(milliseconds: core.wallTime, source: source)
  }

  /// The commit is over: what it stored is durable.
  mutating func end(_ changes: [RoomChange], at tick: Tick) {
    if !changes.isEmpty {
      space.noteStored()
      core.takesIn = true
    }
    for change in changes {
      touched.add(change.room)
      core.markDurable(change, at: tick)
    }
    commits.end(stored: changes.reduce(0) { $0 + $1.entries.count })
    for change in changes {
      guard let use = change.use else { continue }
      strangers.note(change.room, cost: StrangersRooms.cost(of: change), use)
    }
    closeUnneeded()
  }

  // MARK: - No space

  /// There is no space: nothing is written until it is time to try again.
  mutating func pauseWriting(_ words: String, at now: UInt64) {
    space.noteShortage(words, at: now)
    core.takesIn = false
  }

  /// Whether the store is to be tried again from now on.
  mutating func triesAgain(at now: UInt64) -> Bool {
    guard space.advance(to: now) else { return false }
    core.takesIn = true
    return true
  }

  /// The store had no space for what has changed: that is taken back.
  /// - Returns: who waits for another commit.
  mutating func takeBack(_ words: String, at tick: Tick) -> [CommitQueue.Writer] {
    pauseWriting(words, at: tick.milliseconds)
    revert(core.openRooms.filter { !core.isDurable($0) }, at: tick)
    return commits.endWithout()
  }

  /// The store had no space to forget rooms: they are here as before.
  mutating func takeBackForgetting(_ logs: [RoomLog], at tick: Tick) {
    for log in logs {
      core.takeBackForgetting(log, at: tick)
      touched.add(log.room)
    }
  }

  // MARK: - Rooms in memory

  /// Opens a room as the store has it, unless it is open, or was forgotten, meanwhile.
  /// - Returns: whether it was opened.
  @discardableResult
  mutating func open(_ stored: RoomLog, at tick: Tick) -> Bool {
    guard core.log(of: stored.room) == nil, !core.gossip.isForgotten(stored.room) else { return false }
    core.open(stored, isDurable: true, at: tick)
    touched.add(stored.room)
    return true
  }

  /// Has rooms stay in memory until as many calls of `letGo`.
  mutating func hold(_ rooms: [RoomID]) {
    for room in rooms { inMemory.hold(room) }
  }

  /// Ends a `hold`.
  mutating func letGo(_ rooms: [RoomID]) {
    for room in rooms {
      inMemory.letGo(room)
      touched.add(room)
    }
    strangers.noteUnneeded(rooms)
  }

  /// Closes a room when it is over, everything of it is durable and nothing is done with it.
  mutating func closeIfDurable(_ room: RoomID, _ rule: ClosingRule) {
    // What comes of it would find it closed, again and again; when it has come the room is touched once more.
    if mayClose(room), !core.gossip.isAwaiting(room) { closeIfOver(room, rule) }
  }

  /// Whether nothing is done with a room, all of which is durable. What is being sent of it would have to be asked for
  /// again; when all is sent the room is touched once more.
  private func mayClose(_ room: RoomID) -> Bool {
    !inMemory.isHeld(room) && !commits.holds(room) && core.isDurable(room)
      && !core.gossip.offers.isServing(room)
  }

  /// Closes a room of which all is durable when it is over.
  /// - Returns: whether it is.
  @discardableResult
  mutating func closeIfOver(_ room: RoomID, _ rule: ClosingRule) -> Bool {
    guard let state = core.state(of: room), rule.isOver(state) else { return false }
    if let clock = rule.version.flatMap({ core.storedClock(of: room, rule: $0) }) { commits.add(clock) }
    core.close(room)
    return true
  }

  /// Rooms of strangers stay in memory as long as there is room.
  mutating func closeUnneeded() {
    // Also where more of it was asked for: somebody who announces and does not give would keep it open.
    for room in strangers.unneeded(of: core.openRooms) where mayClose(room) { core.close(room) }
  }

  /// Begins to forget what is too much for strangers; rooms of tournaments that somebody here plays in go last.
  mutating func beginForgetting() -> StrangersRooms.Forgetting? {
    strangers.beginForgetting(sparing: core.gossip.replica.roomsOfOwnTournaments)
  }

  /// Closes rooms of which nothing is sent or awaited any more, where there is no room for them.
  mutating func closeSent() {
    let rooms = core.takeUnneeded()
    guard !rooms.isEmpty else { return }
    for room in rooms { touched.add(room) }
    strangers.noteUnneeded(rooms)
    closeUnneeded()
  }

  // MARK: - What is stored

  /// Counts a room that is stored.
  mutating func noteStored(_ stored: StoredRoom) {
    guard let use = stored.use, !core.isOwn(stored) else { return }
    strangers.note(stored.room, cost: StrangersRooms.cost(events: stored.events, bytes: stored.bytes), use)
  }

  /// Notes what was forgotten before this start.
  mutating func rememberForgotten(in log: any EventLog) throws(LogError) {
    let forgotten = try log.forgottenRooms()
    guard !forgotten.isEmpty else { return }
    var here: Set<RoomID> = []
    for room in forgotten where !room.isOfStrangers {
      if try log.holds(room.room) { here.insert(room.room) }
    }
    for room in forgotten { core.remember(room, isHere: here.contains(room.room)) }
  }
}

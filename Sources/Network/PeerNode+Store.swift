internal import Channel
internal import EventLog
internal import Events
internal import Peer

// The store: what came is made durable before it goes on, rooms are read when they are wanted.

extension PeerNode {
  func markDirty(_ room: RoomID) {
    if !dirty.contains(room) { dirty.append(room) }
    noteTouched(room)
  }

  func noteTouched(_ room: RoomID) {
    if isTouched.insert(room).inserted { touched.append(room) }
  }

  /// How many clocks are worth a commit of their own; fewer wait for something that must be durable.
  static let limitClocks = 512

  /// Begins a commit of all that has changed, unless one is under way.
  func commitWhatChanged(limitClocks: Int = PeerNode.limitClocks) {
    guard !isCommitting, failure == nil,
      !(dirty.isEmpty && writers.isEmpty && clocks.count < limitClocks)
    else { return }
    isCommitting = true
    uncommittedBytes = 0
    let (answered, clocks) = (writers, clocks)
    (writers, self.clocks) = ([], [])
    do throws(PeerError) {
      let changes = try takeChanges()
      Task { await self.commit(changes, clocks, answered) }
    } catch { fail(error, answered) }
  }

  private func takeChanges() throws(PeerError) -> [RoomChange] {
    var changes: [RoomChange] = []
    for room in dirty {
      if let change = try core.prepareCommit(room) { changes.append(change) }
    }
    dirty = []
    return changes
  }

  private func commit(
    _ changes: [RoomChange], _ clocks: [StoredClock],
    _ answered: [CheckedContinuation<Result<Void, PeerError>, Never>]
  ) async {
    if !(changes.isEmpty && clocks.isEmpty) {
      do throws(LogError) { try await committer.commit(changes, clocks: clocks) } catch {
        // Nobody misses clocks: a store that takes nothing more says so when there is an event to be stored.
        guard changes.isEmpty else { return fail(.log(error.description), answered) }
      }
    }
    for change in changes {
      noteTouched(change.room)
      storedEvents += change.entries.count
      core.markDurable(change, at: tick)
    }
    isCommitting = false
    for writer in answered { writer.resume(returning: .success(())) }
    readOrWait()
    pump()
  }

  /// The store takes nothing more: nothing may be said any more either.
  func fail(
    _ error: PeerError, _ answered: [CheckedContinuation<Result<Void, PeerError>, Never>]
  ) {
    isCommitting = false
    failure = error
    for writer in answered + writers { writer.resume(returning: .failure(error)) }
    writers = []
    for connection in connections {
      connection.channel.end(.leaving)
      drop(connection)
    }
    for dial in dials { dial.due = nil }
    for listener in listeners { listener.close() }
    listeners = []
    pump()
  }

  /// Offers a room of the store: by what is stored of it where that holds, else by its events.
  func offer(_ stored: StoredRoom, closing rule: ClosingRule) async throws(LogError) {
    guard core.log(of: stored.room) == nil else { return }
    if let clock = stored.clock, clock.rule == rule.version { return core.know(clock) }
    let log = try await Self.load(stored.room, from: log)
    guard core.log(of: stored.room) == nil else { return }
    core.open(log, isDurable: true, at: tick)
    if !closeIfOver(stored.room, rule) { noteTouched(stored.room) }
    commitWhatChanged()
  }

  /// Closes a room of which all is durable when it is over.
  /// - Returns: whether it is.
  @discardableResult
  func closeIfOver(_ room: RoomID, _ rule: ClosingRule) -> Bool {
    guard let state = core.state(of: room), rule.isOver(state) else { return false }
    if let clock = rule.version.flatMap({ core.storedClock(of: room, rule: $0) }) { clocks.append(clock) }
    core.close(room)
    return true
  }

  /// Opens a room that a neighbour wants, away from the loop.
  func load(_ room: RoomID) {
    guard loading.insert(room).inserted else { return }
    Task {
      do throws(LogError) {
        let stored = try await Self.load(room, from: log)
        if core.log(of: room) == nil { core.open(stored, isDurable: true, at: tick) }
        noteTouched(room)
      } catch {
        // A room that is not in the store after all is not opened; whoever wants it asks somebody else.
      }
      loading.remove(room)
      pump()
    }
  }

  @concurrent static func load(_ room: RoomID, from log: any EventLog) async throws(LogError) -> RoomLog {
    try log.load(room, verify: false)
  }
}

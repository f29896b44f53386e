internal import EventLog
internal import Events
internal import Gossip
internal import Peer

// The store: what came is made durable before it goes on, rooms are read when they are wanted.

extension NetworkPeer {
  func markDirty(_ room: RoomID) {
    commits.add(room)
    touched.add(room)
  }

  /// Begins a commit of all that has changed, unless one is under way.
  func commitWhatChanged(limitClocks: Int = CommitQueue.limitClocks) {
    guard failure == nil, let batch = commits.begin(limitClocks: limitClocks) else { return }
    do throws(PeerError) {
      let changes = try changes(in: batch.rooms)
      commit(changes, batch)
    } catch { fail(error, batch.writers) }
  }

  private func changes(in rooms: [RoomID]) throws(PeerError) -> [RoomChange] {
    var changes: [RoomChange] = []
    for room in rooms {
      guard var change = try core.prepareCommit(room) else { continue }
      noteUse(&change)
      changes.append(change)
    }
    return changes
  }

  private func commit(_ changes: [RoomChange], _ batch: CommitQueue.Batch) {
    let loop = loop
    let end: @Sendable (Result<Void, LogError>) -> Void = { result in
      loop.call { self.assumeIsolated { $0.endCommit(changes, batch, result) } }
    }
    guard !(changes.isEmpty && batch.clocks.isEmpty) else { return end(.success(())) }
    committer.commit(changes, clocks: batch.clocks, done: end)
  }

  private func endCommit(
    _ changes: [RoomChange], _ batch: CommitQueue.Batch, _ result: Result<Void, LogError>
  ) {
    do throws(LogError) { try result.get() } catch {
      guard case .full(let words) = error else { return fail(.log(error.description), batch.writers) }
      // Nobody misses clocks: for them alone nothing is refused.
      if !changes.isEmpty { return takeBack(words, batch.writers) }
    }
    if !changes.isEmpty {
      space.noteStored()
      core.takesIn = true
    }
    for change in changes {
      touched.add(change.room)
      core.markDurable(change, at: tick)
    }
    commits.end(stored: changes.reduce(0) { $0 + $1.entries.count })
    noteStored(changes)
    for writer in batch.writers { writer.resume(returning: .success(())) }
    pump()
  }

  /// The store had no space for what changed: that is taken back, and those who wrote are told. What is stored is read
  /// and passed on as before.
  /// - Parameters:
  ///   - words: the store's own.
  ///   - writers: who waited for what was not stored.
  private func takeBack(_ words: String, _ writers: [CommitQueue.Writer]) {
    pauseWriting(words)
    for room in core.revert(at: tick) { touched.add(room) }
    for writer in writers + commits.endWithout() { writer.resume(returning: .failure(.full(words))) }
    pump()
  }

  /// There is no space: nothing is written until it is time to try again.
  func pauseWriting(_ words: String) {
    space.noteShortage(words, at: now)
    core.takesIn = false
  }

  /// Why nothing is stored at present, in words; `nil` when nothing is known against it.
  package var shortage: String? { space.shortage }

  /// Whether nothing is written because there was no space a moment ago.
  package var isPaused: Bool { space.refusal != nil }

  /// The store takes nothing more: nothing may be said any more either.
  /// - Parameter writers: who waited for what failed.
  func fail(_ error: PeerError, _ writers: [CommitQueue.Writer]) {
    // What came first is why all else fails.
    let error = failure ?? error
    failure = error
    for writer in writers + commits.giveUp() { writer.resume(returning: .failure(error)) }
    leave()
    pump()
  }

  /// Offers a room of the store: by what is stored of it where that holds, else by its events.
  func offer(_ stored: StoredRoom, closing rule: ClosingRule) async throws(LogError) {
    guard core.log(of: stored.room) == nil else { return }
    if let clock = stored.clock, clock.rule == rule.version { return core.know(clock) }
    let log = try await Self.load(stored.room, from: log)
    guard core.log(of: stored.room) == nil else { return }
    core.open(log, isDurable: true, at: tick)
    if !closeIfOver(stored.room, rule) { touched.add(stored.room) }
    commitWhatChanged()
  }

  /// Closes a room of which all is durable when it is over.
  /// - Returns: whether it is.
  @discardableResult
  func closeIfOver(_ room: RoomID, _ rule: ClosingRule) -> Bool {
    guard let state = core.state(of: room), rule.isOver(state) else { return false }
    if let clock = rule.version.flatMap({ core.storedClock(of: room, rule: $0) }) { commits.add(clock) }
    core.close(room)
    return true
  }

  /// Opens a room that a neighbour wants, away from the loop.
  func load(_ room: RoomID) {
    guard inMemory.beginLoading(room) else { return }
    Task {
      do throws(LogError) {
        let stored = try await Self.load(room, from: log)
        if core.log(of: room) == nil, !core.gossip.isForgotten(room) {
          core.open(stored, isDurable: true, at: tick)
        }
        touched.add(room)
      } catch {
        // A room that is not in the store after all is not opened; whoever wants it asks somebody else.
      }
      inMemory.endLoading(room)
      strangers.noteUnneeded([room])
      pump()
      // Whoever wanted it may have gone meanwhile. A room that was read for what comes stays until that has come.
      if !core.gossip.isAwaiting(room) { closeUnneeded() }
    }
  }

  @concurrent static func load(_ room: RoomID, from log: any EventLog) async throws(LogError) -> RoomLog {
    try log.load(room, verify: false)
  }
}

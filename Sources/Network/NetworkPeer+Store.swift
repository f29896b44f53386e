internal import EventLog
internal import Events
internal import Gossip
internal import Peer

// The store: what came is made durable before it goes on, rooms are read when they are wanted.

extension NetworkPeer {
  /// Begins a commit of all that has changed, unless one is under way.
  func commitWhatChanged(limitClocks: Int = CommitQueue.limitClocks) {
    guard failure == nil, let batch = durable.commits.begin(limitClocks: limitClocks) else { return }
    let changes: [RoomChange]
    do throws(PeerError) {
      changes = try durable.changes(in: batch.rooms, at: tick) {
        connections[$0].map { $0.link.remote.source } ?? ""
      }
    } catch { return fail(error, batch.writers) }
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
      guard changes.isEmpty else {
        // What is stored is read and passed on as before.
        for writer in batch.writers + durable.takeBack(words, at: tick) {
          writer.resume(returning: .failure(.full(words)))
        }
        return pump()
      }
    }
    durable.end(changes, at: tick)
    forgetExcess()
    for writer in batch.writers { writer.resume(returning: .success(())) }
    pump()
  }

  /// Why nothing is stored at present, in words; `nil` when nothing is known against it.
  package var shortage: String? { durable.space.shortage }

  /// Whether nothing is written because there was no space a moment ago.
  package var isPaused: Bool { durable.space.refusal != nil }

  /// The store takes nothing more: nothing may be said any more either.
  /// - Parameter writers: who waited for what failed.
  func fail(_ error: PeerError, _ writers: [CommitQueue.Writer]) {
    // What came first is why all else fails.
    let error = failure ?? error
    failure = error
    for writer in writers + durable.commits.giveUp() { writer.resume(returning: .failure(error)) }
    leave()
    pump()
  }

  /// Offers a room of the store: by what is stored of it where that holds, else by its events.
  func offer(_ stored: StoredRoom, closing rule: ClosingRule) async throws(LogError) {
    guard durable.core.log(of: stored.room) == nil else { return }
    if let clock = stored.clock, clock.rule == rule.version { return durable.core.know(clock) }
    let log = try await log.loadConcurrently(stored.room)
    guard durable.core.log(of: stored.room) == nil else { return }
    durable.core.open(log, isDurable: true, at: tick)
    if !durable.closeIfOver(stored.room, rule) { durable.touched.add(stored.room) }
    commitWhatChanged()
  }

  /// Opens a room that a neighbour wants, away from the loop.
  func load(_ room: RoomID) {
    guard durable.inMemory.beginLoading(room) else { return }
    Task {
      do throws(LogError) {
        let stored = try await log.loadConcurrently(room)
        durable.open(stored, at: tick)
        durable.touched.add(room)
      } catch {
        // A room that is not in the store after all is not opened; whoever wants it asks somebody else.
      }
      durable.inMemory.endLoading(room)
      durable.strangers.noteUnneeded([room])
      pump()
      // Whoever wanted it may have gone meanwhile. A room that was read for what comes stays until that has come.
      if !durable.core.gossip.isAwaiting(room) { durable.closeUnneeded() }
    }
  }

  /// Lets go of what is too much, while the store takes anything.
  func forgetExcess() {
    guard failure == nil, !isStopped, durable.space.refusal == nil else { return }
    while let excess = durable.beginForgetting() {
      Task {
        do throws(PeerError) {
          try await forget(excess.rooms, .strangers)
          durable.strangers.endForgetting(excess, areGone: true)
        } catch {
          // A store that takes nothing more says so to whoever writes. What could not be done now is tried again when
          // there may be space, or something was stored.
          return durable.strangers.endForgetting(excess, areGone: false)
        }
        forgetExcess()
      }
    }
  }
}

extension EventLog {
  /// Reads a room, away from the loop.
  @concurrent func loadConcurrently(_ room: RoomID) async throws(LogError) -> RoomLog {
    try load(room, verify: false)
  }
}

internal import Platform

/// Makes changes durable in groups: whoever commits while the disk is busy shares the next transaction.
///
/// Changes of one caller stay together and in the order of the calls. Where a group fails because of one of
/// its changes, each caller's changes are written alone, so that only the one at fault is told so.
package actor GroupCommitter {
  /// The most callers that may wait.
  package static let limitWaiting = 65_536
  /// The most events of one group, except that one caller's changes are never torn apart.
  package static let limitGroupEvents = 65_536

  /// What was written so far.
  package struct Counts: Hashable, Sendable {
    /// Transactions made durable.
    package internal(set) var flushes = 0
    /// Calls that were answered, well or badly.
    package internal(set) var calls = 0
    /// Events made durable.
    package internal(set) var events = 0
  }

  private struct Call {
    let changes: [RoomChange]
    let clocks: [StoredClock]
    let events: Int
    let answer: @Sendable (Result<Void, LogError>) -> Void
  }

  /// What was written so far.
  package private(set) var counts = Counts()
  private let log: any EventLog
  private nonisolated let queue: any WriterExecutor
  private var calls: [Call] = []
  private var isFlushing = false
  /// How many callers shared the last transaction, and how long it took.
  private var last = (calls: 0, duration: Duration.zero)
  /// Since when a flush waits for callers.
  private var gatheringSince: Duration?

  // SAFETY: the actor keeps its queue as long as it lives.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  /// A committer for a log; nobody else writes it.
  /// - Parameter queue: where it is written.
  package init(_ log: any EventLog, on queue: any WriterExecutor = WriterQueue()) {
    self.log = log
    self.queue = queue
  }

  /// Makes changes durable, all or none. When it returns they survive a power cut.
  /// - Throws: what `EventLog.write` throws for these changes, and `.limit` when too many callers wait.
  package func commit(_ changes: [RoomChange]) async throws(LogError) {
    try await commit(changes, clocks: [])
  }

  /// The same, with clocks that are stored in the same transaction where they fit.
  package func commit(_ changes: [RoomChange], clocks: [StoredClock]) async throws(LogError) {
    let result = await withCheckedContinuation { answer in
      add(changes, clocks) { answer.resume(returning: $0) }
    }
    try result.get()
  }

  /// The same for one who does not wait as a task: that costs two changes of threads more.
  /// - Parameter done: called on the writer's thread.
  package nonisolated func commit(
    _ changes: [RoomChange], clocks: [StoredClock], done: @escaping @Sendable (Result<Void, LogError>) -> Void
  ) {
    queue.afterwards { self.assumeIsolated { $0.add(changes, clocks, done) } }
  }

  private func add(
    _ changes: [RoomChange], _ clocks: [StoredClock],
    _ answer: @escaping @Sendable (Result<Void, LogError>) -> Void
  ) {
    guard calls.count < Self.limitWaiting else {
      return answer(.failure(.limit("more than \(Self.limitWaiting) writers wait for the disk")))
    }
    let events = changes.reduce(0) { $0 + $1.entries.count }
    calls.append(Call(changes: changes, clocks: clocks, events: events, answer: answer))
    scheduleFlush()
  }

  /// Removes rooms of which nothing waits to be made durable.
  package func forget(_ rooms: [ForgottenRoom]) throws(LogError) { try log.forget(rooms) }

  /// Flushes behind all calls that have already reached the queue.
  private func scheduleFlush() {
    guard !isFlushing else { return }
    isFlushing = true
    queue.afterwards { self.assumeIsolated { $0.flush() } }
  }

  /// Whether to wait for more callers: those that the last transaction answered come back one by one, and the
  /// first of them would else have the next one nearly for itself. Waits for an eighth of the time that the last
  /// one took, so that nobody waits long for somebody who does not come back.
  private func gathers() -> Bool {
    guard calls.count < last.calls else { return false }
    let now = queue.now
    guard let since = gatheringSince else {
      gatheringSince = now
      return true
    }
    return now - since < last.duration / 8
  }

  private func flush() {
    isFlushing = false
    guard !gathers() else {
      // The thread gives way, so that callers get to the queue.
      CurrentProcess.yield()
      return scheduleFlush()
    }
    gatheringSince = nil
    let start = queue.now
    let group = nextGroup()
    if !calls.isEmpty { scheduleFlush() }
    let result = write(group)
    last = (group.count, queue.now - start)
    switch result {
    case .failure(let error) where group.count > 1 && !error.stops:
      for call in group { answer(call, write([call])) }
    default:
      for call in group { answer(call, result) }
    }
  }

  /// Takes the calls that waited longest, as many as make one group.
  private func nextGroup() -> [Call] {
    var count = 0
    var events = 0
    while count < calls.count, count == 0 || events + calls[count].events <= Self.limitGroupEvents {
      events += calls[count].events
      count += 1
    }
    let group = Array(calls.prefix(count))
    calls.removeFirst(count)
    return group
  }

  private func write(_ calls: [Call]) -> Result<Void, LogError> {
    let changes = calls.flatMap(\.changes)
    do throws(LogError) {
      try log.write(changes, clocks: calls.flatMap(\.clocks))
      counts.flushes += 1
      counts.events += changes.reduce(0) { $0 + $1.entries.count }
      return .success(())
    } catch { return .failure(error) }
  }

  private func answer(_ call: Call, _ result: Result<Void, LogError>) {
    counts.calls += 1
    call.answer(result)
  }
}

extension LogError {
  /// Whether nothing can be written after this error.
  var stops: Bool {
    switch self {
    case .stopped, .corrupt: true
    default: false
    }
  }
}

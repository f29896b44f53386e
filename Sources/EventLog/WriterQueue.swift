internal import Platform

/// Where a store is written: one thing after the other, and away from everything else that its process does.
package protocol WriterExecutor: SerialExecutor {
  /// The time on a clock that only goes forward.
  var now: Duration { get }
  /// Runs `body` after everything that was enqueued before.
  func afterwards(_ body: @escaping @Sendable () -> Void)
}

/// A serial executor with a thread of its own, so that waiting for a disk never holds up the cooperative pool.
///
/// Each job runs on that thread from its beginning to its end, which is what LMDB asks of a write transaction.
package final class WriterQueue: WriterExecutor {
  private let thread = WorkThread()

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // SAFETY: the job's closure holds the executor, so that the unowned reference outlives the job.
    thread.add { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // SAFETY: whoever asks keeps this executor alive as long as the reference: the actor holds it.
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() { precondition(thread.isCurrent, "this is not the writer's thread") }

  package var now: Duration { MonotonicClock.time }

  package func afterwards(_ body: @escaping @Sendable () -> Void) { thread.add(body) }
}

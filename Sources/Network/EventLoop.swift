internal import CLibuv
import Glibc
internal import Platform
internal import Synchronization

/// Where peers live: a thread that waits for sockets and timers with libuv and runs the jobs of actors between, or a
/// machine that is simulated.
///
/// An actor whose executor it is may be entered from libuv's callbacks with `assumeIsolated`, and costs no hop when
/// another one on the same loop calls it. The thread ends when nobody refers to the loop any more; everything that
/// was opened on it refers to it.
package final class EventLoop: SerialExecutor {
  private let driver: any LoopDriver
  private let ownThread: LoopThread?

  /// A loop, whose thread runs at once.
  /// - Throws: what the system refused: a thread, descriptors, or to watch them.
  package init() throws(NetworkError) {
    do throws(SystemError) {
      let thread = try LoopThread()
      (driver, ownThread) = (thread, thread)
    } catch {
      throw .exhausted("the network's loop cannot be made", error.words)
    }
  }

  /// A loop that something else runs, and that has no sockets.
  package init(_ driver: any LoopDriver) { (self.driver, ownThread) = (driver, nil) }

  deinit { driver.end() }

  /// The thread that waits for the system's sockets.
  var thread: LoopThread {
    guard let ownThread else { preconditionFailure("a simulated loop has no sockets of the system") }
    return ownThread
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    // The loop lives until its jobs have run.
    driver.add(LoopJob(work: .job(UnownedJob(job)), loop: self))
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // SAFETY: whoever asks keeps this executor alive as long as the reference: actors and jobs hold it.
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// The executor of an actor that keeps this loop as long as it lives.
  @safe package var ownersExecutor: UnownedSerialExecutor {
    // SAFETY: who uses it keeps the loop, as is said above.
    unsafe asUnownedSerialExecutor()
  }

  package func checkIsolated() { precondition(driver.isCurrent, "this is not the loop's thread") }

  package func isIsolatingCurrentContext() -> Bool? { driver.isCurrent }

  /// Milliseconds of a clock that only goes forward.
  package var now: UInt64 { driver.now }

  /// A timer on this loop, to be made on its thread.
  package func timer(_ fire: @escaping () -> Void) -> any LoopTimer {
    checkIsolated()
    return driver.timer(self, fire)
  }

  /// libuv's own loop, for a C library that waits on it as well; to be used on the loop's thread, by something that
  /// keeps this loop until it has closed all that it has opened there.
  package var foreignLoop: UnsafeMutableRawPointer {
    checkIsolated()
    return unsafe UnsafeMutableRawPointer(thread.loop)
  }

  /// How often the loop has gone round, and looked at sockets; to be read on the loop's thread.
  package var turns: Int {
    checkIsolated()
    return driver.turns
  }

  /// Measures from now on how long the loop works each time that it goes round; to be called on its thread.
  package func measureTurns() {
    checkIsolated()
    thread.measureTurns()
  }

  /// The longest that it has worked between two looks at sockets since it was measured, in milliseconds.
  package var longestTurn: Double {
    checkIsolated()
    return unsafe Double(thread.longestTurn) / 1e6
  }

  /// Calls `body` on the loop's thread, soon; to be called anywhere. A task that waits would come back by way of the
  /// pool of tasks.
  package func call(_ body: @escaping @Sendable () -> Void) {
    driver.add(LoopJob(work: .body(body), loop: self))
  }

  /// Calls `body` on the loop's thread, soon; to be called there.
  package func later(_ body: @escaping () -> Void) {
    checkIsolated()
    driver.addDeferred(body, self)
  }

  /// Calls `body` on the loop's thread when sockets have been looked at once more; to be called there.
  package func nextTurn(_ body: @escaping () -> Void) {
    checkIsolated()
    driver.addForNextTurn(body, self)
  }
}

/// What the loop's thread works on, apart from `EventLoop`, which the thread does not keep alive.
@safe final class LoopThread: LoopDriver {
  /// How much is read at once.
  static let readBytes = 65_536
  /// How often jobs that others bring up are run before sockets are looked at.
  private static let limitRounds = 16

  // SAFETY: made in `init`, used by libuv's thread alone, freed by it when the loop ends.
  nonisolated(unsafe) let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
  // SAFETY: made in `init`; only `uv_async_send` is called from other threads, which libuv allows.
  nonisolated(unsafe) private let wake = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
  // SAFETY: made in `init`, used by libuv's thread alone, freed by it when the loop ends.
  nonisolated(unsafe) private let beforeWaiting = UnsafeMutablePointer<uv_prepare_t>.allocate(capacity: 1)
  // SAFETY: a mutex is made for being used by all threads.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<uv_mutex_t>.allocate(capacity: 1)
  // SAFETY: each read from a socket is copied out of it before the next; used by the loop's thread alone.
  nonisolated(unsafe) let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: LoopThread.readBytes)
  // SAFETY: touched only while the mutex is held.
  nonisolated(unsafe) private var jobs: [LoopJob] = []
  // SAFETY: touched only while the mutex is held.
  nonisolated(unsafe) private var isEnding = false
  // SAFETY: touched by the loop's thread alone.
  nonisolated(unsafe) private var deferred: [(body: () -> Void, loop: EventLoop)] = []
  // SAFETY: touched by the loop's thread alone.
  nonisolated(unsafe) private var forNextTurn: [(body: () -> Void, loop: EventLoop)] = []
  // SAFETY: touched by the loop's thread alone.
  nonisolated(unsafe) private var rounds = 0
  // SAFETY: touched by the loop's thread alone. When the last turn began, and how long the loop had waited until then.
  nonisolated(unsafe) private var measured: (start: UInt64, idle: UInt64)?
  // SAFETY: touched by the loop's thread alone. In nanoseconds.
  nonisolated(unsafe) private(set) var longestTurn: UInt64 = 0
  private let identity = Atomic<UInt>(0)

  init() throws(SystemError) {
    try Descriptor.checkWatching()
    try Self.check(unsafe uv_loop_init(loop), "uv_loop_init")
    try Self.check(unsafe uv_mutex_init(mutex), "uv_mutex_init")
    // It does nothing by itself: the loop goes round, and so comes to what is done before it waits.
    try Self.check(unsafe uv_async_init(loop, wake) { _ in }, "uv_async_init")
    // SAFETY: the handle's data is this object, which the thread keeps until the loop has ended. Of all such handles
    // the first one is called last: nothing runs between it and the wait for sockets.
    unsafe _ = uv_prepare_init(loop, beforeWaiting)
    unsafe beforeWaiting.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    unsafe _ = uv_prepare_start(beforeWaiting) { handle in
      guard let data = unsafe handle?.pointee.data else { return }
      unsafe Unmanaged<LoopThread>.fromOpaque(data).takeUnretainedValue().drain()
    }
    unsafe uv_unref(UnsafeMutableRawPointer(beforeWaiting).assumingMemoryBound(to: uv_handle_t.self))
    var id = uv_thread_t()
    let started = unsafe uv_thread_create(
      &id,
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<LoopThread>.fromOpaque(data).takeRetainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    guard started == 0 else {
      unsafe Unmanaged.passUnretained(self).release()
      closeHandles()
      unsafe _ = uv_run(loop, UV_RUN_DEFAULT)
      unsafe _ = uv_loop_close(loop)
      throw SystemError("uv_thread_create", -started)
    }
    _ = pthread_detach(id)
  }

  /// libuv gives the system's error numbers as negative ones.
  private static func check(_ code: Int32, _ call: String) throws(SystemError) {
    guard code == 0 else { throw SystemError(call, -code) }
  }

  var isCurrent: Bool { identity.load(ordering: .relaxed) == CurrentProcess.thread }
  var now: UInt64 { MonotonicClock.milliseconds }
  var turns: Int { unsafe rounds }

  func timer(_ loop: EventLoop, _ fire: @escaping () -> Void) -> any LoopTimer { SystemTimer(loop, fire) }

  // MARK: - Jobs

  private func withLock<Result>(_ body: () -> Result) -> Result {
    // SAFETY: the mutex was initialized in `init`.
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    return body()
  }

  func add(_ job: LoopJob) {
    let isFirst = withLock {
      unsafe jobs.append(job)
      return unsafe jobs.count == 1
    }
    // What the loop's thread adds itself it comes to before it waits.
    // SAFETY: the one call of libuv that any thread may make, on a handle that is closed after `end` alone.
    if isFirst, !isCurrent { unsafe _ = uv_async_send(wake) }
  }

  func addDeferred(_ body: @escaping () -> Void, _ loop: EventLoop) {
    unsafe deferred.append((body, loop))
  }

  func addForNextTurn(_ body: @escaping () -> Void, _ loop: EventLoop) {
    unsafe forNextTurn.append((body, loop))
    // SAFETY: the handle is open until the loop ends. It has the loop not wait.
    unsafe _ = uv_async_send(wake)
  }

  func end() {
    withLock { unsafe isEnding = true }
    unsafe _ = uv_async_send(wake)
  }

  /// Runs what has come, and what that brings up; before that goes on for too long, sockets are looked at.
  private func drain() {
    unsafe rounds += 1
    if unsafe measured != nil { measureTurn() }
    unsafe deferred += forNextTurn
    unsafe forNextTurn = []
    for _ in 0..<Self.limitRounds {
      let bodies = unsafe deferred
      unsafe deferred = []
      for item in bodies { item.body() }
      let (batch, isOver) = withLock {
        defer { unsafe jobs = [] }
        return unsafe (jobs, isEnding)
      }
      for item in batch {
        switch item.work {
        // Not as the job of a task executor: no task prefers one, and each call from actor to actor would be a hop.
        case .job(let job): unsafe job.runSynchronously(on: item.loop.asUnownedSerialExecutor())
        case .body(let body): body()
        }
      }
      // Nobody refers to the loop any more, so that nothing else is open on it; `run` goes on then.
      if isOver { return closeHandles() }
      if batch.isEmpty, unsafe deferred.isEmpty { return }
    }
    // SAFETY: the handle is open until the loop ends. It has the loop not wait.
    unsafe _ = uv_async_send(wake)
  }

  func measureTurns() {
    unsafe _ = parlor_uv_measure_idle_time(loop)
    unsafe longestTurn = 0
    unsafe measured = (uv_hrtime(), uv_metrics_idle_time(loop))
  }

  private func measureTurn() {
    let (now, idle) = unsafe (uv_hrtime(), uv_metrics_idle_time(loop))
    guard let last = unsafe measured else { return }
    let worked = (now &- last.start) &- (idle &- last.idle)
    // The two clocks are read one after the other.
    unsafe longestTurn = max(longestTurn, Int64(bitPattern: worked) > 0 ? worked : 0)
    unsafe measured = (now, idle)
  }

  private func closeHandles() {
    // SAFETY: both were opened in `init`, and are closed once, by the thread that runs the loop or made it.
    unsafe uv_close(UnsafeMutableRawPointer(wake).assumingMemoryBound(to: uv_handle_t.self), nil)
    unsafe uv_close(UnsafeMutableRawPointer(beforeWaiting).assumingMemoryBound(to: uv_handle_t.self), nil)
  }

  private func run() {
    identity.store(CurrentProcess.thread, ordering: .relaxed)
    // A connection that the other end has closed is an error of writing, and no signal.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
    unsafe _ = uv_run(loop, UV_RUN_DEFAULT)
    let code = unsafe uv_loop_close(loop)
    precondition(code == 0, "something is still open on a loop that ends: \(NetworkError.code(code, "loop"))")
    unsafe uv_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe wake.deallocate()
    unsafe beforeWaiting.deallocate()
    unsafe loop.deallocate()
    unsafe buffer.deallocate()
  }
}

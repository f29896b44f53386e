import Glibc

/// A thread that does what it is given, one thing after the other, and sleeps while there is nothing.
///
/// It begins with the first, and stays: whoever has something for it after a long time does not wait for a new thread.
@safe
package final class WorkThread: Sendable {
  private let shared = Shared()

  package init() {}

  deinit { shared.end() }

  /// Whether this runs on it.
  package var isCurrent: Bool { shared.isCurrent }

  /// Has it do something after all that it was given before. A system that has no thread left is asked again until it
  /// has one.
  package func add(_ work: @escaping @Sendable () -> Void) { shared.add(work) }

  /// What the thread works on, apart from `WorkThread`, which it does not keep alive.
  @safe
  private final class Shared: Sendable {
    // SAFETY: allocated and initialized in `init`, freed in `deinit`, when the thread has ended.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // SAFETY: as the mutex.
    nonisolated(unsafe) private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // SAFETY: touched only while the mutex is held.
    nonisolated(unsafe) private var work: [@Sendable () -> Void] = []
    // SAFETY: as the work.
    nonisolated(unsafe) private var isAsleep = false
    // SAFETY: as the work.
    nonisolated(unsafe) private var isEnding = false
    // SAFETY: as the work.
    nonisolated(unsafe) private var thread: UInt = 0

    init() {
      unsafe mutex.initialize(to: pthread_mutex_t())
      unsafe news.initialize(to: pthread_cond_t())
      let codes = unsafe (pthread_mutex_init(mutex, nil), pthread_cond_init(news, nil))
      precondition(codes == (0, 0), "what has no attributes cannot fail to be made, but gave \(codes)")
    }

    deinit {
      // SAFETY: the thread held this object, so nobody waits or holds the mutex any more.
      unsafe _ = pthread_cond_destroy(news)
      unsafe _ = pthread_mutex_destroy(mutex)
      unsafe news.deallocate()
      unsafe mutex.deallocate()
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
      // SAFETY: the mutex is initialized, and unlocked by the thread that locked it.
      unsafe _ = pthread_mutex_lock(mutex)
      defer { unsafe _ = pthread_mutex_unlock(mutex) }
      return body()
    }

    var isCurrent: Bool { withLock { unsafe thread == CurrentProcess.thread } }

    func add(_ body: @escaping @Sendable () -> Void) {
      withLock {
        unsafe work.append(body)
        if unsafe thread == 0 { start() }
        // SAFETY: the condition is initialized; the thread waits with this mutex.
        if unsafe isAsleep { unsafe _ = pthread_cond_signal(news) }
      }
    }

    func end() {
      withLock {
        unsafe isEnding = true
        unsafe _ = pthread_cond_signal(news)
      }
    }

    /// Begins the thread; the mutex is held, so that it does nothing before this returns.
    private func start() {
      while true {
        do throws(SystemError) {
          return unsafe thread = try Background.start { self.run() }
        } catch { CurrentProcess.yield() }
      }
    }

    private func run() {
      while let batch = take() {
        for body in batch { body() }
      }
    }

    /// Waits for something to do; `nil` when there will be nothing any more.
    private func take() -> [@Sendable () -> Void]? {
      withLock {
        while unsafe work.isEmpty, unsafe !isEnding {
          unsafe isAsleep = true
          // SAFETY: the mutex is held by this thread, as the call asks.
          unsafe _ = pthread_cond_wait(news, mutex)
          unsafe isAsleep = false
        }
        defer { unsafe work = [] }
        return unsafe work.isEmpty ? nil : work
      }
    }
  }
}

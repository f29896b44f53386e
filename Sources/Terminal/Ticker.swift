import Platform
import Synchronization

/// Calls something again and again from a thread of its own, until it is ended or nobody holds it any more.
///
/// A thread, not a task: bots may keep every thread that tasks run on busy for minutes.
final class Ticker: Sendable {
  private let alive: Mutex<Descriptor?>

  /// Starts to call `body`, the first time after one interval.
  init(everyMilliseconds: Int, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let (end, alive) = try Descriptor.pipe()
    self.alive = Mutex(alive)
    let work = Work(end: end, intervalMilliseconds: everyMilliseconds, body: body)
    do throws(SystemError) { try Background.start { work.run() } } catch {
      end.forget()
      throw error
    }
  }

  /// Ends the calls; one may still be under way.
  func end() {
    // The other end of the pipe becomes readable, and the thread ends.
    alive.withLock { alive in
      alive?.forget()
      alive = nil
    }
  }

  deinit { end() }

  /// What the thread owns.
  private final class Work: Sendable {
    private let end: Descriptor
    private let intervalMilliseconds: Int
    private let body: @Sendable () -> Void

    init(end: Descriptor, intervalMilliseconds: Int, body: @escaping @Sendable () -> Void) {
      self.end = end
      self.intervalMilliseconds = intervalMilliseconds
      self.body = body
    }

    func run() {
      defer { end.forget() }
      while true {
        do throws(SystemError) {
          let hasEnded = try Descriptor.waitReadable([end], timeoutMilliseconds: intervalMilliseconds)[0]
          if hasEnded { return }
        } catch { return }
        body()
      }
    }
  }
}

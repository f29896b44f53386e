import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
    do throws(SystemError) { try work.startThread() } catch {
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
  fileprivate final class Work: Sendable {
    private let end: Descriptor
    private let intervalMilliseconds: Int
    private let body: @Sendable () -> Void

    init(end: Descriptor, intervalMilliseconds: Int, body: @escaping @Sendable () -> Void) {
      self.end = end
      self.intervalMilliseconds = intervalMilliseconds
      self.body = body
    }

    func startThread() throws(SystemError) {
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      // SAFETY: the context is the retained object that the thread takes back, as the same type.
      let code = unsafe pthread_create(&thread, nil, tick, context)
      guard code == 0 else {
        unsafe Unmanaged<Work>.fromOpaque(context).release()
        throw SystemError("pthread_create", code)
      }
      #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
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

#if canImport(Darwin)
  private func tick(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // SAFETY: `startThread` passes a retained `Work`.
    unsafe Unmanaged<Ticker.Work>.fromOpaque(context).takeRetainedValue().run()
    return unsafe nil
  }
#else
  private func tick(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // SAFETY: `startThread` passes a retained `Work`.
    unsafe Unmanaged<Ticker.Work>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif

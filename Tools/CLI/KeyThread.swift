import Platform

/// A thread that reads keys from the terminal until it is told to stop.
final class KeyThread: Sendable {
  private struct State: Sendable {
    /// Becomes readable when the thread is to end, and what is written to for that; `nil` before it starts.
    var pipe: (read: Descriptor, write: Descriptor)?
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  deinit {
    state.withLock { state in
      state.pipe?.read.forget()
      state.pipe?.write.forget()
    }
  }

  /// Starts the thread, once; `stop` must be called before the end.
  /// - Parameter body: what it does, until the descriptor that it is given becomes readable.
  func start(_ body: @escaping @Sendable (Descriptor) -> Void) throws(SystemError) {
    let pipe = try Descriptor.pipe()
    state.withLock { $0.pipe = pipe }
    try Background.start {
      body(pipe.read)
      self.end()
    }
  }

  private func end() {
    let waiter = state.withLock { state in
      state.isOver = true
      return state.waiter
    }
    waiter?.resume()
  }

  /// Has the thread end, and waits for that: the terminal is as it was before.
  func stop() async {
    guard let stopping = state.withLock({ $0.pipe?.write }) else { return }
    // One byte lies in the pipe at most, so this never waits; where it fails the thread has ended.
    do throws(SystemError) { try stopping.write([1]) } catch {}
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiter = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}

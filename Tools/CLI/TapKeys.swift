import Platform
import Synchronization
import Terminal

/// Counts how often somebody presses the space bar at a terminal, on a thread of its own.
final class TapKeys: Sendable {
  /// What was pressed since somebody looked last.
  struct Pressed {
    var taps = 0
    /// Whether the player has had enough, or the terminal is gone.
    var hasLeft = false
    /// Whether what was drawn may be gone.
    var isRedrawn = false
    fileprivate var isOver = false
    fileprivate var waiter: CheckedContinuation<Void, Never>?
    fileprivate var failure: SystemError?
  }

  private let pressed = Mutex(Pressed())
  private let stopped: Descriptor
  private let stopping: Descriptor

  /// Begins to read keys; `stop` must be called before the end.
  init(_ interrupts: Interrupts, _ input: TableInput) throws {
    (stopped, stopping) = try Descriptor.pipe()
    try Background.start { self.read(interrupts, input) }
  }

  deinit {
    stopped.forget()
    stopping.forget()
  }

  /// What was pressed since the last call.
  func take() throws -> Pressed {
    let taken = pressed.withLock { pressed in
      let taken = pressed
      (pressed.taps, pressed.isRedrawn) = (0, false)
      return taken
    }
    if let failure = taken.failure { throw failure }
    return taken
  }

  /// Reads no more keys, and waits until the terminal is as it was before.
  func stop() async {
    // One byte lies in the pipe at most, so this never waits; where it fails the thread has ended.
    do throws(SystemError) { try stopping.write([1]) } catch {}
    await withCheckedContinuation { continuation in
      let isOver = pressed.withLock { pressed in
        if !pressed.isOver { pressed.waiter = continuation }
        return pressed.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  private func read(_ interrupts: Interrupts, _ input: TableInput) {
    var failure: SystemError?
    do {
      try KeyReader.reading(.input, interrupts, until: stopped) { keys in
        while try take(keys.next()) { Task { await input.noteChange() } }
      }
    } catch { failure = error as? SystemError }
    let waiter = pressed.withLock { pressed in
      (pressed.isOver, pressed.hasLeft, pressed.failure) = (true, true, failure)
      return pressed.waiter
    }
    waiter?.resume()
    Task { await input.noteChange() }
  }

  /// - Returns: whether more is to be read.
  private func take(_ event: KeyReader.Event) -> Bool {
    pressed.withLock { pressed in
      switch event {
      case .key(.character(" ")): pressed.taps += 1
      case .key(.character("q")), .key(.control("c")), .key(.control("d")): pressed.hasLeft = true
      case .key: break
      case .resized, .returned: pressed.isRedrawn = true
      case .end, .interrupted: return false
      }
      return true
    }
  }
}

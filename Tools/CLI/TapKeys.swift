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
    fileprivate var failure: SystemError?
  }

  private let pressed = Mutex(Pressed())
  private let thread = KeyThread()

  /// Begins to read keys; `stop` must be called before the end.
  init(_ interrupts: Interrupts, _ input: TableInput) throws {
    try thread.start { stopped in self.read(interrupts, input, until: stopped) }
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
  func stop() async { await thread.stop() }

  private func read(_ interrupts: Interrupts, _ input: TableInput, until stopped: Descriptor) {
    var failure: SystemError?
    do {
      try KeyReader.reading(.input, interrupts, until: stopped) { keys in
        while try take(keys.next()) { Task { await input.noteChange() } }
      }
    } catch { failure = error as? SystemError }
    pressed.withLock { ($0.hasLeft, $0.failure) = (true, failure) }
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

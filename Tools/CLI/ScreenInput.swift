import Platform
import Terminal

/// What a person types on a screen that a game is drawn on: keys change the screen at once, on a thread of their own,
/// and whole lines wait here until they are asked for.
final class ScreenInput: Sendable {
  /// How many lines may wait.
  private static let limitLines = 64

  private struct State: Sendable {
    /// Lines, the end, or that somebody asked to stop, in the order in which they came.
    var results: [LineReader.Result] = []
    var failure: SystemError?
  }

  private let screen: FullScreen
  private let state = Guarded(State())
  private let thread = KeyThread()
  private let wake: @Sendable () -> Void

  /// Fills the terminal and begins to read keys; `leave` must be called before the end.
  /// - Parameters:
  ///   - takesLines: whether lines are typed; else `q` alone is the end, and what else was typed is thrown away.
  ///   - wake: called when there is something to take.
  init(
    _ screen: FullScreen, _ interrupts: Interrupts, takesLines: Bool, wake: @escaping @Sendable () -> Void
  ) throws {
    self.screen = screen
    self.wake = wake
    try thread.start { stopped in self.read(interrupts, takesLines: takesLines, until: stopped) }
  }

  /// What was typed first of what was not taken; `nil` when that is nothing.
  func take() throws(SystemError) -> LineReader.Result? {
    let (result, failure) = state.withLock { state in
      (state.results.isEmpty ? nil : state.results.removeFirst(), state.failure)
    }
    if let failure { throw failure }
    return result
  }

  /// Gives the terminal back as it was.
  func leave() async { await thread.stop() }

  private func read(_ interrupts: Interrupts, takesLines: Bool, until stopped: Descriptor) {
    do {
      try screen.reading(interrupts, until: stopped, discardsInput: !takesLines) { keys in
        while try take(screen.next(&keys), takesLines: takesLines) {}
      }
    } catch {
      state.withLock { $0.failure = error as? SystemError }
      put(.end)
    }
  }

  /// - Returns: whether more is to be read.
  private func take(_ event: KeyReader.Event, takesLines: Bool) -> Bool {
    switch event {
    case .key(.character("q")) where !takesLines, .key(.control("d")) where !takesLines: put(.end)
    case .key(let key):
      switch screen.take(key) {
      case .line(let line): put(.line(line))
      case .end: put(.end)
      case .changed, .refused: break
      }
    case .end:
      put(.end)
      return false
    case .interrupted:
      put(.interrupted)
      return false
    case .resized, .returned: break
    }
    return true
  }

  private func put(_ result: LineReader.Result) {
    let isTaken = state.withLock { state in
      guard state.results.count < Self.limitLines || result == .interrupted else { return false }
      state.results.append(result)
      return true
    }
    if isTaken { wake() } else { screen.ring() }
  }
}

import Platform
import Terminal

/// What a person types on a screen that a game is drawn on: keys change the screen at once, on a thread of their own,
/// and whole lines wait here until they are asked for.
final class ScreenInput: Sendable {
  /// How many lines may wait.
  private static let limitLines = 64

  /// What keys do.
  enum Keys: Hashable, Sendable {
    /// They type lines.
    case lines
    /// `q` alone is the end, and what else was typed is thrown away.
    case onlyEnd
    /// The same, and the space bar taps.
    case taps
  }

  private struct State: Sendable {
    /// Lines, the end, or that somebody asked to stop, in the order in which they came.
    var results: [LineReader.Result] = []
    /// How often the space bar was pressed since somebody asked.
    var taps = 0
    var failure: SystemError?
  }

  private let screen: FullScreen
  private let state = Guarded(State())
  private let thread = KeyThread()
  private let wake: @Sendable () -> Void

  /// Fills the terminal and begins to read keys; `leave` must be called before the end.
  /// - Parameters:
  ///   - keys: what keys do.
  ///   - wake: called when there is something to take.
  init(
    _ screen: FullScreen, _ interrupts: Interrupts, _ keys: Keys, wake: @escaping @Sendable () -> Void
  ) throws {
    self.screen = screen
    self.wake = wake
    try thread.start { stopped in self.read(interrupts, keys, until: stopped) }
  }

  /// What was typed first of what was not taken; `nil` when that is nothing.
  func take() throws(SystemError) -> LineReader.Result? {
    let (result, failure) = state.withLock { state in
      (state.results.isEmpty ? nil : state.results.removeFirst(), state.failure)
    }
    if let failure { throw failure }
    return result
  }

  /// How often the space bar was pressed since the last call.
  func takeTaps() -> Int {
    state.withLock { state in
      defer { state.taps = 0 }
      return state.taps
    }
  }

  /// Gives the terminal back as it was.
  func leave() async { await thread.stop() }

  private func read(_ interrupts: Interrupts, _ use: Keys, until stopped: Descriptor) {
    do {
      try screen.reading(interrupts, until: stopped, discardsInput: use != .lines) { keys in
        while try take(screen.next(&keys), use) {}
      }
    } catch {
      state.withLock { $0.failure = error as? SystemError }
      put(.end)
    }
  }

  /// - Returns: whether more is to be read.
  private func take(_ event: KeyReader.Event, _ use: Keys) -> Bool {
    switch event {
    case .key(.character("q")) where use != .lines, .key(.control("d")) where use != .lines: put(.end)
    case .key(.character(" ")) where use == .taps:
      state.withLock { $0.taps += 1 }
      wake()
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

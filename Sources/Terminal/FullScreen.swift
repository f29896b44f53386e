package import Platform

/// A game drawn on a whole terminal, in the second screen that terminals have for that, until it is left.
///
/// What is written to the console meanwhile stands among the news. Any thread may change what is shown; what a terminal
/// shows already is not written again. However it ends, also by a signal, the terminal is as it was before
/// (`HeldTerminal`).
package final class FullScreen: Sendable {
  private struct State: Sendable {
    var screen: TableScreen
    /// What the terminal shows; `nil` when that is not known.
    var shown: ScreenFrame?
    /// `nil` before it is entered, and once it is left.
    var terminal: HeldTerminal?
  }

  private let console: Console
  private let state: Guarded<State>

  /// A screen that is not entered yet.
  package init(_ console: Console, _ screen: TableScreen) {
    self.console = console
    state = Guarded(State(screen: screen))
  }

  /// Whether a terminal says how large it is, and is large enough.
  package static func fits(_ output: Channel) -> Bool {
    guard output.movesCursor, let columns = output.descriptor.terminalColumns,
      let rows = output.descriptor.terminalRows
    else { return false }
    return columns >= TableScreen.leastColumns && rows >= TableScreen.leastRows
  }

  /// Fills the terminal and reads keys while `body` runs.
  /// - Parameters:
  ///   - stop: what becomes readable when no more keys are wanted, which is the end.
  ///   - discardsInput: whether what was typed and not read by then is thrown away.
  package func reading<Result>(
    _ interrupts: Interrupts, until stop: Descriptor? = nil, discardsInput: Bool = false,
    _ body: (inout KeyReader) throws -> Result
  ) throws -> Result {
    let output = console.output.descriptor
    let terminal = try HeldTerminal(.input, .keys, screen: output, discardsInput: discardsInput)
    return try KeyReader.reading(terminal, interrupts, until: stop) { keys in
      state.withLock { $0.terminal = terminal }
      console.shown.withLock { $0.screen = self }
      defer {
        console.shown.withLock { $0.screen = nil }
        state.withLock { $0.terminal = nil }
      }
      redraw()
      return try body(&keys)
    }
  }

  /// Waits for a key; draws anew where the terminal asks for that.
  /// - Returns: a key, the end, or that somebody asked to stop.
  package func next(_ keys: inout KeyReader) throws(SystemError) -> KeyReader.Event {
    while true {
      let event = try keys.next()
      guard event == .resized || event == .returned else { return event }
      redraw()
    }
  }

  /// Takes a key.
  package func take(_ key: Key) -> TableScreen.Outcome {
    if key == .control("l") {
      redraw()
      return .changed
    }
    let outcome = state.withLock { state in
      let outcome = state.screen.take(key, columns: console.output.columns, rows: console.output.rows)
      draw(&state)
      return outcome
    }
    // Who clicks beside the board may have meant the window.
    if case .click = key { return outcome }
    if outcome == .refused { ring() }
    return outcome
  }

  /// Changes what is shown.
  package func update(_ change: (inout TableScreen) -> Void) {
    state.withLock { state in
      change(&state.screen)
      draw(&state)
    }
  }

  /// Rings the terminal's bell.
  package func ring() {
    state.withLock { send("\u{7}", &$0) }
  }

  /// Draws all of it.
  private func redraw() {
    state.withLock { state in
      state.shown = nil
      draw(&state)
    }
  }

  private func draw(_ state: inout State) {
    guard state.terminal != nil else { return }
    let frame = state.screen.frame(columns: console.output.columns, rows: console.output.rows)
    let changes = frame.changes(after: state.shown)
    state.shown = frame
    if !changes.isEmpty { send(changes, &state) }
  }

  private func send(_ text: String, _ state: inout State) {
    // A terminal that is gone says so to whoever reads its keys.
    do throws(SystemError) { try state.terminal?.draw(text) } catch { state.shown = nil }
  }
}

import Synchronization

/// Progress shown on a console's standard error, from any thread.
package final class ProgressLine: Sendable {
  private let console: Console
  private let now: @Sendable () -> Int64
  private let progress: Mutex<Progress>

  /// Shows the start.
  ///
  /// - Parameter now: any clock that does not go backwards, in milliseconds.
  package init(
    on console: Console, label: String, unit: String, total: Int, done: Int = 0,
    now: @escaping @Sendable () -> Int64
  ) {
    self.console = console
    self.now = now
    progress = Mutex(
      Progress(
        label: label, unit: unit, total: total, done: done, isTerminal: console.errors.movesCursor, now: now()
      ))
    advance(to: done)
  }

  /// Shows how much is done, if it is time to.
  package func advance(to done: Int) {
    let channel = console.errors
    // Shown while locked, so that an older count never replaces a newer one.
    progress.withLock { progress in
      switch progress.advance(to: done, now: now(), columns: channel.columns, drawing: channel.drawing) {
      case .status(let text): console.show(status: text)
      case .line(let text): console.note(text)
      case nil: break
      }
    }
  }

  /// Takes the line away, at the end or when the work is given up; plain lines stay.
  package func finish() { console.clearStatus() }
}

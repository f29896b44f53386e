import Platform

/// Progress shown on a console's standard error, from any thread.
///
/// On a terminal the line is drawn anew five times a second, so that time goes on while the work hangs on one
/// long step, and an update that came too soon after another is not lost.
package final class ProgressLine: Sendable {
  private let display: Display
  private let ticker: Ticker?

  /// How often the line is drawn anew, in milliseconds.
  private static let redrawMilliseconds = 200

  /// Shows the start.
  ///
  /// - Parameters:
  ///   - now: any clock that does not go backwards, in milliseconds.
  ///   - note: what is said behind the counts; asked for when it is shown.
  ///   - left: how many milliseconds are left at a time; `nil` where the rate since the start says it.
  package init(
    on console: Console, label: String, unit: String, total: Int, done: Int = 0,
    now: @escaping @Sendable () -> Int64, note: @escaping @Sendable () -> String = { "" },
    left: @escaping @Sendable (Int64) -> Int64? = { _ in nil }
  ) {
    let isTerminal = console.errors.movesCursor
    let progress = Progress(
      label: label, unit: unit, total: total, done: done, isTerminal: isTerminal, now: now(), note: note,
      left: left)
    let display = Display(console: console, now: now, progress: progress)
    self.display = display
    display.show { $0.advance(to: done, now: $1, columns: $2, drawing: $3) }
    ticker = isTerminal ? Self.ticker(display) : nil
  }

  /// `nil` when the system has no thread to spare: then the line changes with the work alone.
  private static func ticker(_ display: Display) -> Ticker? {
    do throws(SystemError) {
      return try Ticker(everyMilliseconds: redrawMilliseconds) {
        display.show { $0.redraw(now: $1, columns: $2, drawing: $3) }
      }
    } catch { return nil }
  }

  /// Shows how much is done, if it is time to.
  package func advance(to done: Int) {
    display.show { $0.advance(to: done, now: $1, columns: $2, drawing: $3) }
  }

  /// Shows that one thing more is done, if it is time to.
  package func advance() {
    display.show { $0.advance(to: $0.done + 1, now: $1, columns: $2, drawing: $3) }
  }

  /// Takes in that there is more to do than was known, or that some was done before.
  package func include(before: Int, more: Int) {
    display.show {
      $0.include(before: before, more: more)
      return $0.advance(to: $0.done, now: $1, columns: $2, drawing: $3)
    }
  }

  /// How much is done; 0 once it is finished.
  package var done: Int { display.done }

  /// Takes the line away, at the end or when the work is given up; plain lines stay.
  package func finish() {
    ticker?.end()
    display.finish()
  }

  deinit { finish() }
}

extension ProgressLine {
  /// What is shown; the ticker's thread has it too.
  private final class Display: Sendable {
    private let console: Console
    private let now: @Sendable () -> Int64
    /// `nil` once all is over.
    private let progress: Guarded<Progress?>

    init(console: Console, now: @escaping @Sendable () -> Int64, progress: Progress) {
      self.console = console
      self.now = now
      self.progress = Guarded(progress)
    }

    func show(_ change: (inout Progress, Int64, Int, Drawing) -> Progress.Update?) {
      let channel = console.errors
      // Shown while locked, so that an older count never replaces a newer one.
      progress.withLock { current in
        guard var progress = current else { return }
        let update = change(&progress, now(), channel.columns, channel.drawing)
        current = progress
        switch update {
        case .status(let text): console.show(status: text)
        case .line(let text): console.note(text)
        case nil: break
        }
      }
    }

    var done: Int { progress.withLock { $0?.done ?? 0 } }

    func finish() {
      progress.withLock { progress in
        guard progress != nil else { return }
        progress = nil
        console.clearStatus()
      }
    }
  }
}

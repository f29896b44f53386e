/// How far a long command has come, as a value: counts and times go in, what to show comes out.
///
/// A terminal gets one line that is replaced at most ten times a second; elsewhere a plain line appears as a
/// quarter, a half, three quarters and all of the work are passed, and one at the start.
package struct Progress: Sendable {
  /// What to show after an update.
  package enum Update: Hashable, Sendable {
    /// The text of the line that replaces itself.
    case status(String)
    /// A line that stays.
    case line(String)
  }

  /// The least time between two status texts.
  package static let intervalMilliseconds: Int64 = 100

  private let label: String
  private let unit: String
  private var total: Int
  private let isTerminal: Bool
  private let startMilliseconds: Int64
  private var startDone: Int
  /// How much is done, as the last update said.
  package private(set) var done: Int
  private let note: @Sendable () -> String
  private let left: @Sendable (Int64) -> Int64?
  private var shownMilliseconds: Int64?
  private var shownQuarter = -1

  /// Work of `total` things, of which `done` had been done before (of a run that is continued).
  ///
  /// - Parameters:
  ///   - now: any clock that does not go backwards, in milliseconds.
  ///   - note: what is said behind the counts, such as a score; asked for when it is shown.
  ///   - left: how many milliseconds are left at a time, by whoever knows what the things take; `nil` where that is the
  ///     mean of those that are done.
  package init(
    label: String, unit: String, total: Int, done: Int = 0, isTerminal: Bool, now: Int64,
    note: @escaping @Sendable () -> String = { "" },
    left: @escaping @Sendable (Int64) -> Int64? = { _ in nil }
  ) {
    self.note = note
    self.left = left
    self.label = SafeText(label, limitColumns: 30).text
    self.unit = unit
    self.total = max(0, total)
    self.isTerminal = isTerminal
    startMilliseconds = now
    startDone = max(0, done)
    self.done = startDone
  }

  /// Takes in how much is done; says what to show, if it is time to.
  package mutating func advance(
    to done: Int, now: Int64, columns: Int = 80, drawing: Drawing = Drawing()
  ) -> Update? {
    let done = min(max(0, done), total)
    self.done = done
    return isTerminal
      ? status(done, now: now, columns: columns, drawing: drawing) : plainLine(done, now: now)
  }

  /// Takes in that there is more to do than was known.
  /// - Parameters:
  ///   - before: how much of the whole was done before, as turns out now; it says nothing of the rate.
  ///   - more: how much the whole is larger.
  package mutating func include(before: Int, more: Int) {
    total += max(0, more)
    startDone = min(startDone + max(0, before), total)
    done = min(done + max(0, before), total)
  }

  /// Says what a terminal shows now that time has passed, with updates that came too soon to be shown.
  package mutating func redraw(now: Int64, columns: Int = 80, drawing: Drawing = Drawing()) -> Update? {
    isTerminal && done < total ? status(done, now: now, columns: columns, drawing: drawing) : nil
  }

  private mutating func status(_ done: Int, now: Int64, columns: Int, drawing: Drawing) -> Update? {
    if let shownMilliseconds, now - shownMilliseconds < Self.intervalMilliseconds, done < total { return nil }
    shownMilliseconds = now
    let head = "\(label) "
    let tail = " \(counts(done))\(pace(done, now: now))\(suffix)"
    let used = DisplayWidth.columns(of: head) + DisplayWidth.columns(of: tail)
    // One column stays free: a line that fills the last one wraps on some terminals and cannot be wiped.
    let room = min(30, columns - 1 - used)
    let bar = room >= 5 ? self.bar(done, columns: room, drawing: drawing) : ""
    return .status(SafeText(head + bar + tail, limitColumns: max(0, columns - 1)).text)
  }

  private mutating func plainLine(_ done: Int, now: Int64) -> Update? {
    let quarter = total == 0 ? 4 : Self.part(4, done, total)
    guard quarter > shownQuarter else { return nil }
    shownQuarter = quarter
    return .line("\(label): \(counts(done)), \(percent(done)) %\(pace(done, now: now))\(suffix)")
  }

  private var suffix: String {
    let note = note()
    return note.isEmpty ? "" : "; \(SafeText(note, limitColumns: 80).text)"
  }

  private func counts(_ done: Int) -> String { "\(done)/\(total) \(unit)" }

  private func percent(_ done: Int) -> Int { total == 0 ? 100 : Self.part(100, done, total) }

  /// The rate since the start and the time left at that rate; in the end the time that it took.
  private func pace(_ done: Int, now: Int64) -> String {
    let elapsed = max(0, now - startMilliseconds)
    let fresh = Int64(max(0, done - startDone))
    guard done < total else { return ", took \(DurationText.text(milliseconds: elapsed))" }
    guard elapsed >= 1000 else { return "" }
    guard let left = millisecondsLeft(done, now: now) else {
      return ", \(DurationText.text(milliseconds: elapsed)) so far"
    }
    let tenths = Self.ratio(fresh, times: 10_000, over: elapsed)
    return ", \(tenths / 10).\(tenths % 10)/s, \(DurationText.text(milliseconds: left)) left"
  }

  /// How long what is left takes at the rate since the start; `nil` before something is done.
  package func millisecondsLeft(_ done: Int, now: Int64) -> Int64? {
    if let left = left(now) { return max(0, left) }
    let fresh = Int64(max(0, done - startDone))
    let elapsed = max(0, now - startMilliseconds)
    return fresh > 0 ? Self.ratio(Int64(total - done), times: elapsed, over: fresh) : nil
  }

  private func bar(_ done: Int, columns: Int, drawing: Drawing) -> String {
    let inner = columns - 2
    let filled = total == 0 ? inner : Self.part(inner, done, total)
    let (full, empty) = drawing.hasUnicode ? ("█", "░") : ("#", ".")
    return "[" + String(repeating: full, count: filled) + String(repeating: empty, count: inner - filled)
      + "]"
  }

  /// The share `done / total` of a whole, rounded down.
  private static func part(_ whole: Int, _ done: Int, _ total: Int) -> Int {
    Int(ratio(Int64(done), times: Int64(whole), over: Int64(total)))
  }

  /// `count × factor ÷ divisor`, rounded down, without overflow; `Int64.max` where the result is larger.
  private static func ratio(_ count: Int64, times factor: Int64, over divisor: Int64) -> Int64 {
    let product = count.magnitude.multipliedFullWidth(by: factor.magnitude)
    guard product.high < divisor.magnitude else { return .max }
    return Int64(clamping: divisor.magnitude.dividingFullWidth(product).quotient)
  }
}

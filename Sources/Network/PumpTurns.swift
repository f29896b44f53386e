/// When a peer's `pump` runs: one call at a time, which goes round again while there is more to do, and one call for
/// all that the loop finds together.
struct PumpTurns {
  private var isRunning = false
  private var hasMore = false
  /// Whether it is called when everything was looked at that came meanwhile.
  private(set) var isPlanned = false

  /// Plans a call.
  /// - Returns: whether none was planned.
  mutating func plan() -> Bool {
    defer { isPlanned = true }
    return !isPlanned
  }

  /// Begins a call.
  /// - Returns: `false` where one is under way, which goes round again.
  mutating func begin() -> Bool {
    (isPlanned, hasMore) = (false, true)
    guard !isRunning else { return false }
    isRunning = true
    return true
  }

  /// Begins the next round of the call that is under way; `false` where there is nothing more to do, which ends it.
  mutating func next() -> Bool {
    isRunning = hasMore
    hasMore = false
    return isRunning
  }

  /// There is more to do.
  mutating func noteMore() { hasMore = true }
}

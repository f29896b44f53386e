/// How much may still be done of something that is limited: a number at once, and a rate in the long run.
struct TokenBucket {
  private let limit: UInt64
  /// How many thousandths of one come back each millisecond.
  private let rate: UInt64
  private var left: UInt64
  private var last: UInt64

  /// - Parameters:
  ///   - limit: how many at once.
  ///   - count: how many come back in so many seconds.
  init(limit: Int, count: Int, inSeconds seconds: Int, at now: UInt64) {
    // Thousandths of thousandths, so that slow rates lose nothing by rounding.
    self.limit = UInt64(limit) * 1_000_000
    rate = UInt64(count) * 1_000 / UInt64(seconds)
    left = self.limit
    last = now
  }

  /// Takes one, at so many milliseconds of a clock that only goes forward.
  /// - Returns: whether there was one.
  mutating func take(at now: UInt64) -> Bool {
    let passed = min(now - min(last, now), 1 << 32)
    left = min(limit, left + passed * rate)
    last = now
    guard left >= 1_000_000 else { return false }
    left -= 1_000_000
    return true
  }
}

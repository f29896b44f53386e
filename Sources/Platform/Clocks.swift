import Glibc

/// A clock that only goes forward.
package enum MonotonicClock {
  /// Milliseconds since some moment that all processes of this machine share.
  package static var milliseconds: UInt64 { Clock.milliseconds(CLOCK_MONOTONIC) }

  /// The same, to the nanosecond where the system can say so.
  package static var time: Duration {
    let now = Clock.read(CLOCK_MONOTONIC)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }

  /// The same at the system's last tick, a few milliseconds ago at most: for who asks at every move.
  package static var tickMilliseconds: UInt64 { Clock.milliseconds(CLOCK_MONOTONIC_COARSE) }
}

/// A moment by which something is to have happened.
package struct Deadline: Sendable {
  private let milliseconds: UInt64

  /// So many milliseconds from now; at once for fewer than none.
  package init(afterMilliseconds count: Int) {
    milliseconds = MonotonicClock.milliseconds + UInt64(max(0, count))
  }

  /// How long it is until then; 0 when it has passed.
  package var millisecondsLeft: Int {
    let now = MonotonicClock.milliseconds
    return now < milliseconds ? Int(clamping: milliseconds - now) : 0
  }
}

/// The time of day, for people to read; nothing is decided by it.
package enum WallClock {
  /// Milliseconds since 1970 by the system's clock at its last tick, a few milliseconds ago at most; 0 for a clock that
  /// stands before that.
  package static func milliseconds() -> UInt64 { Clock.milliseconds(CLOCK_REALTIME_COARSE) }

  /// A time in this user's time zone, as `2025-11-20 23:45`; “?” for one that the system cannot name.
  package static func text(milliseconds: UInt64) -> String {
    var seconds = time_t(clamping: milliseconds / 1000)
    var parts = unsafe tm()
    // SAFETY: the call reads the one value and fills the other; neither is kept.
    guard unsafe localtime_r(&seconds, &parts) != nil, unsafe parts.tm_year < 8100 else { return "?" }
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min)]
    return date.map(twoDigits).joined(separator: "-") + " " + time.map(twoDigits).joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

private enum Clock {
  /// What one of the system's clocks shows; 0 where it stands before its beginning.
  static func milliseconds(_ clock: clockid_t) -> UInt64 {
    let now = read(clock)
    let whole = Int64(now.tv_sec).multipliedReportingOverflow(by: 1000)
    return whole.overflow ? 0 : UInt64(clamping: whole.partialValue + Int64(now.tv_nsec) / 1_000_000)
  }

  static func read(_ clock: clockid_t) -> timespec {
    var now = timespec()
    // SAFETY: the call fills the structure that it is lent; it cannot fail for these clocks.
    unsafe clock_gettime(clock, &now)
    return now
  }
}

extension ContinuousClock {
  /// The milliseconds from now on.
  var stopwatch: @Sendable () -> Int64 {
    let start = now
    return { start.duration(to: now).wholeMilliseconds }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
  }

  /// The duration in microseconds, rounded down.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
  }
}

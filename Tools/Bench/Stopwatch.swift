import Glibc

/// What something took: by the clock, and of this process's processors.
struct Span: Sendable {
  /// Seconds by the clock.
  var wall: Double
  /// Seconds of processor time of all threads, in the program and in the system for it.
  var cpu: Double

  /// Measures one call.
  static func of<Value>(_ body: () throws -> Value) rethrows -> (Span, Value) {
    let start = now()
    let value = try body()
    return (now() - start, value)
  }

  /// Measures one call that waits.
  static func of<Value>(_ body: () async throws -> Value) async rethrows -> (Span, Value) {
    let start = now()
    let value = try await body()
    return (now() - start, value)
  }

  static func - (a: Span, b: Span) -> Span { Span(wall: a.wall - b.wall, cpu: a.cpu - b.cpu) }

  /// Seconds of processor time that this process has used.
  static var processorSeconds: Double { now().cpu }

  /// Seconds of a clock that all processes of this machine share.
  static var clockSeconds: Double { now().wall }

  /// The clock, and what this process has used so far.
  static func now() -> Span {
    var time = timespec()
    var processor = timespec()
    // SAFETY: both calls fill the structure that they are lent.
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
    // The sum that getrusage gives in microseconds, in nanoseconds.
    unsafe _ = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
    return Span(wall: time.seconds, cpu: processor.seconds)
  }
}

extension timespec {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}

extension [Double] {
  /// The value in the middle; of an even number of values the mean of both. Traps without values.
  var median: Double {
    precondition(!isEmpty, "the median of no values")
    let ordered = sorted()
    return (ordered[count / 2] + ordered[(count - 1) / 2]) / 2
  }
}

/// Rounds of the floor and of Parlor, in turns, so that a moody machine hits both alike.
struct Rounds {
  private(set) var floor: [Span] = []
  private(set) var ours: [Span] = []

  /// Runs so many rounds of both; who goes first changes with each.
  init(_ count: Int, floor: (Int) async throws -> Span, ours: (Int) async throws -> Span) async rethrows {
    for round in 0..<count {
      if round % 2 == 0 { self.floor.append(try await floor(round)) }
      self.ours.append(try await ours(round))
      if round % 2 == 1 { self.floor.append(try await floor(round)) }
    }
  }

  /// Medians of a round.
  var floorSpan: Span { Self.median(floor) }
  /// Medians of a round.
  var ourSpan: Span { Self.median(ours) }
  var wallRatio: Double { floorSpan.wall / ourSpan.wall }
  var cpuRatio: Double { floorSpan.cpu / ourSpan.cpu }

  private static func median(_ spans: [Span]) -> Span {
    Span(wall: spans.map(\.wall).median, cpu: spans.map(\.cpu).median)
  }
}

extension FigureLine {
  /// Adds the times of a round, and how many rounds there were.
  mutating func add(_ rounds: Rounds) {
    add("wall_ratio", .decimal(rounds.wallRatio))
    add("cpu_ratio", .decimal(rounds.cpuRatio))
    add("wall_ms", .decimal(rounds.ourSpan.wall * 1_000))
    add("floor_wall_ms", .decimal(rounds.floorSpan.wall * 1_000))
    add("cpu_ms", .decimal(rounds.ourSpan.cpu * 1_000))
    add("floor_cpu_ms", .decimal(rounds.floorSpan.cpu * 1_000))
    add("rounds", .integer(rounds.ours.count))
  }
}

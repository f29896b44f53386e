/// What is told of a run, counted in it, and found that must not happen.
struct RunRecord: ~Copyable {
  /// The most violations that a run tells.
  private static let limitViolations = 20

  private let trace: ((String) -> Void)?
  private(set) var violations: [Violation] = []
  var statistics = RunStatistics()
  var digest = RunDigest()

  init(trace: ((String) -> Void)?) { self.trace = trace }

  /// Whether somebody reads what is told.
  var isTraced: Bool { trace != nil }
  /// Whether so much was found that the run is ended.
  var isFull: Bool { violations.count >= Self.limitViolations }

  /// Writes a line of the trace.
  func tell(_ words: @autoclosure () -> String, at time: UInt64) {
    if let trace { trace("\(SimulatedTime.text(time))  \(words())") }
  }

  /// Notes something that must not happen, once.
  /// - Returns: whether it is new.
  mutating func note(_ violation: Violation) -> Bool {
    let isKnown = violations.contains {
      $0.words == violation.words && $0.peer == violation.peer && $0.room == violation.room
    }
    guard !isFull, !isKnown else { return false }
    violations.append(violation)
    tell("VIOLATION \(violation)", at: violation.time)
    return true
  }

  /// Closes the record.
  mutating func report(_ options: SimulationOptions) -> RunReport {
    for violation in violations { digest.add(violation.description) }
    return RunReport(
      options: options, digest: digest.finish(), violations: violations, statistics: statistics)
  }
}

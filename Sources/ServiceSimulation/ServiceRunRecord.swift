import Simulation

/// What is told of a run of whole peers, counted in it, and found that must not happen.
///
/// The run and all that look for it write here, on the machine's thread.
final class ServiceRunRecord {
  /// The most violations that a run tells.
  private static let limitViolations = 20

  private let machine: SimulatedMachine
  /// Whether somebody reads what is told.
  let isTraced: Bool
  /// What of note has happened, if it is traced.
  private(set) var trace: [String] = []
  private(set) var violations: [Violation] = []
  var statistics = RunStatistics()

  init(_ machine: SimulatedMachine, isTraced: Bool) {
    self.machine = machine
    self.isTraced = isTraced
  }

  /// Writes a line of the trace.
  func tell(_ words: @autoclosure () -> String) {
    if isTraced { trace.append("\(SimulatedTime.text(machine.now)): \(words())") }
  }

  /// Notes something that must not happen.
  func violate(_ promise: Violation.Promise, peer: Int? = nil, _ words: String) {
    guard violations.count < Self.limitViolations else { return }
    violations.append(Violation(promise: promise, time: machine.now, peer: peer, room: nil, words: words))
    tell("VIOLATION \(promise.rawValue): \(words)")
  }
}

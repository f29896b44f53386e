/// What a line bot may have, as far as somebody has said it; the rest is as for all.
package struct LineBotSettings: Hashable, Sendable {
  /// For one move.
  package var moveMilliseconds: Int?
  /// Of each of its processes.
  package var memoryBytes: UInt64?
  package var processes: UInt64?
  package var folder: String?
  /// Each as `NAME=VALUE`; the last of a name counts.
  package var variables: [String] = []

  package static let moveTimes = 1...86_400_000
  package static let leastMemoryBytes = 1 << 20
  package static let processCounts: ClosedRange<UInt64> = 1...1_000_000

  /// Nothing is said.
  package init() {}

  /// The limits with what is said here in place of theirs.
  package func limits(over standard: LineBotLimits) -> LineBotLimits {
    var limits = standard
    if let moveMilliseconds {
      limits.moveMilliseconds = moveMilliseconds
      // Who is given long for a move is given as long for what it reads at its start.
      limits.startMilliseconds = max(LineBotLimits().startMilliseconds, moveMilliseconds)
    }
    limits.memoryBytes = memoryBytes ?? limits.memoryBytes
    limits.processes = processes ?? limits.processes
    limits.folder = folder ?? limits.folder
    limits.variables += variables
    return limits
  }

  /// A variable as an environment has it; `nil` for a name that none can have.
  package static func variable(_ name: some StringProtocol, _ value: some StringProtocol) -> String? {
    name.isEmpty || name.contains("=") ? nil : "\(name)=\(value)"
  }
}

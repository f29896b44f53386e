/// What to simulate: a seed, and what narrows down what follows from it.
package struct SimulationOptions: Hashable, Sendable {
  /// How many peers there may be.
  package static let peerLimits = 2...32
  /// How many whole peers there are at the least.
  package static let leastServices = 3
  /// How long the faults may last, in simulated milliseconds.
  package static let untilLimits: ClosedRange<UInt64> = 100...3_600_000

  /// Decides everything that is not given below.
  package var seed: UInt64
  /// What may go wrong.
  package var scenario: Scenario
  /// The number of peers, instead of the seed's.
  package var peers: Int?
  /// When faults end, in simulated milliseconds, instead of the seed's.
  package var untilMilliseconds: UInt64?
  /// What does not go wrong, whatever the seed says.
  package var without: Set<Fault>
  /// Whether keys and signatures are real (Ed25519); by itself every hundredth seed's are.
  package var usesRealKeys: Bool
  /// A mistake made on purpose, to see that it is noticed.
  package var planted: PlantedMistake?
  /// Whether the report has the files of tournaments that whole peers hold at the end.
  package var keepsFiles = false

  /// A run of a seed.
  package init(
    seed: UInt64, scenario: Scenario = .mixed, peers: Int? = nil, untilMilliseconds: UInt64? = nil,
    without: Set<Fault> = [], usesRealKeys: Bool? = nil, planted: PlantedMistake? = nil
  ) {
    self.seed = seed
    self.scenario = scenario
    self.peers = peers
    self.untilMilliseconds = untilMilliseconds
    self.without = without
    self.usesRealKeys = usesRealKeys ?? (seed % 100 == 0)
    self.planted = planted
  }

  /// The options as they are given to `parlor-simulate` to run this seed again.
  package var words: String {
    var words = ["--first \(seed)"]
    if scenario != .mixed { words.append("--scenario \(scenario.rawValue)") }
    if let peers { words.append("--peers \(peers)") }
    if let untilMilliseconds { words.append("--until \(untilMilliseconds)") }
    words += Fault.allCases.filter(without.contains).map { "--without \($0.rawValue)" }
    if let planted { words.append("--plant \(planted.rawValue)") }
    return words.joined(separator: " ")
  }
}

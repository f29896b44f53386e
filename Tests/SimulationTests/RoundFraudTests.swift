import Events
import TestKit
import Testing

@testable import Simulation

/// Dishonest seats, players and hosts of rounds: what they try comes to nothing, or is pinned on them.
@Suite("Frauds in rounds") struct RoundFraudTests {
  /// Seeds in which each bug of the table that names this test shows, and with them most frauds.
  private static let tellingSeeds: [UInt64] = [7, 12, 21, 43, 47, 48, 94, 105, 199, 497]

  @Test("Each is prevented, or pinned on the right key by every honest peer", arguments: tellingSeeds)
  func telling(_ seed: UInt64) {
    let report = Simulator.run(SimulationOptions(seed: seed, scenario: .rounds))
    #expect(report.violations.isEmpty, "\(report.options.words): \(report.violations)")
    #expect(report.statistics.roundFrauds.values.reduce(0, +) > 0, "nobody cheats in \(seed)")
  }

  @Test("In many seeds each fraud is tried, and none works", .onlyAtFullSize)
  func each() async {
    var sum = RunStatistics()
    await withTaskGroup(of: RunReport.self) { group in
      for seed in 1...500 as ClosedRange<UInt64> {
        group.addTask { Simulator.run(SimulationOptions(seed: seed, scenario: .rounds)) }
      }
      for await report in group {
        sum.add(report.statistics)
        #expect(report.violations.isEmpty, "\(report.options.words): \(report.violations)")
      }
    }
    for kind in RoundFraud.Kind.allCases {
      #expect(sum.roundFrauds[kind.rawValue] ?? 0 > 0, "nobody tries \(kind.rawValue)")
    }
  }
}

import Simulation
import TestKit
import Testing

/// Every checker rings: for each mistake that the simulated program can make, some seed soon notices it.
@Suite("Planted mistakes") struct PlantedMistakeTests {
  /// Where a mistake shows, and as which broken promise.
  private static func expectation(_ mistake: PlantedMistake) -> (Scenario, Set<Violation.Promise>) {
    switch mistake {
    case .marksBeforeCommit: (.crashes, [.conviction, .durability])
    case .losesCommits: (.crashes, [.conviction, .durability])
    case .restoresUnasked: (.restores, [.conviction])
    case .twoProcesses: (.calm, [.conviction])
    case .takesAnySignature: (.floods, [.integrity])
    case .forgetsRooms: (.crashes, [.integrity])
    case .accusesAtRandom: (.calm, [.conduct])
    case .staysCut: (.calm, [.convergence])
    case .talksOn: (.calm, [.bounds])
    case .leavesRoomsClosed: (.memory, [.convergence])
    case .ignoresDistance: (.reach, [.privacy])
    case .forgetsSubscriptions: (.memory, [.convergence])
    case .keepsRequestsBack: (.network, [.convergence])
    case .losesChanges: (.crashes, [.convergence])
    case .neverCommits: (.crashes, [.integrity, .convergence])
    case .comparesOnce: (.cheats, [.convergence, .ability])
    case .waitsForEver, .asksForOneFeed: (.everything, [.convergence, .ability])
    case .takesNothingUnasked, .hasNoPatience: (.calm, [.conduct])
    }
  }

  @Test("Is noticed", arguments: Effort.cases(PlantedMistake.allCases, quick: 3))
  func isNoticed(_ mistake: PlantedMistake) {
    let (scenario, promises) = Self.expectation(mistake)
    // Most show in the first few; a change of what peers say to each other must not decide whether one shows at all.
    for seed in 1...300 as ClosedRange<UInt64> {
      let options = SimulationOptions(seed: seed, scenario: scenario, planted: mistake)
      let broken = Simulator.run(options).violations.map(\.promise)
      if broken.contains(where: promises.contains) { return }
    }
    Issue.record("\(mistake.rawValue) was not noticed in 300 seeds of \(scenario.rawValue)")
  }
}

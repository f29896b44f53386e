import ServiceSimulation
import Simulation
import Testing

/// Runs several seeds at once, in none of which anything fails that must hold.
/// - Returns: what happened in all of them.
func sumOfHolding(_ runs: [SimulationOptions]) async -> RunStatistics {
  var sum = RunStatistics()
  await withTaskGroup(of: RunReport.self) { group in
    for options in runs { group.addTask { await Simulator.report(of: options) } }
    for await report in group {
      sum.add(report.statistics)
      let words = report.violations.map(\.description)
      #expect(words.isEmpty, "parlor-simulate \(report.options.words): \(words.joined(separator: "\n"))")
    }
  }
  return sum
}

import ServiceSimulation
import Simulation
import TestKit
import Testing

/// People with browsers at the pages of whole peers, whatever befalls sockets, peers and disks.
@Suite("Pages of whole peers") struct PageRunTests {
  private static let seeds = UInt64(Effort.size(24, quick: 3, variable: "PARLOR_SEEDS"))

  @Test("Nothing that must hold fails, in runs in which much happens")
  func holds() async {
    let sum = await sumOfHolding((1...Self.seeds).map { SimulationOptions(seed: $0, scenario: .pages) })
    // A rig in which nothing happens finds nothing.
    #expect(sum.visitedGames > 2 * Int(Self.seeds) && sum.shownEvents > 50 * Int(Self.seeds))
    if !Effort.isQuick { #expect(sum.crashes > Int(Self.seeds) / 2 && sum.attacks > 2 * Int(Self.seeds)) }
  }

  @Test("A seed repeats to the byte", arguments: Effort.cases([1, 8], quick: 1))
  func repeats(_ seed: UInt64) async {
    let options = SimulationOptions(seed: seed, scenario: .pages)
    async let one = Simulator.report(of: options)
    async let two = Simulator.report(of: options)
    let (first, second) = await (one, two)
    #expect(first.digest == second.digest && first.statistics == second.statistics)
    let calm = await Simulator.report(
      of: SimulationOptions(seed: seed, scenario: .pages, without: Set(Fault.allCases)))
    #expect(calm.statistics.crashes == 0 && calm.statistics.attacks == 0 && calm.digest != first.digest)
  }

  /// After a start two clients of `tictactoe` waited for each other in two rooms (3). What was left while the disk was
  /// full went on (24). A game that was over when the server was killed was never signed, and came back (95).
  @Test("Seeds in which something did not hold", arguments: [3, 24, 95])
  func pastSeeds(_ seed: UInt64) async {
    let report = await Simulator.report(
      of: SimulationOptions(seed: seed, scenario: .pages, without: [.socketFloods]))
    #expect(report.violations.isEmpty, "\(report.options.words): \(report.violations)")
  }
}

import Simulation
import TestKit
import Testing
import Tournaments

@testable import ServiceSimulation

/// Tournaments of whole peers while the network is split again and again, machines die, and organizers go.
@Suite("Tournaments in a network that is split") struct SplitTournamentTests {
  private static let seeds = UInt64(Effort.size(12, quick: 6, variable: "PARLOR_SEEDS"))

  /// Each format in turn.
  @Test("Nothing that counted is undone but by what may undo it, and all see one end")
  func holds() async {
    let sum = await sumOfHolding((1...Self.seeds).map { SimulationOptions(seed: $0, scenario: .tournaments) })
    // A rig in which nothing happens finds nothing.
    #expect(sum.partitions > Int(Self.seeds) && sum.agreedGames > 3 * Int(Self.seeds))
    let plans = (1...Self.seeds).map { ServicePlan(SimulationOptions(seed: $0, scenario: .tournaments)) }
    #expect(plans.contains { $0.drawsSeeds })
    #expect(sum.pairings > Int(Self.seeds) && sum.departures > 0 && sum.lateEntrants > 0)
    if !Effort.isQuick { #expect(sum.rulings > Int(Self.seeds) / 2 && sum.overruled > 0) }
  }

  /// An organizer that went on elsewhere could not call a lost entrant absent at whose table they had played (25); a
  /// pairing is reopened (14); bots had left a tournament that went on when a ruling was taken back (60,169); an
  /// organizer hears what players had signed when its words have ended the tournament (60,300).
  @Test(
    "Seeds in which something once did not hold, or that few others have",
    arguments: Effort.cases([60_169, 14, 25, 60_300], quick: 2))
  func oldFailures(_ seed: UInt64) async {
    let report = await Simulator.report(of: SimulationOptions(seed: seed, scenario: .tournaments))
    #expect(report.violations.isEmpty, "\(report.options.words): \(report.violations)")
  }

  /// Eliminations, round robins and gauntlets end; what waits for the organizer says so.
  @Test(
    "The organizer's machine is gone for good after the start",
    arguments: Effort.cases(TournamentFormat.allCases, quick: 2))
  func organizerGone(_ format: TournamentFormat) async throws {
    let options = try #require(
      (1_000..<2_000).lazy.map { SimulationOptions(seed: $0, scenario: .tournaments) }.first { options in
        let plan = ServicePlan(options)
        guard case .tournament(format, _) = plan.play else { return false }
        return plan.faults.contains(.organizerGone)
      })
    let report = await Simulator.report(of: options)
    #expect(report.violations.isEmpty, "parlor-simulate \(report.options.words): \(report.violations)")
    #expect(report.statistics.departures == 1)
  }

  @Test(
    "Somebody is let in after the start",
    arguments: Effort.cases(TournamentFormat.allCases.filter { $0.mostLateEntrants > 0 }, quick: 2))
  func lateEntrants(_ format: TournamentFormat) async throws {
    let options = try #require(
      (1_000..<2_000).lazy.map { SimulationOptions(seed: $0, scenario: .tournaments) }.first { options in
        let plan = ServicePlan(options)
        guard case .tournament(format, _) = plan.play else { return false }
        return plan.hasLateEntrant && !plan.faults.contains(.organizerGone)
      })
    let report = await Simulator.report(of: options)
    #expect(report.violations.isEmpty, "parlor-simulate \(report.options.words): \(report.violations)")
    #expect(report.statistics.lateEntrants == 1)
  }

  @Test("A seed repeats to the byte")
  func repeats() async {
    let options = SimulationOptions(seed: 3, scenario: .tournaments)
    async let one = Simulator.report(of: options)
    async let two = Simulator.report(of: options)
    let (first, second) = await (one, two)
    #expect(first.digest == second.digest && first.statistics == second.statistics)
  }
}

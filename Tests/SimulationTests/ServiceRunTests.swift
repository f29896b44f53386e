import Platform
import Simulation
import TestKit
import Testing

@testable import ServiceSimulation

/// Whole peers on simulated machines: what must hold holds, and a run repeats to the byte.
@Suite("Whole peers in the simulator") struct ServiceRunTests {
  private static let seeds = UInt64(Effort.size(24, quick: 3, variable: "PARLOR_SEEDS"))

  @Test("Nothing that must hold fails, in runs in which much happens")
  func holds() async {
    let sum = await sumOfHolding((1...Self.seeds).map { SimulationOptions(seed: $0, scenario: .services) })
    // A rig in which nothing happens finds nothing.
    #expect(sum.events > 30 * Int(Self.seeds) && sum.messages > sum.events)
    #expect(sum.agreedGames > Int(Self.seeds))
    if !Effort.isQuick { #expect(sum.crashes > Int(Self.seeds) / 4 && sum.pairings > Int(Self.seeds)) }
  }

  /// A table of a tournament that was opened while the disk was full, and not opened again when it had space; the last
  /// round of a quiz, whose end a full disk had not taken.
  @Test("Seeds in which something once did not hold", arguments: [482, 10_573])
  func oldFailures(_ seed: UInt64) async {
    let report = await Simulator.report(of: SimulationOptions(seed: seed, scenario: .services))
    #expect(report.violations.isEmpty, "\(report.options.words): \(report.violations)")
  }

  @Test("A seed repeats to the byte", arguments: Effort.cases([3, 4, 11], quick: 1))
  func repeats(_ seed: UInt64) async {
    let options = SimulationOptions(seed: seed, scenario: .services)
    async let one = Simulator.report(of: options)
    async let two = Simulator.report(of: options)
    let (first, second) = await (one, two)
    #expect(first.digest == second.digest && first.statistics == second.statistics)
    #expect(first.statistics.crashes > 0)
    let other = await Simulator.report(of: SimulationOptions(seed: seed + 1, scenario: .services))
    #expect(first.digest != other.digest)
  }

  /// A thousand runs in one process had no room for keys any more.
  @Test("A run leaves nothing behind", arguments: [Scenario.services, .attacks, .pages])
  func leavesNothing(_ scenario: Scenario) async {
    let isGone = await withCheckedContinuation { continuation in
      WorkThread().add {
        let options = SimulationOptions(seed: 12, scenario: scenario)
        weak var left: ServiceRun?
        do {
          let run = try ServiceRun(options, isTraced: false)
          left = run
          _ = run.run(options)
        } catch { Issue.record("it does not begin: \(error)") }
        continuation.resume(returning: left == nil)
      }
    }
    #expect(isGone)
  }

  @Test("What happens is told, and telling it changes nothing")
  func tells() async {
    let options = SimulationOptions(seed: 3, scenario: .services)
    var lines: [String] = []
    let told = await Simulator.report(of: options) { lines.append($0) }
    #expect(lines.contains { $0.contains("crashes") } && lines.contains { $0.contains("is over everywhere") })
    #expect(told.digest == (await Simulator.report(of: options)).digest)
  }
}

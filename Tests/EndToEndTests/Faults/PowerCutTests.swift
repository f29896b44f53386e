import Foundation
import TestKit
import Testing

/// Power cuts at every moment: whatever a disk may then hold, nothing acknowledged is lost and the program opens
/// it and goes on. `Docs/TESTING.md` says what is recorded and what a disk may do.
@Suite(
  .blocking, .serialized, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: FaultTools.missing == nil, "\(FaultTools.missing ?? "")"))
struct PowerCutTests {
  /// How many states are to be drawn in all, by the environment.
  static let wanted = Effort.number("PARLOR_POWER_STATES")
  static let states = wanted ?? Effort.size(600, quick: 200)

  static let plans = [
    PowerCutRecording.Plan(seed: 0),
    PowerCutRecording.Plan(seed: 1, data: "home/share/data", end: .atRandom),
    // Nothing after the rename makes that durable as a matter of course: the identity is there already.
    PowerCutRecording.Plan(seed: 2, end: .afterItsRename, hasIdentity: true),
    PowerCutRecording.Plan(seed: 3, data: "share/data", end: .atRandom),
  ]

  @Test(arguments: Effort.cases(plans, quick: 1))
  func nothingAcknowledgedIsLost(_ plan: PowerCutRecording.Plan) throws {
    let states = Self.states / Self.plans.count
    let cuts = PowerCuts(try PowerCutRecording(plan))
    let findings = try cuts.check(states: states, seed: plan.seed, goOnEvery: 10)
    #expect(findings.violations == 0, "\(findings.words)")
    #expect(findings.states == states)
    if Self.wanted != nil {
      try FileHandle.standardError.write(
        contentsOf: Data("\(plan.testDescription): \(findings.words)\n".utf8))
    }
    #expect(findings.distinct > states / 5)
    #expect(findings.goneOn > findings.distinct / 20)
  }

  /// An identity may be created before there is a store, whose creation syncs the names of the folders above.
  @Test func anIdentityLastsWithTheFolderThatWasMadeForIt() throws {
    let cuts = PowerCuts(try PowerCutRecording(.init(seed: 0, isIdentityAlone: true)))
    let findings = try cuts.check(states: 100, seed: 0)
    #expect(findings.violations == 0, "\(findings.words)")
  }

  /// The rig with durability switched off, and with its parts.
  @Test(.onlyAtFullSize) func everyMissingSyncIsNoticed() throws {
    let recording = try PowerCutRecording(.init(seed: 4))
    for plant in PowerCuts.Plant.allCases where plant != .none {
      let cuts = PowerCuts(recording)
      var missing = plant.consequences
      // What is recorded depends on how the program's commits fell together, so a few states may all end alike.
      for seed in 5...12 as ClosedRange<UInt64> where !missing.isEmpty {
        let findings = try cuts.check(states: 1_000, seed: seed, plant: plant, stopAfter: 30)
        #expect(findings.violations > 0, "\(plant.rawValue) went unnoticed")
        missing.removeAll { findings.of($0) > 0 }
      }
      #expect(missing.isEmpty, "\(plant.rawValue): no state is \(missing)")
    }
  }
}

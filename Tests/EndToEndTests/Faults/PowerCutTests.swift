import Foundation
import Testing

/// Power cuts at every moment: whatever a disk may then hold, nothing acknowledged is lost and the program opens
/// it and goes on. `Docs/TESTING.md` says what is recorded and what a disk may do.
@Suite(
  .serialized, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: FaultTools.missing == nil, "\(FaultTools.missing ?? "")"))
struct PowerCutTests {
  /// How many states are drawn in all: 2,000, or as many as `PARLOR_POWER_STATES` says.
  static let states = ProcessInfo.processInfo.environment["PARLOR_POWER_STATES"].flatMap(Int.init) ?? 2_000
  static let seeds: [UInt64] = [0, 1, 2, 3]

  @Test(arguments: seeds)
  func nothingAcknowledgedIsLost(_ seed: UInt64) throws {
    let recording = try PowerCutRecording(seed: seed)
    let states = Self.states / Self.seeds.count
    let findings = try PowerCuts(recording).check(states: states, seed: seed, goOnEvery: 10)
    #expect(findings.violations == 0, "\(findings.words)")
    #expect(findings.states == states)
    #expect(findings.distinct > 100)
    #expect(findings.goneOn >= findings.distinct / 10)
  }

  /// The name of the data folder, which the program makes, and those above it have to last as well.
  ///
  /// They do not yet: nobody syncs the folders that they are made in. On ext4, XFS and btrfs a later sync below
  /// them takes them along; POSIX promises nothing of the kind.
  @Test func theDataFolderItselfLasts() throws {
    let recording = try PowerCutRecording(seed: 0, hasFolder: false)
    withKnownIssue {
      let findings = try PowerCuts(recording).check(states: 300, seed: 0, keepsFailures: false)
      #expect(findings.violations == 0, "\(findings.words)")
    }
  }

  /// The rig with durability switched off, and with its parts.
  @Test func everyMissingSyncIsNoticed() throws {
    let recording = try PowerCutRecording(seed: 4)
    for plant in PowerCuts.Plant.allCases where plant != .none {
      let cuts = PowerCuts(recording)
      let findings = try cuts.check(states: 1_000, seed: 5, plant: plant, stopAfter: 30)
      #expect(findings.violations > 0, "\(plant.rawValue) went unnoticed")
      for kind in plant.consequences {
        #expect(findings.of(kind) > 0, "\(plant.rawValue): no state is \(kind)\n\(findings.words)")
      }
    }
  }
}

import Foundation
import Games
import SearchBots
import TestKit
import Testing

/// The published sets of Connect Four positions (Pascal Pons), where they lie beside the project.
private enum ReferenceSets {
  /// Positions as moves, and their scores.
  static func read(_ set: String) throws -> [(moves: String, score: Int32)] {
    try ReferenceData.lines("connect4/\(set)").map { line in
      let parts = line.split(separator: " ")
      try #require(parts.count == 2)
      return (String(parts[0]), try #require(Int32(parts[1])))
    }
  }
}

#if DEBUG
  private let sets = [("Test_L3_R1", 500), ("Test_L2_R1", 500), ("Test_L1_R1", 20)]
#else
  private let sets = [
    ("Test_L3_R1", 500), ("Test_L2_R1", 500), ("Test_L1_R1", 500), ("Test_L2_R2", 500), ("Test_L1_R2", 20),
  ]
#endif
/// The sets that take minutes, when they are asked for.
private let hardSets =
  ProcessInfo.processInfo.environment["PARLOR_HARD_SETS"] == nil
  ? [] : [("Test_L1_R2", 500), ("Test_L1_R3", 500)]

@Suite("Connect Four: published positions")
struct SearchReferenceSetTests {
  @Test(
    "scores agree",
    .enabled(if: ReferenceData.has("connect4"), "\(ReferenceData.absence)"),
    arguments: sets + hardSets)
  func agree(set: String, positions: Int) throws {
    let solver = ConnectFourSolver()
    for (moves, score) in try ReferenceSets.read(set).prefix(positions) {
      let solution = try solver.solve(ConnectFour().position(moves: moves), movesWanted: false)
      #expect(solution.value == score, "\(moves)")
    }
  }
}

import Rules
import TestKit
import Testing

@testable import Tournaments

/// What crosstables say, against the pairings themselves.
struct TournamentCrosstableTests {
  private func texts(_ state: TournamentState) throws -> [[String]] {
    try #require(TournamentCrosstable(state)).cells.map { $0.map { $0.text { "\($0)" } } }
  }

  @Test func aRoundRobinByHand() throws {
    var state = try TournamentState(.roundRobin, 3)
    // Berger for four: 3 has a bye, 2–3, 3–1, 1–2 and the like.
    let pairs = state.ready.map { $0.entrants.map(\.index) }
    for (number, pair) in pairs.enumerated() where pair.contains(0) {
      try state.play(number, pair[0] == 0 ? .won : .lost)
    }
    #expect(try texts(state)[0] == ["", "4", "4"])
    #expect(try texts(state)[1] == ["0", "", ""] && texts(state)[2] == ["0", "", ""])
    let cells = try #require(TournamentCrosstable(state)).cells
    #expect(cells[1][1].kind == .itself && cells[1][2].kind == .open && cells[1][0].most == 4)
  }

  @Test func aSwissByHand() throws {
    var state = try TournamentState.swiss(3, rounds: 2)
    #expect(try texts(state) == [["bye"], ["3w"], ["2b"]])
    try state.play(0, .level)
    // The bye of the second round is that of 1 or 2.
    let after = try texts(state)
    #expect(after.allSatisfy { $0.count == 2 } && after.count { $0[1] == "bye" } == 1)
    #expect(Set(after.map { String($0[0].suffix(2)) }) == ["ye", "w=", "b="])
  }

  /// The cells of a row add up to its points, in every format and at every moment.
  @Test(arguments: 0..<Effort.size(120, quick: 30)) func rowsAddUp(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let format = TournamentFormat.allCases[seed % TournamentFormat.allCases.count]
    var state = try TournamentState(format, .random(in: 2...12, using: &random))
    guard format.results != .tree else { return #expect(TournamentCrosstable(state) == nil) }
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      guard let room = state.ready.randomElement(using: &random) else { break }
      #expect(state.apply(.result(room.randomResult(seed: UInt64(seed), absences: true))) == nil)
    }
    let table = try #require(TournamentCrosstable(state))
    #expect(table.rows == state.standings && table.cells.count == table.rows.count)
    for (row, cells) in zip(table.rows, table.cells) {
      #expect(cells.count == table.columns.count)
      guard format == .swiss || format == .roundRobin else { continue }
      #expect(cells.reduce(0) { $0 + $1.gained + ($1.kind == .bye ? 2 : 0) } == row.shownHalfPoints)
    }
  }
}

import Rules
import TestKit
import Testing

@testable import Tournaments

/// Places on a ladder, and who meets on it.
struct LadderTests {
  private func ladder(_ entrants: Int, rounds: Int) throws -> TournamentState {
    TournamentState(
      settings: try TournamentSettings(format: .ladder, entrants: entrants, options: ["rounds": rounds]))
  }

  private func pairs(_ state: TournamentState) -> [[Int]] { state.ready.map { $0.entrants.map(\.index) } }

  @Test func challengersWhoWinMoveUp() throws {
    var state = try ladder(5, rounds: 3)
    #expect(state.pairingCount == 6 && pairs(state) == [[1, 0], [3, 2]])
    try state.play(0, .won)
    #expect(pairs(state) == [[3, 2]] && state.order == [1, 0, 2, 3, 4])
    try state.play(1, .level)
    #expect(pairs(state) == [[2, 0], [4, 3]])
    try state.play(2, .won)
    try state.play(3, .won)
    #expect(state.order == [1, 2, 0, 4, 3] && pairs(state) == [[2, 1], [4, 0]])
    try state.play(4, .lost)
    try state.play(5, .won)
    #expect(state.isComplete && state.order == [1, 2, 4, 0, 3] && state.ranks == [1, 2, 3, 4, 5])
  }

  /// The strongest stands last and is on top after as many rounds as there are entrants.
  @Test func asManyRoundsAsEntrantsBringTheLastOneUp() throws {
    for entrants in 2...12 {
      var state = try TournamentState(.ladder, entrants)
      state.playOut { $0.pairing.first > $0.pairing.second ? .won : .lost }
      #expect(state.isComplete && state.order == Array((0..<entrants).reversed()), "\(entrants) entrants")
    }
  }

  @Test func whoComesInStandsLast() throws {
    var state = try ladder(3, rounds: 3)
    #expect(pairs(state) == [[1, 0]])
    #expect(state.apply(.entry(EntrantIndex(3))) == nil)
    try state.play(0, .won)
    #expect(pairs(state) == [[2, 0]] && state.order == [1, 0, 2, 3])
    #expect(state.apply(.entry(EntrantIndex(4))) == nil)
    try state.play(1, .won)
    // The third round has the first two and the next two, and the one who came last is without a neighbour.
    #expect(pairs(state) == [[2, 1], [3, 0]] && state.pairingCount == 4)
    try state.play(2, .lost)
    try state.play(3, .won)
    #expect(state.isComplete && state.order == [1, 2, 3, 0, 4])
  }

  /// Brackets need all of their entrants at the start, and who may come in later stands in the protocol as well.
  @Test(arguments: TournamentFormat.allCases) func whoTakesEntrants(_ format: TournamentFormat) throws {
    var state = try TournamentState(format, 4)
    let takes = [.roundRobin, .gauntlet, .swiss, .ladder].contains(format)
    #expect((state.apply(.entry(EntrantIndex(4))) == nil) == takes)
    #expect(state.seeds.count == (takes ? 5 : 4))
    #expect(format.mostLateEntrants == (takes ? format == .swiss ? 1_000 : format.mostEntrants : 0))
  }

  @Test func whoLeavesIsPassedOver() throws {
    var state = try ladder(4, rounds: 4)
    state.playOut { $0.pairing.round == 0 ? .level : .lost }
    #expect(state.decidedCount == 2 + 1 + 2 + 1)
    var other = try ladder(4, rounds: 4)
    #expect(other.apply(.withdrawal(EntrantIndex(1))) == nil)
    // Seed 2 has lost to seed 1, which it challenged; seeds 1 and 3 are neighbours in the third round.
    #expect(pairs(other) == [[3, 2]])
    try other.play(1, .lost)
    #expect(pairs(other) == [[3, 2]])
    try other.play(2, .lost)
    #expect(pairs(other) == [[2, 0]])
  }
}

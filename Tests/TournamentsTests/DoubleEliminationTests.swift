import Rules
import TestKit
import Testing

@testable import Tournaments

/// Two brackets, and the reset.
struct DoubleEliminationTests {
  /// The better seed wins all: nobody is reset, and ranks are seeds as far as they are told apart.
  @Test func theBetterSeedWinsEverything() throws {
    for (entrants, ranks) in [
      (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 3, 4]), (8, [1, 2, 3, 4, 5, 5, 7, 7]),
      (16, [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13]),
    ] {
      var state = try TournamentState(.doubleElimination, entrants)
      #expect(state.pairingCount == 2 * entrants - 1)
      state.playOut { _ in .won }
      #expect(state.isComplete && state.champion == EntrantIndex(0))
      #expect(state.pairingCount == 2 * entrants - 2 && state.schedule.last?[0].stage == "final")
      #expect(state.ranks == ranks, "\(entrants) entrants")
    }
  }

  @Test func theLowerBracketMustWinTheFinalTwice() throws {
    var state = try TournamentState(.doubleElimination, 2)
    try state.play(0, .won)
    #expect(state.ready.map { $0.entrants.map(\.index) } == [[0, 1]])
    try state.play(1, .lost)
    #expect(!state.isComplete && state.ready.map { $0.entrants.map(\.index) } == [[1, 0]])
    var other = state
    try state.play(2, .won)
    #expect(state.champion == EntrantIndex(1) && state.ranks == [1, 2] && state.decidedCount == 3)
    try other.play(2, .lost)
    #expect(other.champion == EntrantIndex(0))
  }

  /// The brackets of eight, as the type draws them.
  @Test func bracketsOfEight() throws {
    let state = try TournamentState(.doubleElimination, 8)
    let stages = state.schedule.map { "\($0[0].stage ?? ""): \($0.count)" }
    #expect(
      stages == [
        "upper 1: 4", "lower 1: 2", "upper 2: 2", "lower 2: 2", "lower 3: 1", "upper 3: 1", "lower 4: 1",
        "final: 1", "reset: 1",
      ])
    func slots(_ round: Int) -> [ScheduledPairing.Slot] {
      state.schedule[round].flatMap { [$0.upper, $0.lower] }
    }
    let number = { PairingNumber(index: $0) }
    #expect(slots(1) == (0..<4).map { .loser(of: number($0)) })
    // The second round of the upper bracket is M7 and M8, whose losers come in from the bottom up.
    #expect(
      slots(3) == [
        .winner(of: number(4)), .loser(of: number(7)), .winner(of: number(5)), .loser(of: number(6)),
      ])
    #expect(slots(7) == [.winner(of: number(11)), .winner(of: number(12))])
  }

  /// Whatever happens, all but the champion lose twice, the champion at most once, and nobody plays on after that.
  @Test(arguments: 2...6) func everySequenceOfResultsPutsAllButOneOut(_ entrants: Int) throws {
    let pairings = 2 * entrants - 1
    let all = 1 << pairings
    let step = entrants < 6 || !Effort.isQuick ? 1 : 7
    for sequence in stride(from: 0, to: all, by: step) {
      var state = try TournamentState(.doubleElimination, entrants)
      var losses = [Int](repeating: 0, count: entrants)
      while let room = state.ready.first {
        let isLost = sequence >> room.pairing.number.index & 1 == 1
        #expect(room.entrants.allSatisfy { losses[$0.index] < 2 })
        losses[room.entrants[isLost ? 0 : 1].index] += 1
        #expect(state.apply(.result(room.result(isLost ? .lost : .won))) == nil)
      }
      let champion = try #require(state.champion)
      #expect(state.isComplete && losses[champion.index] < 2)
      #expect(losses.count { $0 == 2 } == entrants - 1)
      #expect(state.decidedCount == pairings - (losses[champion.index] == 0 ? 1 : 0))
      #expect(state.standings.map(\.isOut) == [false] + Array(repeating: true, count: entrants - 1))
      expectRanksPartition(state)
    }
  }

  /// As in a published bracket of eight: seed 1 loses its first pairing and comes back through the lower bracket.
  @Test func whoLosesFirstCanWinAll() throws {
    var state = try TournamentState(.doubleElimination, 8)
    state.playOut { room in
      let hasFirst = room.entrants.contains(EntrantIndex(0))
      guard hasFirst, room.pairing.number.index > 0 else { return hasFirst ? .lost : .won }
      return room.pairing.first.index == 0 ? .won : .lost
    }
    #expect(state.champion == EntrantIndex(0) && state.decidedCount == 15)
    #expect(state.standings[0].tally.losses == 1)
  }
}

/// What can be chosen of the older formats.
struct FormatOptionTests {
  private func state(_ format: TournamentFormat, _ entrants: Int, _ name: String, _ value: Int) throws
    -> TournamentState
  {
    TournamentState(
      settings: try TournamentSettings(format: format, entrants: entrants, games: 1, options: [name: value]))
  }

  @Test func losersOfTheSemiFinalsPlayForTheThirdPlace() throws {
    for entrants in 2...9 {
      var state = try state(.singleElimination, entrants, "third-place", 1)
      let hasOne = entrants > 3
      #expect(state.pairingCount == entrants - (hasOne ? 0 : 1))
      state.playOut { _ in .won }
      #expect(state.isComplete && state.champion == EntrantIndex(0))
      #expect(state.ranks.prefix(min(4, entrants)) == [1, 2, 3, 4].prefix(min(4, entrants)))
      #expect(state.schedule.last?.last?.stage == (hasOne ? "third place" : nil))
    }
    var four = try state(.singleElimination, 4, "third-place", 1)
    try four.play(0, .won)
    try four.play(1, .won)
    #expect(four.ready.map { $0.entrants.map(\.index) } == [[0, 1], [2, 3]])
    try four.play(3, .lost)
    #expect(!four.isComplete)
    try four.play(2, .lost)
    #expect(four.order == [1, 0, 3, 2] && four.ranks == [1, 2, 3, 4])
  }

  @Test func cyclesRepeatTheTablesWithSeatsSwapped() throws {
    for entrants in 2...7 {
      for cycles in [1, 2, 3, 16] {
        let state = try state(.roundRobin, entrants, "cycles", cycles)
        let pairs = state.known.map(\.pairing)
        let each = entrants * (entrants - 1) / 2
        #expect(pairs.count == cycles * each && state.pairingCount == pairs.count)
        for (index, pairing) in pairs.enumerated() {
          let first = pairs[index % each]
          let isSwapped = index / each % 2 == 1
          #expect(pairing.number.index == index)
          #expect(
            (pairing.first, pairing.second)
              == (isSwapped ? (first.second, first.first) : (first.first, first.second)))
        }
        #expect(state.schedule.count == cycles * (entrants - 1 + entrants % 2))
      }
    }
  }

  @Test func aGauntletIsTheFirstAgainstEachOther() throws {
    let state = try state(.gauntlet, 4, "cycles", 2)
    #expect(
      state.ready.map { $0.entrants.map(\.index) } == [[0, 1], [2, 0], [0, 3], [1, 0], [0, 2], [3, 0]])
    #expect(state.schedule.count == 6)
  }

  /// Shares are compared and not points: the first one has three times the games of the others.
  @Test func aGauntletRanksByShares() throws {
    var state = try state(.gauntlet, 4, "cycles", 1)
    try state.play(0, .won)
    try state.play(1, .level)
    try state.play(2, .lost)
    // Seed 1 has 1½ of 3, seed 2 nothing, seed 3 half of its one, seed 4 all; seed 1 has won a third, seed 3 nothing.
    #expect(state.order == [3, 0, 2, 1] && state.ranks == [1, 2, 3, 4])
    #expect(state.isComplete && state.champion == EntrantIndex(3))
  }
}

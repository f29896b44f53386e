import Rules
import TestKit
import Testing

@testable import Tournaments

struct SingleEliminationTests {
  @Test func linesFollowTheUsualFold() {
    #expect(SingleElimination.lines(2) == [0, 1])
    #expect(SingleElimination.lines(4) == [0, 3, 1, 2])
    #expect(SingleElimination.lines(8) == [0, 7, 3, 4, 1, 6, 2, 5])
    #expect(
      SingleElimination.lines(16) == [0, 15, 7, 8, 3, 12, 4, 11, 1, 14, 6, 9, 2, 13, 5, 10])
  }

  @Test func byesFallToTheTopSeedsInTheFirstRoundOnly() throws {
    for entrants in 2...64 {
      let rounds = try TournamentState(.singleElimination, entrants).schedule
      let byes = (1 << rounds.count) - entrants
      let holders = rounds[0].filter { $0.lower == .bye }.compactMap(\.upper.entrant).sorted()
      #expect(holders.map(\.index) == Array(0..<byes))
      #expect(rounds.joined().count { $0.upper == .bye } == 0)
      #expect(rounds.dropFirst().joined().count { $0.lower == .bye } == 0)
      #expect(rounds.joined().count { $0.number != nil } == entrants - 1)
    }
  }

  @Test func favouritesMeetAsPredictedUpToTheFinal() throws {
    for entrants in 2...64 {
      var state = try TournamentState(.singleElimination, entrants)
      state.playOut { _ in .won }
      let rounds = state.schedule
      for (round, places) in rounds.enumerated() {
        let left = 1 << (rounds.count - round)
        for (upper, lower) in places.compactMap(\.entrants) { #expect(upper.index + lower.index == left - 1) }
      }
      #expect(state.champion == EntrantIndex(0))
      #expect(state.order == Array(0..<entrants))
    }
  }

  @Test func placesNameThePairingsTheyWaitFor() throws {
    var state = try TournamentState(.singleElimination, 3)
    #expect(state.schedule.count == 2)
    #expect(state.schedule[0][0].number == nil)
    #expect(state.schedule[1][0].upper == .entrant(EntrantIndex(0)))
    #expect(state.schedule[1][0].lower == .winner(of: PairingNumber(0)))
    #expect(PairingNumber(0).description == "M1")
    try state.play(0, .lost)
    #expect(state.schedule[1][0].lower == .entrant(EntrantIndex(2)))
    #expect(state.ready.map(\.pairing.number) == [PairingNumber(1)])
  }

  @Test func theBetterSeedHasTheFirstSeatAndDecidersSwapIt() throws {
    var state = try TournamentState(.singleElimination, 2, games: 3, deciders: 2)
    var seats: [[Int]] = []
    var games: [Int] = []
    while let room = state.ready.first {
      seats.append(room.entrants.map(\.index))
      games.append(room.games)
      #expect(room.pairing.entrants.map(\.index) == [0, 1])
      try state.play(0, .level)
    }
    #expect(seats == [[0, 1], [1, 0], [0, 1]])
    #expect(games == [3, 1, 1])
    #expect(state.decided[0].decision == Decision(winner: EntrantIndex(0), reason: .seeding))
    #expect(state.decided[0].tallies.first.draws == 5)
  }

  @Test func gamesAlternateWhoMovesFirst() throws {
    let room = try #require(try TournamentState(.roundRobin, 2).ready.first)
    #expect((0..<4).map { room.firstSeat(game: $0).index } == [0, 1, 0, 1])
  }

  @Test func ranksAreSharedByRoundReached() throws {
    var state = try TournamentState(.singleElimination, 8)
    #expect(state.ranks == [1, 1, 1, 1, 1, 1, 1, 1])
    try state.play(0, .lost)
    #expect(state.order == [7, 1, 2, 3, 4, 5, 6, 0])
    #expect(state.ranks == [1, 2, 2, 2, 2, 2, 2, 8])
    state.playOut { _ in .won }
    #expect(state.ranks == [1, 2, 3, 3, 5, 5, 5, 5])
    #expect(state.standings.map(\.roundsReached) == [3, 2, 1, 1, 0, 0, 0, 0])
  }

  /// Every way for every pairing to end, with a decider, against the slow model.
  @Test(arguments: 2...Effort.size(6, quick: 5)) func everyTournamentWithDeciders(_ entrants: Int) throws {
    let paths: [[Ending]] = [[.won], [.lost], [.level, .won], [.level, .lost], [.level, .level]]
    try forEachSequence(of: entrants - 1, base: paths.count) { digits in
      try expectModel(entrants, deciders: 1, paths: digits.map { paths[$0] })
    }
  }

  /// Every outcome of every pairing, level ones decided by seeding, against the slow model.
  @Test(arguments: 7...Effort.size(9, quick: 7)) func everyTournamentWithoutDeciders(_ entrants: Int) throws {
    try forEachSequence(of: entrants - 1, base: 3) { digits in
      try expectModel(entrants, deciders: 0, paths: digits.map { [Ending.allCases[$0]] })
    }
  }

  private func expectModel(_ entrants: Int, deciders: Int, paths: [[Ending]]) throws {
    var state = try TournamentState(.singleElimination, entrants, deciders: deciders)
    var model = KnockOutModel(entrants: entrants)
    while let room = state.ready.first {
      let path = paths[room.pairing.number.index]
      for ending in path { try state.play(room.pairing.number.index, ending) }
      let firstGoesOn = path.last != .lost
      model.winners[room.pairing.entrants.map(\.index)] = room.pairing.entrants[firstGoesOn ? 0 : 1].index
    }
    let expected = try model.run()
    #expect(state.champion?.index == expected.champion)
    let roundsReached = state.standings.sorted { $0.entrant < $1.entrant }.map(\.roundsReached)
    #expect(roundsReached == expected.roundsReached)
    #expect(state.standings.count { !$0.isOut } == 1)
    #expect(state.decidedCount == entrants - 1)
    expectRanksPartition(state)
  }
}

/// A bracket by its definition, from the final down: the line of the best seed *s* among *c* groups holds
/// the lines of *s* and of 2*c* − 1 − *s* among 2*c* groups.
struct KnockOutModel {
  let entrants: Int
  var winners: [[Int]: Int] = [:]

  init(entrants: Int) { self.entrants = entrants }

  func run() throws -> (champion: Int, roundsReached: [Int]) {
    var size = 1
    while size < entrants { size *= 2 }
    var reached = [Int](repeating: 0, count: entrants)
    let champion = try #require(try winner(best: 0, groups: 1, size: size, &reached))
    return (champion, reached)
  }

  private func winner(best: Int, groups: Int, size: Int, _ reached: inout [Int]) throws -> Int? {
    if groups == size { return best < entrants ? best : nil }
    let upper = try winner(best: best, groups: 2 * groups, size: size, &reached)
    let lower = try winner(best: 2 * groups - 1 - best, groups: 2 * groups, size: size, &reached)
    guard let upper, let lower else {
      if let single = upper ?? lower { reached[single] += 1 }
      return upper ?? lower
    }
    let winner = try #require(winners[[min(upper, lower), max(upper, lower)]])
    reached[winner] += 1
    return winner
  }
}

/// Ranks count who is strictly better, lines of one rank are by seed, and every entrant has one line.
func expectRanksPartition(_ state: TournamentState) {
  let standings = state.standings
  #expect(standings.map(\.entrant).sorted() == state.settings.seeds)
  for (index, line) in standings.enumerated() {
    let isShared = index > 0 && standings[index - 1].rank == line.rank
    #expect(isShared ? standings[index - 1].entrant < line.entrant : line.rank == index + 1)
  }
}

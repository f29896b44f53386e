import Rules
import Testing

@testable import Tournaments

struct WithdrawalTests {
  @Test func knockOutOpponentsOfTheWithdrawnGoThrough() throws {
    var state = try TournamentState(.singleElimination, 4)
    #expect(state.apply(.withdrawal(EntrantIndex(0))) == nil)
    #expect(state.decided.map(\.decision) == [Decision(winner: EntrantIndex(3), reason: .walkover)])
    #expect(state.ready.map(\.pairing.number.index) == [1])
    try state.play(1, .won)
    #expect(state.ready[0].pairing.entrants.map(\.index) == [1, 3])
    #expect(state.withdrawn == [EntrantIndex(0)])
    #expect(state.standings.filter(\.isWithdrawn).map(\.entrant.index) == [0])
  }

  @Test func aWithdrawnWinnerLosesTheNextPairingOnceItIsKnown() throws {
    var state = try TournamentState(.singleElimination, 4)
    try state.play(0, .won)
    #expect(state.apply(.withdrawal(EntrantIndex(0))) == nil)
    #expect(state.decidedCount == 1)
    try state.play(1, .lost)
    #expect(state.isComplete)
    #expect(state.champion == EntrantIndex(2))
  }

  @Test func withdrawalsDuringDecidersEndThePairing() throws {
    for (entrant, winner) in [(0, 1), (1, 0)] {
      var state = try TournamentState(.singleElimination, 2, games: 2)
      try state.play(0, .level)
      #expect(state.apply(.withdrawal(EntrantIndex(index: entrant))) == nil)
      #expect(state.champion == EntrantIndex(index: winner))
      #expect(state.standings.map(\.tally.games) == [3, 3])
      #expect(state.standings.map(\.tally.wins) == [1, 0])
    }
  }

  @Test func whoWithdrawsFirstLosesToWhoWithdrawsLater() throws {
    for format in TournamentFormat.allCases {
      for (leaver, later) in [(0, 1), (1, 0)] {
        var state = try TournamentState(format, 2)
        #expect(state.apply(.withdrawal(EntrantIndex(index: leaver))) == nil)
        #expect(state.apply(.withdrawal(EntrantIndex(index: later))) == nil)
        #expect(state.champion == EntrantIndex(index: later))
      }
    }
  }

  @Test func whereBothAreAbsentNobodyGoesThrough() throws {
    var state = try TournamentState(.singleElimination, 2)
    let result = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .bothSeats, games: [])
    #expect(state.apply(.result(result)) == nil)
    #expect(state.decided[0].decision == Decision(winner: nil, reason: .walkover))
    #expect(state.isComplete && state.champion == nil && state.ranks == [1, 1])
    #expect(state.standings.map(\.tally.losses) == [1, 1] && state.standings.allSatisfy(\.isOut))
  }

  /// Of eight, seeds 1 and 8 do not come: whoever would have met the winner is in the final at once.
  @Test func whoWouldHaveMetThemHasABye() throws {
    var state = TournamentState(
      settings: try TournamentSettings(format: .singleElimination, entrants: 8, options: ["third-place": 1]))
    let result = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .bothSeats, games: [])
    #expect(state.apply(.result(result)) == nil)
    for pairing in 1...3 { try state.play(pairing, .won) }
    // M5 is the semi-final of the winners of M1 and M2.
    #expect(state.record(PairingNumber(4)) == nil && state.record(PairingNumber(5)) != nil)
    #expect(state.pairingCount == 6)
    try state.play(5, .won)
    #expect(state.ready.map(\.pairing.entrants) == [[EntrantIndex(1), EntrantIndex(3)]])
    // For the third place nobody is there but the loser of M6.
    try state.play(6, .won)
    #expect(state.isComplete && state.champion == EntrantIndex(1))
    let places = state.standings.prefix(3).map(\.entrant.index)
    #expect(places == [1, 3, 2] && state.ranks.prefix(4) == [1, 2, 3, 4])
  }

  /// In a double elimination two who do not come are both out, wherever that is.
  @Test func twoWhoDoNotComeAreOutOfBothBrackets() throws {
    var state = try TournamentState(.doubleElimination, 4)
    let result = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .bothSeats, games: [])
    #expect(state.apply(.result(result)) == nil)
    try state.play(1, .won)
    // Seed 2 is in the final, seed 3 wins the lower bracket without a game.
    #expect(state.ready.map(\.pairing.entrants) == [[EntrantIndex(1), EntrantIndex(2)]])
    state.playOut { _ in .won }
    #expect(state.isComplete && state.champion == EntrantIndex(1) && state.pairingCount == state.decidedCount)
    #expect(state.standings.map(\.entrant.index) == [1, 2, 0, 3] && state.ranks == [1, 2, 3, 3])
  }

  @Test func absenceInASwappedRoomIsThatOfTheSeat() throws {
    var state = try TournamentState(.singleElimination, 2)
    try state.play(0, .level)
    let result = PairingResult(pairing: PairingNumber(0), attempt: 1, absence: .firstSeat, games: [])
    #expect(state.apply(.result(result)) == nil)
    #expect(state.champion == EntrantIndex(0))
  }

  @Test func aWalkoverInAKnockOutBeatsALeadOnPoints() throws {
    var state = try TournamentState(.singleElimination, 2, games: 4)
    let won = [Outcome](repeating: .won(by: Seat(0), of: 2), count: 3)
    let result = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .firstSeat, games: won)
    #expect(state.apply(.result(result)) == nil)
    #expect(state.champion == EntrantIndex(1))
    #expect(state.decided[0].tallies.first.halfPoints == 6)
    #expect(state.decided[0].tallies.second.halfPoints == 2)
  }

  @Test func everybodyMayWithdrawAndATournamentStillEnds() throws {
    for format in TournamentFormat.allCases {
      for entrants in [2, 3, 7, 8, 64] {
        var state = try TournamentState(format, entrants)
        for entrant in state.settings.seeds { #expect(state.apply(.withdrawal(entrant)) == nil) }
        #expect(state.isComplete && state.ready.isEmpty)
        // In a gauntlet all others have won all that they could when the first one leaves.
        let leaders = format == .gauntlet ? 1 : entrants - 1
        let isLadder = format == .ladder && entrants > 3
        // On a ladder who has left keeps its place, which the second one has when the first one leaves.
        #expect(state.leaders.map(\.index) == (isLadder ? [1] : Array(leaders..<entrants)))
        expectRanksPartition(state)
      }
    }
  }

  @Test func roundRobinKeepsCountedResultsAndGivesTheRestAway() throws {
    var state = try TournamentState(.roundRobin, 4)
    try state.play(0, .won)
    #expect(state.apply(.withdrawal(EntrantIndex(0))) == nil)
    let lines = state.standings.sorted { $0.entrant < $1.entrant }
    #expect(lines.map(\.tally.wins) == [2, 2, 2, 0])
    #expect(lines.map(\.tally.losses) == [4, 0, 0, 2])
    #expect(state.apply(.withdrawal(EntrantIndex(1))) == nil)
    let after = state.standings.sorted { $0.entrant < $1.entrant }
    #expect(after.map(\.tally.wins) == [2, 2, 4, 2])
    #expect(state.ready.map(\.pairing.entrants) == [[EntrantIndex(3), EntrantIndex(2)]])
  }

  @Test func twoAbsentInARoundRobinBothLose() throws {
    var state = try TournamentState(.roundRobin, 2)
    let result = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .bothSeats, games: [])
    #expect(state.apply(.result(result)) == nil)
    #expect(state.decided[0].decision == Decision(winner: nil, reason: .walkover))
    #expect(state.standings.map(\.tally.losses) == [2, 2])
    #expect(state.ranks == [1, 1])
  }

  @Test func aDisqualificationAfterTheEndMovesTheOthersUp() throws {
    for format in TournamentFormat.allCases {
      var state = try TournamentState(format, 4)
      state.playOut { _ in .won }
      let before = state.standings
      #expect(state.apply(.disqualification(before[0].entrant)) == nil)
      #expect(state.standings.map(\.entrant) == (before.dropFirst() + before.prefix(1)).map(\.entrant))
      #expect(state.standings.map(\.tally) == (before.dropFirst() + before.prefix(1)).map(\.tally))
      #expect(state.leaders.contains(before[1].entrant) && state.standings.last?.rank == 4)
      #expect(state.apply(.disqualification(before[0].entrant)) == .alreadyDisqualified(before[0].entrant))
      #expect(state.apply(.withdrawal(before[0].entrant)) == .alreadyWithdrawn(before[0].entrant))
      expectRanksPartition(state)
    }
  }

  @Test func whoHasWithdrawnMayStillBeDisqualified() throws {
    var state = try TournamentState(.roundRobin, 3)
    #expect(state.apply(.withdrawal(EntrantIndex(1))) == nil)
    let decided = state.decided
    #expect(state.apply(.disqualification(EntrantIndex(1))) == nil)
    #expect(state.decided == decided && state.standings.last?.entrant == EntrantIndex(1))
  }

  @Test func aWithdrawalAfterTheEndChangesNoResult() throws {
    var state = try TournamentState(.singleElimination, 2)
    try state.play(0, .won)
    #expect(state.apply(.withdrawal(EntrantIndex(0))) == nil)
    #expect(state.champion == EntrantIndex(0))
  }
}

import Rules
import TestKit
import Testing

@testable import Tournaments

/// What follows from a result is found by looking at where it leads alone. That must be all that is known.
@Suite struct KnockOutFlowTests {
  private static let formats: [TournamentFormat] = [.singleElimination, .doubleElimination]

  /// Results in any order, absences of one or both, withdrawals and disqualifications between them.
  @Test(arguments: formats)
  func everyPlaceWhoseEntrantsAreKnownIsListed(_ format: TournamentFormat) throws {
    for seed in 0..<Effort.size(400, quick: 60) {
      var random = SeededGenerator(state: UInt64(seed))
      let entrants = Int.random(in: 2...40, using: &random)
      var state = TournamentState(settings: try TournamentSettings(format: format, entrants: entrants))
      // Half of them without anything but results.
      let disturbs = seed.isMultiple(of: 2)
      while let room = state.ready.randomElement(using: &random) {
        let chance = disturbs ? Int.random(in: 0..<20, using: &random) : 9
        let entry: TournamentEntry
        switch chance {
        case 0: entry = .withdrawal(room.entrants[Int.random(in: 0...1, using: &random)])
        case 1: entry = .disqualification(room.entrants[Int.random(in: 0...1, using: &random)])
        case 2...4:
          let absence: Absence = [.firstSeat, .secondSeat, .bothSeats][chance - 2]
          entry = .result(
            PairingResult(
              pairing: room.pairing.number, attempt: room.attempt, absence: absence, games: []))
        default:
          let score = Int32.random(in: -1...1, using: &random)
          entry = .result(
            PairingResult(
              pairing: room.pairing.number, attempt: room.attempt,
              games: Array(repeating: Outcome(scores: [score, -score] as [Int32]), count: room.games)))
        }
        try #require(state.apply(entry) == nil)
        let listed = state.schedule.joined().filter { $0.number != nil && $0.entrants != nil }
        try #require(
          listed.allSatisfy { place in place.number.flatMap(state.record) != nil },
          "seed \(seed), \(entrants) entrants, after \(entry)")
      }
      #expect(state.isComplete, "seed \(seed)")
    }
  }

  /// Every format with as many as it takes, but for the Swiss rounds, whose pairings take long.
  @Test(arguments: [
    TournamentFormat.singleElimination, .doubleElimination, .gauntlet, .ladder, .roundRobin, .groups,
  ])
  func thousandsOfEntrants(_ format: TournamentFormat) throws {
    let entrants = Effort.size(format.mostEntrants, quick: min(512, format.mostEntrants))
    let options = format == .ladder ? ["rounds": 2] : [:]
    let settings = try TournamentSettings(
      format: format, entrants: entrants, games: 1, options: options)
    var state = TournamentState(settings: settings)
    var played = 0
    while let room = state.ready(first: 1, where: { _ in true }).first {
      let isFirst = room.entrants[0] < room.entrants[1]
      let result = PairingResult(
        pairing: room.pairing.number, attempt: room.attempt,
        games: [Outcome(scores: isFirst ? [1, -1] : [-1, 1])])
      try #require(state.apply(.result(result)) == nil)
      played += 1
    }
    #expect(state.isComplete && played == state.decidedCount)
    #expect(state.standings.count == entrants)
    #expect(state.standings.first?.entrant == EntrantIndex(index: 0))
  }
}

import Rules
import TestKit
import Testing

@testable import Tournaments

struct RejectionTests {
  private func result(
    _ pairing: UInt32, _ attempt: UInt8 = 0, absence: Absence = .nobody, games: Int = 1
  ) -> TournamentEntry {
    let games = [Outcome](repeating: .drawn(of: 2), count: games)
    return .result(
      PairingResult(pairing: PairingNumber(pairing), attempt: attempt, absence: absence, games: games))
  }

  @Test func unknownAndUnreadyPairingsAreRefused() throws {
    var state = try TournamentState(.singleElimination, 4)
    for number in [3, 4, UInt32.max] as [UInt32] {
      #expect(state.apply(result(number)) == .unknownPairing(PairingNumber(number), pairings: 3))
    }
    #expect(state.apply(result(2)) == .notReady(PairingNumber(2)))
    #expect(state == (try TournamentState(.singleElimination, 4)))
  }

  @Test func theFirstResultOfARoomStands() throws {
    var state = try TournamentState(.singleElimination, 2, deciders: 2)
    #expect(state.apply(result(0, 1)) == .notThisAttempt(1, expected: 0))
    #expect(state.apply(result(0, 0)) == nil)
    #expect(state.apply(result(0, 0)) == .alreadyCounted(PairingNumber(0), attempt: 0))
    #expect(state.apply(result(0, 2)) == .notThisAttempt(2, expected: 1))
    #expect(state.apply(result(0, 255)) == .notThisAttempt(255, expected: 1))
    #expect(state.apply(result(0, 1)) == nil)
    #expect(state.apply(result(0, 2)) == nil)
    #expect(state.isComplete)
    #expect(state.apply(result(0, 3)) == .alreadyDecided(PairingNumber(0)))
    #expect(state.apply(result(0, 1)) == .alreadyCounted(PairingNumber(0), attempt: 1))
  }

  @Test func gamesMustBeThoseOfTheRoom() throws {
    var state = try TournamentState(.singleElimination, 2, games: 3)
    for count in [0, 1, 2, 4, 300] {
      #expect(state.apply(result(0, games: count)) == .gameCount(count, planned: 3))
    }
    for count in [3, 4] {
      let entry = result(0, absence: .secondSeat, games: count)
      #expect(state.apply(entry) == .gameCount(count, planned: 3))
    }
    #expect(state.apply(result(0, games: 3)) == nil)
    #expect(state.apply(result(0, 1, games: 3)) == .gameCount(3, planned: 1))
  }

  @Test func outcomesNeedTwoScores() throws {
    var state = try TournamentState(.roundRobin, 2, games: 2)
    for scores in [[], [1], [0, 0, 1], [Int32](repeating: 1, count: 64)] as [[Int32]] {
      let games = [Outcome.drawn(of: 2), Outcome(scores: scores)]
      let entry = TournamentEntry.result(PairingResult(pairing: PairingNumber(0), attempt: 0, games: games))
      #expect(state.apply(entry) == .scoreCount(game: 1, scores: scores.count))
    }
    #expect(state.decidedCount == 0)
  }

  @Test func extremeScoresAddUpWithoutTrapping() throws {
    var state = try TournamentState(.roundRobin, 64, games: 256)
    let games = [Outcome](repeating: Outcome(scores: [.max, .min]), count: 256)
    while let room = state.ready.first {
      let result = PairingResult(pairing: room.pairing.number, attempt: 0, games: games)
      #expect(state.apply(.result(result)) == nil)
    }
    #expect(state.standings.map(\.tally.wins).reduce(0, +) == 2016 * 256)
    expectRanksPartition(state)
  }

  @Test func withdrawalsOfStrangersAndSecondOnesAreRefused() throws {
    var state = try TournamentState(.roundRobin, 3)
    for number in [3, 64, 255, .max] as [UInt16] {
      #expect(
        state.apply(.withdrawal(EntrantIndex(number))) == .unknownEntrant(EntrantIndex(number), entrants: 3))
    }
    #expect(state.apply(.withdrawal(EntrantIndex(2))) == nil)
    #expect(state.apply(.withdrawal(EntrantIndex(2))) == .alreadyWithdrawn(EntrantIndex(2)))
    #expect(state.apply(result(0, games: 2)) != nil || state.ready.isEmpty)
  }

  @Test func resultsAfterAWalkoverDoNotCount() throws {
    var state = try TournamentState(.singleElimination, 2)
    #expect(state.apply(.withdrawal(EntrantIndex(1))) == nil)
    #expect(state.apply(result(0)) == .alreadyCounted(PairingNumber(0), attempt: 0))
    #expect(state.apply(result(0, 1)) == .alreadyDecided(PairingNumber(0)))
  }

  @Test func everyReasonHasWords() {
    let number = PairingNumber(.max)
    let reasons: [EntryRejection] = [
      .unknownPairing(number, pairings: 3), .notReady(number), .alreadyCounted(number, attempt: .max),
      .alreadyDecided(number), .notThisAttempt(.max, expected: .max), .gameCount(1, planned: 2),
      .scoreCount(game: 0, scores: 3), .unknownEntrant(EntrantIndex(.max), entrants: 2),
      .alreadyWithdrawn(EntrantIndex(.max)),
    ]
    #expect(Set(reasons.map(\.description)).count == reasons.count)
  }

  /// Random entries, most of them wrong: nothing traps, refused ones change nothing, and the answer given in
  /// advance is the answer given.
  @Test(arguments: TournamentFormat.allCases) func randomEntriesNeverTrap(_ format: TournamentFormat) throws {
    var random = SeededGenerator(state: 10 + UInt64(format.rawValue))
    for _ in 0..<Effort.size(400, quick: 40) {
      let entrants = Int.random(in: 2...9, using: &random)
      var state = try TournamentState(format, entrants, games: .random(in: 1...3, using: &random))
      for _ in 0..<125 {
        let entry = randomEntry(entrants, &random)
        let before = state
        let foreseen = state.rejection(of: entry)
        #expect(state.apply(entry) == foreseen)
        #expect((state == before) == (foreseen != nil))
      }
      expectRanksPartition(state)
    }
  }

  private func randomEntry(_ entrants: Int, _ random: inout SeededGenerator) -> TournamentEntry {
    if Int.random(in: 0..<40, using: &random) == 0 {
      return .withdrawal(EntrantIndex(.random(in: 0...UInt16(entrants + 1), using: &random)))
    }
    let games = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let seats = Int.random(in: 0..<12, using: &random) == 0 ? Int.random(in: 0...4, using: &random) : 2
      return Outcome(scores: (0..<seats).map { _ in .random(in: -2...2, using: &random) })
    }
    let isWild = Int.random(in: 0..<20, using: &random) == 0
    let number: UInt32 =
      isWild
      ? .random(in: 0...(.max), using: &random)
      : .random(in: 0...UInt32(entrants * (entrants - 1) / 2), using: &random)
    return .result(
      PairingResult(
        pairing: PairingNumber(number), attempt: .random(in: 0...(isWild ? .max : 2), using: &random),
        absence: Absence.allCases.randomElement(using: &random) ?? .nobody, games: games))
  }
}

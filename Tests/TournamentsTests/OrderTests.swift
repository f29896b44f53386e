import Rules
import TestKit
import Testing

@testable import Tournaments

/// Whatever the order of play and wherever it was interrupted, the tournament is the same.
struct OrderTests {
  @Test(arguments: TournamentFormat.allCases) func anyOrderOfPlayGivesTheSameTournament(
    _ format: TournamentFormat
  ) throws {
    var random = SeededGenerator(state: 20 + UInt64(format.rawValue))
    for entrants in Effort.cases([2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 33, 64], quick: 9) {
      let seed = random.next()
      let start = try TournamentState(format, entrants, games: .random(in: 1...3, using: &random))
      let straight = run(start, seed: seed) { _ in 0 }.state
      let backward = run(start, seed: seed) { $0 - 1 }.state
      let shuffled = run(start, seed: seed) { .random(in: 0..<$0, using: &random) }.state
      #expect(straight.isComplete)
      #expect(straight == backward && straight == shuffled)
      #expect(straight.schedule == shuffled.schedule && straight.standings == shuffled.standings)
    }
  }

  @Test(arguments: TournamentFormat.allCases) func aRunGoesOnWhereItWasKilled(_ format: TournamentFormat)
    throws
  {
    var random = SeededGenerator(state: 30 + UInt64(format.rawValue))
    for entrants in [2, 3, 5, 8, 11] {
      let seed = random.next()
      let start = try TournamentState(format, entrants)
      let whole = run(start, seed: seed) { _ in 0 }
      let labels = (0..<entrants).map { "bot \($0)" }
      for length in 0...whole.entries.count {
        let (resumed, rejections) = TournamentState.replay(
          Array(whole.entries.prefix(length)), settings: start.settings)
        #expect(rejections.allSatisfy { $0 == nil })
        #expect(resumed.ready == whole.readyBefore[length])
        let end = run(resumed, seed: seed) { .random(in: 0..<$0, using: &random) }.state
        #expect(try end.canonicalStandings(labels: labels) == whole.state.canonicalStandings(labels: labels))
      }
    }
  }

  @Test(arguments: TournamentFormat.allCases) func repeatedEntriesChangeNothing(_ format: TournamentFormat)
    throws
  {
    let start = try TournamentState(format, 7)
    let whole = run(start, seed: 5) { _ in 0 }
    let doubled = whole.entries.flatMap { [$0, $0] } + whole.entries
    let (state, rejections) = TournamentState.replay(doubled, settings: start.settings)
    #expect(state == whole.state)
    #expect(rejections.count { $0 == nil } == whole.entries.count)
  }

  /// Random settings, orders, absences and withdrawals; the books balance after every entry.
  @Test(arguments: 0..<Effort.size(60, quick: 12)) func booksBalance(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let format = TournamentFormat.allCases[seed % TournamentFormat.allCases.count]
    let limit = format == .roundRobin && seed % 8 != 1 ? 16 : 64
    var state = try TournamentState(
      format, .random(in: 2...limit, using: &random), games: .random(in: 1...4, using: &random))
    var entries: [TournamentEntry] = []
    while let room = state.ready.randomElement(using: &random) {
      var entry = TournamentEntry.result(room.randomResult(seed: UInt64(seed), absences: true))
      if Int.random(in: 0..<30, using: &random) == 0,
        let entrant = state.settings.seeds.randomElement(using: &random)
      {
        entry = .withdrawal(entrant)
      }
      if state.apply(entry) == nil { entries.append(entry) }
      expectCounts(state)
    }
    #expect(state.isComplete)
    #expect(state == TournamentState.replay(entries, settings: state.settings).state)
    expectBalance(state)
    expectRanksPartition(state)
  }

  private func expectCounts(_ state: TournamentState) {
    let open = state.ready.count
    #expect(state.decidedCount == state.ledger.records.count { $0?.decision != nil })
    #expect(state.ledger.knownCount == open + state.decidedCount)
    #expect(open > 0 || state.isComplete)
  }

  private func expectBalance(_ state: TournamentState) {
    var bothAbsent = 0
    for record in state.decided {
      #expect(record.results.count <= 1 + (record.pairing.deciders ?? 0))
      let isForNobody = record.results.last?.absence == .bothSeats
      #expect(record.pairing.deciders == nil || (record.decision?.winner == nil) == isForNobody)
      #expect(record.tallies.first.games == record.tallies.second.games)
      for (attempt, result) in record.results.enumerated() where result.absence == .bothSeats {
        bothAbsent += (attempt == 0 ? state.settings.games : 1) - result.games.count
      }
    }
    let tallies = state.standings.map(\.tally)
    let (wins, losses) = (tallies.map(\.wins).reduce(0, +), tallies.map(\.losses).reduce(0, +))
    #expect(losses == wins + 2 * bothAbsent)
    guard state.settings.format == .roundRobin else { return }
    for tally in tallies { #expect(tally.games == state.settings.games * (state.settings.entrants - 1)) }
  }

  /// Plays a tournament to its end, `choose` picking among so many ready rooms.
  private func run(
    _ start: TournamentState, seed: UInt64, choose: (Int) -> Int
  ) -> (state: TournamentState, entries: [TournamentEntry], readyBefore: [[PairingAttempt]]) {
    var state = start
    var entries: [TournamentEntry] = []
    var readyBefore = [state.ready]
    while let last = readyBefore.last, !last.isEmpty {
      entries.append(.result(last[choose(last.count)].randomResult(seed: seed, absences: true)))
      #expect(state.apply(entries[entries.count - 1]) == nil)
      readyBefore.append(state.ready)
    }
    return (state, entries, readyBefore)
  }
}

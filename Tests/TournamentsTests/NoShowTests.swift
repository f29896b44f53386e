import Rules
import TestKit
import Testing

@testable import Tournaments

/// Whoever does not come, leaves, or both: every tournament ends.
struct NoShowTests {
  private static let most = Effort.size(8, quick: 5)

  /// Entrants with a number's bits.
  private func entrants(_ bits: Int, of count: Int) -> [EntrantIndex] {
    (0..<count).filter { bits >> $0 & 1 == 1 }.map { EntrantIndex(index: $0) }
  }

  /// Results that look like luck, and are the same in every run.
  private func ending(_ room: PairingAttempt) -> Ending {
    Ending.allCases[(room.pairing.number.index * 5 + room.pairing.round + Int(room.attempt)) % 3]
  }

  private func settings(_ format: TournamentFormat, _ entrants: Int) throws -> TournamentSettings {
    let third = format.options.contains { $0.name == "third-place" }
    return try TournamentSettings(
      format: format, entrants: entrants, games: 1, options: third ? ["third-place": 1] : [:])
  }

  private func expectEnd(_ state: TournamentState, _ comment: Comment) {
    #expect(state.isComplete && state.ready.isEmpty, comment)
    #expect(state.pairingCount == state.decidedCount, comment)
    let out = state.ledger.disqualified
    #expect(state.leaders.isEmpty == (out.count == state.settings.entrants), comment)
    #expect(Set(state.standings.suffix(out.count).map(\.entrant)) == out, comment)
    expectRanksPartition(state)
  }

  /// Every subset leaves after every number of results; every second one of it is disqualified.
  @Test(arguments: TournamentFormat.allCases) func everySubsetThatLeavesAtEveryMoment(
    _ format: TournamentFormat
  ) throws {
    for count in 2...Self.most {
      // The states after 0, 1, … results of a tournament that nobody leaves.
      var moments = [TournamentState(settings: try settings(format, count))]
      while let last = moments.last, let room = last.ready.first {
        var next = last
        #expect(next.apply(.result(room.result(ending(room)))) == nil)
        moments.append(next)
      }
      for (moment, start) in moments.enumerated() {
        for bits in 0..<1 << count {
          var state = start
          for leaver in entrants(bits, of: count) {
            let isFair = (leaver.index + moment) % 2 == 0
            #expect(state.apply(isFair ? .withdrawal(leaver) : .disqualification(leaver)) == nil)
            #expect(state.ready.allSatisfy { !$0.entrants.contains(leaver) })
          }
          state.playOut(ending)
          expectEnd(state, "\(format), \(count) entrants, \(bits) leave after \(moment) results")
        }
      }
    }
  }

  /// A tournament that has ended stays so, also one that ended early and could go on without those who leave.
  @Test(arguments: TournamentFormat.allCases) func anEndIsKept(_ format: TournamentFormat) throws {
    for count in 2...Self.most {
      let rounds = format.options.first { $0.name == "rounds" }?.limits(count).upperBound
      for seed in 0..<UInt64(Effort.size(20, quick: 5)) {
        var state = TournamentState(
          settings: try TournamentSettings(
            format: format, entrants: count, options: rounds.map { ["rounds": $0] } ?? [:]))
        while let room = state.ready.first {
          #expect(state.apply(.result(room.randomResult(seed: seed, absences: false))) == nil)
        }
        let known = state.known.map(\.pairing)
        for entrant in state.settings.seeds {
          #expect(state.apply(seed % 2 == 0 ? .withdrawal(entrant) : .disqualification(entrant)) == nil)
          #expect(state.known.map(\.pairing) == known, "\(format), \(count) entrants, seed \(seed)")
          expectEnd(state, "\(format), \(count) entrants, seed \(seed), up to \(entrant.index + 1) leave")
        }
      }
    }
  }

  /// Every subset never comes to a game, whoever else does; the organizer's results say so.
  @Test(arguments: TournamentFormat.allCases) func everySubsetThatNeverComes(_ format: TournamentFormat)
    throws
  {
    for count in 2...Self.most {
      for bits in 0..<1 << count {
        let absent = Set(entrants(bits, of: count))
        var state = TournamentState(settings: try settings(format, count))
        while let room = state.ready.first {
          let absence = Absence(
            isFirstSeat: absent.contains(room.entrants[0]), isSecondSeat: absent.contains(room.entrants[1]))
          let result =
            absence == .nobody
            ? room.result(ending(room))
            : PairingResult(
              pairing: room.pairing.number, attempt: room.attempt, absence: absence, games: [])
          #expect(state.apply(.result(result)) == nil)
        }
        expectEnd(state, "\(format), \(count) entrants, \(bits) never come")
        // Who was there is not behind all who were not.
        if absent.count < count, !absent.isEmpty, let first = state.standings.first {
          #expect(!absent.contains(first.entrant), "\(format), \(count) entrants, \(bits) never come")
        }
      }
    }
  }
}

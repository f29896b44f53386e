import Rules
import TestKit
import Testing

@testable import Tournaments

/// What games take, as those that are over tell.
@Suite struct GameCostsTests {
  private func entrant(_ index: Int) -> EntrantIndex { EntrantIndex(UInt16(index)) }

  private func games(_ one: Int, _ other: Int, _ count: Int) -> GameCosts.Games {
    .init(.entrant(entrant(one)), .entrant(entrant(other)), count: count)
  }

  @Test func nothingIsKnownBeforeAGameIsOver() {
    var costs = GameCosts(entrants: 3)
    #expect(costs.millisecondsLeft(of: [games(0, 1, 4)], elapsed: 10) == nil)
    costs.note(entrant(0), choices: 5, microseconds: 500)
    #expect(costs.millisecondsLeft(of: [games(0, 1, 4)], elapsed: 10) == nil)
    costs.add(entrant(0), entrant(1), milliseconds: 7, choices: 9, winner: nil)
    #expect(costs.millisecondsLeft(of: [], elapsed: 10) == 0)
  }

  /// Pairs that met take what they took; others what their entrants take of a choice, as long as their games are.
  @Test func slowEntrantsAreSlowAgainstOthersToo() throws {
    var costs = GameCosts(entrants: 4)
    // 0 and 1 think 50 ms, 2 and 3 think 1 ms; all games have 20 choices.
    for (one, other, takes) in [(0, 2, 510), (1, 3, 510), (2, 3, 20)] {
      for _ in 0..<4 {
        costs.add(entrant(one), entrant(other), milliseconds: Int64(takes), choices: 20, winner: nil)
      }
    }
    for (index, takes) in [50_000, 50_000, 1_000, 1_000].enumerated() {
      costs.note(entrant(index), choices: 40, microseconds: Int64(40 * takes))
    }
    let elapsed = costs.milliseconds
    #expect(costs.millisecondsLeft(of: [games(2, 0, 3)], elapsed: elapsed) == 1530)
    let slow = try #require(costs.millisecondsLeft(of: [games(1, 0, 1)], elapsed: elapsed))
    #expect((950...1100).contains(slow), "\(slow)")
    // Half the time where two were played at once, but a pairing is played in one room.
    let pairings = [games(0, 2, 4), games(1, 3, 4)]
    #expect(costs.millisecondsLeft(of: pairings, elapsed: elapsed / 2) == 2040)
    #expect(costs.millisecondsLeft(of: [games(0, 2, 4)], elapsed: elapsed / 2) == 2040)
    // The slower one goes through three times of four.
    let final = GameCosts.Games(.winner(of: 0), .winner(of: 1), count: 1, round: 1)
    let all = try #require(costs.millisecondsLeft(of: pairings + [final], elapsed: elapsed / 2))
    #expect((2040 + 700...2040 + 900).contains(all), "\(all)")
  }

  /// Whoever won so far is likely to win: who meets after that, and whether a bracket is reset.
  @Test func whoWinsGoesThrough() throws {
    var costs = GameCosts(entrants: 3)
    // 0 beats the slow 1.
    for _ in 0..<10 {
      costs.add(entrant(0), entrant(1), milliseconds: 100, choices: 10, winner: entrant(0))
      costs.add(entrant(0), entrant(2), milliseconds: 20, choices: 10, winner: nil)
    }
    for (index, takes) in [2_000, 18_000, 2_000].enumerated() {
      costs.note(entrant(index), choices: 50, microseconds: Int64(50 * takes))
    }
    let elapsed = costs.milliseconds
    func left(_ side: GameCosts.Side, _ other: GameCosts.Side) throws -> Int64 {
      let ahead = [games(0, 1, 1), GameCosts.Games(side, other, count: 10, round: 1)]
      return try #require(costs.millisecondsLeft(of: ahead, elapsed: elapsed)) - 100
    }
    let (winner, loser) = (
      try left(.winner(of: 0), .entrant(entrant(2))), try left(.loser(of: 0), .entrant(entrant(2)))
    )
    #expect((200...400).contains(winner), "\(winner)")
    #expect((800...1_000).contains(loser), "\(loser)")
    let rematch = try left(.loser(of: 0), .winner(of: 0))
    #expect((10...200).contains(rematch), "\(rematch)")
  }

  /// A tournament on tables of its own kind of time: bots that think for longer win more often, and games between
  /// equals are longer.
  private struct Course {
    var random: SeededGenerator
    let takes: [Int64]
    let count = 6
    /// Whether those who think for longest lose.
    let isThinkingVain: Bool

    init(seed: Int, isThinkingVain: Bool) {
      self.isThinkingVain = isThinkingVain
      random = SeededGenerator(state: UInt64(seed))
      var takes: [Int64] = []
      for _ in 0..<8 { takes.append([100, 300, 1_000, 3_000].randomElement(using: &random) ?? 100) }
      self.takes = takes
    }

    mutating func game(_ one: Int, _ other: Int) -> (milliseconds: Int64, choices: Int, first: Bool) {
      let (a, b) = (takes[one], takes[other])
      let ratio = Double(max(a, b)) / Double(min(a, b))
      let choices = max(8, Int(36 - 7 * min(4, ratio.squareRoot()))) + Int.random(in: -3...3, using: &random)
      let isVain = isThinkingVain && max(a, b) == 3_000
      let isSlowFirst = a == b ? Bool.random(using: &random) : (a > b) != isVain
      let isExpected = Int.random(in: 0..<10, using: &random) < 9
      let microseconds = Int64(choices) * (a + b + 50) / 2
      return (microseconds / 1_000 + 1, choices, isExpected == isSlowFirst)
    }
  }

  /// From a tenth of the time of a tournament on, two games at once, what is left is told within a factor of two in
  /// five of six readings: which of unequal bots win, nobody knows.
  @Test(
    arguments: [
      TournamentFormat.singleElimination, .doubleElimination, .roundRobin, .ladder, .gauntlet, .swiss,
    ],
    [false, true])
  func fromATenthOnTheRestIsRightWithinAFactorOfTwo(_ format: TournamentFormat, _ isThinkingVain: Bool) throws
  {
    let seeds = Effort.size(60, quick: 40)
    var (misses, all) = (0, 0)
    for seed in 0..<seeds {
      var run = try TimedRun(format, Course(seed: seed, isThinkingVain: isThinkingVain))
      run.play()
      for (told, truth) in run.readings {
        all += 1
        if told * 2 < truth || told > 2 * truth { misses += 1 }
      }
    }
    #expect(misses * 6 <= all, "\(misses) of \(all)")
  }

  /// Two tables, each of which plays the games of a pairing one after the other.
  private struct TimedRun {
    var course: Course
    var state: TournamentState
    var costs = GameCosts(entrants: 8)
    var thought = [(choices: Int64, microseconds: Int64)](repeating: (0, 0), count: 8)
    /// What was told at each moment.
    var said: [(at: Int64, left: Int64)] = []
    var end: Int64 = 0

    struct Table {
      var attempt: PairingAttempt
      var wins: [Bool] = []
      var since: Int64
      var next: (milliseconds: Int64, choices: Int, first: Bool)
    }

    init(_ format: TournamentFormat, _ course: Course) throws {
      self.course = course
      state = TournamentState(
        settings: try TournamentSettings(
          format: format, entrants: 8, games: course.count))
    }

    /// What was told from a tenth of the time on until a tenth was left, and what was true.
    var readings: [(told: Int64, truth: Int64)] {
      said.filter { $0.at * 10 >= end && $0.at * 10 <= 9 * end }.map { ($0.left, end - $0.at) }
    }

    mutating func play() {
      var (tables, now) = ([Table](), Int64(0))
      while !state.isComplete {
        for attempt in state.ready
        where tables.count < 2
          && !tables.contains(where: { $0.attempt.pairing.number == attempt.pairing.number })
        {
          let pairing = attempt.pairing
          tables.append(
            Table(
              attempt: attempt, since: now, next: course.game(pairing.first.index, pairing.second.index)))
        }
        let at = tables.indices.min { end(tables[$0]) < end(tables[$1]) } ?? 0
        now = end(tables[at])
        finishGame(&tables[at], now)
        if tables[at].wins.count >= tables[at].attempt.games { decide(tables.remove(at: at)) }
        if let left = left(tables, now) { said.append((now, left)) }
      }
      end = now
    }

    private func end(_ table: Table) -> Int64 { table.since + table.next.milliseconds }

    private mutating func finishGame(_ table: inout Table, _ now: Int64) {
      let (one, other) = (table.attempt.pairing.first, table.attempt.pairing.second)
      let game = table.next
      costs.add(
        one, other, milliseconds: game.milliseconds, choices: game.choices, winner: game.first ? one : other)
      for side in [one, other] {
        thought[side.index].choices += Int64(game.choices / 2)
        thought[side.index].microseconds += Int64(game.choices / 2) * course.takes[side.index]
        costs.note(
          side, choices: thought[side.index].choices, microseconds: thought[side.index].microseconds)
      }
      table.wins.append(game.first)
      (table.since, table.next) = (now, course.game(one.index, other.index))
    }

    private mutating func decide(_ table: Table) {
      let pairing = table.attempt.pairing
      let first = table.wins.count { $0 } * 2 >= table.wins.count
      let isSwapped = table.attempt.entrants[0] != pairing.first
      let outcome = Outcome(scores: first != isSwapped ? [2, 0] : [0, 2])
      let result = PairingResult(
        pairing: pairing.number, attempt: table.attempt.attempt,
        games: [Outcome](repeating: outcome, count: table.attempt.games))
      precondition(state.apply(.result(result)) == nil)
    }

    private func left(_ tables: [Table], _ now: Int64) -> Int64? {
      let ahead = GameCosts.ahead(of: state) { attempt in
        tables.first { $0.attempt.pairing.number == attempt.pairing.number }
          .map { .init(ended: $0.wins.count, milliseconds: now - $0.since) }
      }
      return costs.millisecondsLeft(of: ahead, elapsed: now)
    }
  }
}

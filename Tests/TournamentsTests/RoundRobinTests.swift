import Foundation
import Rules
import TestKit
import Testing

@testable import Tournaments

struct RoundRobinTests {
  /// The published tables, where a copy lies beside the project or is named by the environment.
  private static let tables = "berger/berger_tables.json"

  private func pairs(_ entrants: Int) throws -> [[[Int]]] {
    try TournamentState(.roundRobin, entrants).schedule.map { round in
      round.compactMap(\.entrants).map { [$0.upper.index + 1, $0.lower.index + 1] }
    }
  }

  @Test func tableOfSixIsTheBergerTable() throws {
    let expected = [
      [[1, 6], [2, 5], [3, 4]], [[6, 4], [5, 3], [1, 2]], [[2, 6], [3, 1], [4, 5]],
      [[6, 5], [1, 4], [2, 3]], [[3, 6], [4, 2], [5, 1]],
    ]
    #expect(try pairs(6) == expected)
  }

  @Test(.enabled(if: ReferenceData.has(tables), "\(ReferenceData.absence)"))
  func tablesAreTheBergerTables() throws {
    let bytes = Data(try ReferenceData.bytes(Self.tables))
    let tables = try JSONDecoder().decode([String: [[[Int]]]].self, from: bytes)
    for lines in stride(from: 4, through: 40, by: 2) {
      let table = try #require(tables[String(lines)])
      #expect(try pairs(lines) == table)
      let odd = table.map { round in round.filter { !$0.contains(lines) } }
      #expect(try pairs(lines - 1) == odd)
    }
  }

  @Test func everybodyMeetsEverybodyOnceAndNobodyTwiceARound() throws {
    for entrants in 2...64 {
      let state = try TournamentState(.roundRobin, entrants)
      var met = Set<[Int]>()
      for round in state.schedule {
        let present = round.flatMap { [$0.upper.entrant, $0.lower.entrant] }.compactMap { $0 }
        #expect(present.sorted() == state.settings.seeds)
        for (upper, lower) in round.compactMap(\.entrants) {
          met.insert([upper.index, lower.index].sorted())
        }
      }
      #expect(met.count == entrants * (entrants - 1) / 2)
      #expect(state.ready.count == met.count)
      #expect(state.schedule.count == entrants - 1 + entrants % 2)
    }
  }

  @Test func seatsAreBalancedWithinOne() throws {
    for entrants in 2...64 {
      var first = [Int](repeating: 0, count: entrants)
      for room in try TournamentState(.roundRobin, entrants).ready { first[room.entrants[0].index] += 1 }
      for count in first { #expect(abs(2 * count - (entrants - 1)) <= 1) }
    }
  }

  @Test func byesAreOneForEachInOddTables() throws {
    for entrants in stride(from: 3, through: 63, by: 2) {
      let places = try TournamentState(.roundRobin, entrants).schedule.joined()
      let byes = places.filter { $0.lower == .bye }
      #expect(byes.compactMap(\.upper.entrant).sorted().map(\.index) == Array(0..<entrants))
      #expect(byes.compactMap(\.number).isEmpty)
    }
  }

  /// By hand: 0 beats 3, 1 draws 2, 3 beats 2, 0 draws 1, 1 beats 3, 2 beats 0.
  @Test func sonnebornBergerSeparatesEqualPoints() throws {
    var state = try TournamentState(.roundRobin, 4, games: 1)
    for (number, ending) in [Ending.won, .level, .won, .level, .won, .won].enumerated() {
      try state.play(number, ending)
    }
    #expect(state.order == [1, 2, 0, 3])
    #expect(state.ranks == [1, 2, 3, 4])
    #expect(state.standings.map(\.tally.halfPoints) == [4, 3, 3, 2])
    #expect(state.standings.map(\.sonnebornBergerQuarters) == [10, 10, 8, 6])
    #expect(state.champion == EntrantIndex(1))
  }

  @Test func aCircleOfWinsSharesTheFirstRank() throws {
    var state = try TournamentState(.roundRobin, 3, games: 1)
    state.playOut { room in (room.pairing.first.index + 1) % 3 == room.pairing.second.index ? .won : .lost }
    #expect(state.ranks == [1, 1, 1])
    #expect(state.order == [0, 1, 2])
    #expect(state.champion == nil)
    #expect(state.leaders == (0..<3).map { EntrantIndex(index: $0) })
  }

  @Test func scoresSeparateWhatElseIsEqual() throws {
    var state = try TournamentState(.roundRobin, 2)
    let games = [Outcome(scores: [3, 0]), Outcome(scores: [1, 5])]
    #expect(state.apply(.result(PairingResult(pairing: PairingNumber(0), attempt: 0, games: games))) == nil)
    #expect(state.standings.map(\.tally.halfPoints) == [2, 2])
    #expect(state.standings.map(\.tally.score) == [5, 4])
    #expect(state.order == [1, 0])
    #expect(state.ranks == [1, 2])
    #expect(state.decided[0].decision == Decision(winner: nil, reason: .games))
  }

  /// Every tournament of 2 to 4 entrants and random ones of 5 to 7, against the slow model.
  @Test func standingsAreThoseOfTheSlowModel() throws {
    for entrants in 2...4 {
      try forEachSequence(of: entrants * (entrants - 1) / 2, base: 3) { digits in
        try expectModel(entrants, endings: digits.map { Ending.allCases[$0] })
      }
    }
    var random = SeededGenerator(state: 0xBE)
    var directDecided = 0
    for _ in 0..<600 {
      let entrants = Int.random(in: 5...7, using: &random)
      let endings = (0..<entrants * (entrants - 1) / 2).map { _ in
        Ending.allCases.randomElement(using: &random)
      }
      directDecided += try expectModel(entrants, endings: endings.compactMap { $0 }) ? 1 : 0
    }
    #expect(directDecided > 0, "no sample reached the direct encounter")
  }

  /// - Returns: whether a direct encounter separated two entrants.
  @discardableResult
  private func expectModel(_ entrants: Int, endings: [Ending]) throws -> Bool {
    var state = try TournamentState(.roundRobin, entrants, games: 1)
    state.playOut { endings[$0.pairing.number.index] }
    let model = RoundRobinModel(entrants: entrants, records: state.decided, endings: endings)
    let better = { (a: Int, b: Int) in model.isBetter(a, than: b) }
    for line in state.standings {
      let above = (0..<entrants).count { better($0, line.entrant.index) }
      #expect(line.rank == above + 1)
    }
    expectRanksPartition(state)
    return (0..<entrants).contains { a in
      (0..<entrants).contains { model.isBetterByDirectEncounter(a, than: $0) }
    }
  }
}

/// The standings by their definition, pair by pair, from the list of games. One game for each pairing.
struct RoundRobinModel {
  private let gains: [(entrant: Int, opponent: Int, halfPoints: Int)]
  private let firstKeys: [[Int]]

  init(entrants: Int, records: [PairingRecord], endings: [Ending]) {
    let gains = records.flatMap { record -> [(entrant: Int, opponent: Int, halfPoints: Int)] in
      let (first, second) = (record.pairing.first.index, record.pairing.second.index)
      let gained =
        switch endings[record.pairing.number.index] {
        case .won: 2
        case .level: 1
        case .lost: 0
        }
      return [(first, second, gained), (second, first, 2 - gained)]
    }
    let own = (0..<entrants).map { entrant in gains.filter { $0.entrant == entrant } }
    let points = own.map { $0.map(\.halfPoints).reduce(0, +) }
    firstKeys = own.indices.map { entrant in
      let sonnebornBerger = own[entrant].map { $0.halfPoints * points[$0.opponent] }.reduce(0, +)
      return [points[entrant], sonnebornBerger, own[entrant].count { $0.halfPoints == 2 }]
    }
    self.gains = gains
  }

  func isBetter(_ a: Int, than b: Int) -> Bool {
    for (x, y) in zip(firstKeys[a], firstKeys[b]) where x != y { return x > y }
    return direct(a) > direct(b)
  }

  func isBetterByDirectEncounter(_ a: Int, than b: Int) -> Bool {
    firstKeys[a] == firstKeys[b] && direct(a) > direct(b)
  }

  private func direct(_ entrant: Int) -> Int {
    gains.filter { $0.entrant == entrant && firstKeys[$0.opponent] == firstKeys[entrant] }
      .map(\.halfPoints).reduce(0, +)
  }
}

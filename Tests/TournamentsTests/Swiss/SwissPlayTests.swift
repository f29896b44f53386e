import Rules
import TestKit
import Testing

@testable import Tournaments

extension TournamentState {
  /// A Swiss tournament of pairings of one game.
  static func swiss(_ entrants: Int, rounds: Int) throws -> TournamentState {
    TournamentState(
      settings: try TournamentSettings(format: .swiss, entrants: entrants, options: ["rounds": rounds]))
  }

  /// Swiss measures by their names, of one entrant.
  fileprivate func measure(_ key: String, of entrant: Int) -> Int64? {
    standings.first { $0.entrant.index == entrant }?.measures.first { $0.key == key }?.value
  }
}

/// Swiss tournaments as they are played, round by round.
struct SwissPlayTests {
  @Test(arguments: [(2, 1), (3, 3), (4, 3), (5, 3), (6, 2)])
  func everySequenceOfResultsEndsByTheRules(_ entrants: Int, _ rounds: Int) throws {
    let boards = entrants / 2
    try forEachSequence(of: boards * rounds, base: 3) { digits in
      var state = try TournamentState.swiss(entrants, rounds: rounds)
      state.playOut { Ending.allCases[digits[$0.pairing.number.index]] }
      #expect(state.isComplete)
      expectRules(state)
    }
  }

  /// Nobody meets twice or has two byes, points add up, and each round is what the system pairs after those before it.
  private func expectRules(_ state: TournamentState) {
    let met = state.known.map { Set($0.pairing.entrants) }
    #expect(Set(met).count == met.count)
    #expect(Set(state.byes.map(\.entrant)).count == state.byes.count)
    let points = state.standings.compactMap { $0.measures.first?.value }.reduce(0, +)
    #expect(points == 2 * Int64(state.decidedCount + state.byes.count))
    expectRanksPartition(state)
    for (round, places) in state.schedule.enumerated() {
      let entrants = places.flatMap { [$0.upper.entrant, $0.lower.entrant] }.compactMap { $0 }
      #expect(entrants.sorted() == state.settings.seeds, "round \(round + 1)")
    }
  }

  /// What was played, as the players of a report, is paired again.
  @Test(arguments: 0..<Effort.size(40, quick: 12)) func aReportOfItAgrees(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let entrants = Int.random(in: 2...40, using: &random)
    let rounds = Int.random(in: 1...min(9, entrants - 1 + entrants % 2), using: &random)
    var state = try TournamentState.swiss(entrants, rounds: rounds)
    while let room = state.ready.randomElement(using: &random) {
      #expect(state.apply(.result(room.randomResult(seed: UInt64(seed), absences: true))) == nil)
    }
    let made = state.ledger.roundCount
    let report = SwissReport(
      name: "", players: Swiss(settings: state.settings).players(in: state.ledger), roundCount: made,
      rules: SwissRules(rounds: rounds, initialColour: .white))
    for round in 0..<made { #expect(try SwissCheck(report).check(round).agrees) }
    expectModel(state)
  }

  /// The same with entrants who come in between, and others who leave.
  @Test(arguments: 0..<Effort.size(60, quick: 15))
  func lateEntrantsArePairedAsTheSystemSays(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let entrants = Int.random(in: 2...12, using: &random)
    let rounds = Int.random(in: 1...min(6, entrants - 1 + entrants % 2), using: &random)
    var state = try TournamentState.swiss(entrants, rounds: rounds)
    var entered: [Int: Int] = [:]
    while let room = state.ready.randomElement(using: &random) {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let next = EntrantIndex(index: state.seeds.count)
        entered[next.index] = state.ledger.roundCount
        #expect(state.apply(.entry(next)) == nil && state.apply(.entry(next)) == .notNext(next))
      }
      let leaving = EntrantIndex(index: Int.random(in: 0..<state.seeds.count, using: &random))
      if Int.random(in: 0..<9, using: &random) == 0, !state.withdrawn.contains(leaving) {
        #expect(state.apply(.withdrawal(leaving)) == nil)
        continue
      }
      #expect(state.apply(.result(room.randomResult(seed: UInt64(seed), absences: true))) == nil)
    }
    #expect(state.isComplete)
    #expect(state.known.map(\.pairing.number.index) == Array(0..<state.known.count))
    let isEarly = state.known.contains { record in
      record.pairing.entrants.contains { record.pairing.round < entered[$0.index] ?? 0 }
    }
    #expect(!isEarly)
    let players = Swiss(settings: state.settings).players(in: state.ledger)
    #expect(players.map(\.games.count) == state.seeds.map { _ in state.ledger.roundCount })
    #expect(
      players.enumerated().allSatisfy { own, player in
        player.games.prefix(entered[own] ?? 0).allSatisfy { !$0.isPaired && $0.points == 0 }
      })
    expectModel(state)
  }

  /// Tie-breaks by their definitions, each from the pairings alone.
  private func expectModel(_ state: TournamentState) {
    var own = [[(round: Int, half: Int64, other: Int?)]](repeating: [], count: state.seeds.count)
    for record in state.decided {
      let (first, second) = (record.pairing.first, record.pairing.second)
      let absent = record.results[0].absence == .bothSeats
      let winner = record.decision?.winner
      let isPlayed = !record.results[0].games.isEmpty
      for (one, other) in [(first, second), (second, first)] {
        let half: Int64 = winner == one ? 2 : winner == nil && !absent ? 1 : 0
        own[one.index].append((record.pairing.round, half, isPlayed ? other.index : nil))
      }
    }
    for bye in state.byes { own[bye.entrant.index].append((bye.round, 2, nil)) }
    for entrant in own.indices {
      let paired = own[entrant].map(\.round)
      let others = Set(0..<state.ledger.roundCount).subtracting(paired).sorted()
      own[entrant] += others.map { ($0, 0, nil) }
    }
    let points = own.map { $0.map(\.half).reduce(0, +) }
    for entrant in own.indices {
      let opponents = own[entrant].map { $0.other.map { points[$0] } ?? points[entrant] }
      let buchholz = opponents.reduce(0, +)
      #expect(state.measure("pairingHalfPoints", of: entrant) == points[entrant])
      #expect(state.measure("buchholzHalfPoints", of: entrant) == buchholz)
      #expect(
        state.measure("buchholzCut1HalfPoints", of: entrant)
          == opponents.sorted().dropFirst().reduce(0, +))
      let products = zip(own[entrant], opponents).map { $0.half * $1 }
      #expect(state.measure("sonnebornBergerQuarterPoints", of: entrant) == products.reduce(0, +))
      let wins = own[entrant].count { $0.other != nil && $0.half == 2 }
      #expect(state.measure("pairingsWon", of: entrant) == Int64(wins))
    }
  }

  /// Four entrants, two rounds: seeds 1 and 2 win, then 1 beats 2 and 3 draws with 4.
  @Test func measuresOfASmallOne() throws {
    var state = try TournamentState.swiss(4, rounds: 2)
    #expect(state.ready.map { $0.entrants.map(\.index) } == [[0, 2], [3, 1]])
    try state.play(0, .won)
    #expect(state.ready.count == 1 && !state.isComplete && state.pairingCount == 4)
    try state.play(1, .lost)
    #expect(Set(state.ready.map { Set($0.entrants.map(\.index)) }) == [[0, 1], [2, 3]])
    state.playOut { room in
      room.entrants.contains(EntrantIndex(0)) ? (room.entrants[0].index == 0 ? .won : .lost) : .level
    }
    #expect(state.order == [0, 1, 2, 3])
    #expect(state.ranks == [1, 2, 3, 4])
    // 2 points: opponents have ½ and 1. 1 point: 2 and ½. Half a point: 2 and ½, and 1 and ½.
    #expect(state.standings.map { $0.measures.map(\.value) }[0] == [4, 2, 3, 6, 0, 2])
    #expect(state.standings.map { $0.measures.map(\.value) }[1] == [2, 4, 5, 2, 0, 1])
    #expect(state.standings.map { $0.measures.map(\.value) }[2] == [1, 4, 5, 1, 0, 0])
    #expect(state.standings.map { $0.measures.map(\.value) }[3] == [1, 2, 3, 1, 0, 0])
    #expect(state.champion == EntrantIndex(0))
  }

  /// All draws, all have met: everything is equal, and the first place is shared.
  @Test func whatIsEqualInAllIsShared() throws {
    var state = try TournamentState.swiss(4, rounds: 3)
    state.playOut { _ in .level }
    #expect(state.ranks == [1, 1, 1, 1])
    #expect(state.champion == nil && state.leaders.count == 4)
    #expect(state.standings.allSatisfy { $0.measures.map(\.value) == [3, 6, 9, 9, 3, 0] })
  }

  @Test func whoIsAbsentGainsNothingAndMayMeetAgain() throws {
    var state = try TournamentState.swiss(2, rounds: 1)
    let both = PairingResult(pairing: PairingNumber(0), attempt: 0, absence: .bothSeats, games: [])
    #expect(state.apply(.result(both)) == nil)
    #expect(state.isComplete && state.leaders.count == 2)
    #expect(state.measure("pairingHalfPoints", of: 0) == 0)

    var four = try TournamentState.swiss(4, rounds: 2)
    for number in 0..<2 as Range<UInt32> {
      let absent = PairingResult(pairing: PairingNumber(number), attempt: 0, absence: .firstSeat, games: [])
      #expect(four.apply(.result(absent)) == nil)
    }
    // Winners by walkover meet, and nobody has a colour yet.
    #expect(four.ready.count == 2)
    #expect(four.ready.first.map { Set($0.entrants.map(\.index)) } == [1, 2])
    #expect(four.measure("pairingsWon", of: 1) == 0 && four.measure("pairingHalfPoints", of: 1) == 2)
  }

  @Test func whoHasWithdrawnIsNotPairedAnyMore() throws {
    var state = try TournamentState.swiss(6, rounds: 4)
    try state.play(0, .won)
    #expect(state.apply(.withdrawal(EntrantIndex(5))) == nil)
    for room in state.ready { #expect(state.apply(.result(room.result(.level))) == nil) }
    #expect(state.ready.count == 2 && state.byes.map(\.round) == [1])
    #expect(!state.ready.flatMap(\.entrants).contains(EntrantIndex(5)))
    // Numbers of the second round begin where they would with six.
    #expect(state.ready.map(\.pairing.number.index) == [3, 4])
    #expect(state.pairingCount == 3 + 2 + 2 * 2)
    state.playOut { _ in .won }
    #expect(state.isComplete)
    #expect(state.standings.first { $0.isWithdrawn }?.entrant == EntrantIndex(5))
  }

  @Test func itEndsEarlyWhereNobodyIsLeftToBePaired() throws {
    var state = try TournamentState.swiss(4, rounds: 3)
    #expect(state.apply(.withdrawal(EntrantIndex(3))) == nil)
    #expect(state.apply(.withdrawal(EntrantIndex(2))) == nil)
    #expect(state.ready.map { Set($0.entrants.map(\.index)) } == [[0, 1]])
    state.playOut { _ in .level }
    #expect(state.isComplete && state.pairingCount == 3 && state.ledger.roundCount == 2)
    #expect(state.remark?.contains("2 of 3 rounds") == true)

    var alone = try TournamentState.swiss(2, rounds: 1)
    #expect(alone.remark == nil)
    #expect(alone.apply(.withdrawal(EntrantIndex(0))) == nil)
    #expect(alone.isComplete && alone.champion == EntrantIndex(1) && alone.remark == nil)
  }

  @Test func roundsHaveTheirLimits() throws {
    for (entrants, most, standard) in [
      (2, 1, 1), (3, 3, 2), (4, 3, 2), (5, 5, 3), (8, 7, 3), (9, 9, 4), (64, 63, 6),
    ] {
      let settings = try TournamentSettings(format: .swiss, entrants: entrants)
      #expect(settings.value(of: .rounds) == standard, "\(entrants) entrants")
      for rounds in [0, most + 1, 256] {
        #expect(throws: TournamentError.option("rounds", rounds, 1...most)) {
          try TournamentSettings(format: .swiss, entrants: entrants, options: ["rounds": rounds])
        }
      }
    }
  }

  /// As many as it takes, in one bracket, and with as many scores as there can be.
  @Test func manyEntrants() throws {
    let entrants = Effort.size(251, quick: 101)
    var state = try TournamentState.swiss(entrants, rounds: 4)
    state.playOut { Ending.allCases[($0.pairing.number.index * 7 + $0.pairing.round) % 3] }
    #expect(state.isComplete && state.decidedCount == 4 * (entrants / 2) && state.ledger.roundCount == 4)
    expectRules(state)
  }
}

import Rules
import TestKit
import Testing

@testable import Tournaments

/// Round robins in groups, and the bracket behind them.
struct GroupStageTests {
  private func stage(_ entrants: Int, groups: Int, advance: Int, third: Bool = false) throws
    -> TournamentState
  {
    TournamentState(
      settings: try TournamentSettings(
        format: .groups, entrants: entrants, games: 1,
        options: ["groups": groups, "advance": advance, "third-place": third ? 1 : 0]))
  }

  private func pairs(_ state: TournamentState) -> [[Int]] { state.ready.map { $0.entrants.map(\.index) } }

  /// The better seed wins everywhere.
  private func favourites(_ room: PairingAttempt) -> Ending {
    room.pairing.first < room.pairing.second ? .won : .lost
  }

  @Test func eightInTwoGroupsByHand() throws {
    var state = try stage(8, groups: 2, advance: 2, third: true)
    #expect(
      GroupStage(settings: state.settings).groups.map { $0.map(\.index) } == [[0, 3, 4, 7], [1, 2, 5, 6]])
    // Berger for four, twice: 1–4, 2–3; 4–3, 1–2; 2–4, 3–1 in each group.
    #expect(
      pairs(state) == [
        [0, 7], [3, 4], [1, 6], [2, 5], [7, 4], [0, 3], [6, 5], [1, 2], [3, 7], [4, 0], [2, 6], [5, 1],
      ])
    #expect(state.pairingCount == 16 && state.bracketRound == 3)
    #expect(state.schedule.map { Set($0.map { $0.stage ?? "-" }).sorted() }[0] == ["group 1", "group 2"])
    let words = state.bracket[0].flatMap { [$0.upper.qualifierWords, $0.lower.qualifierWords] }
    #expect(words == ["1st of group 1", "2nd of group 2", "1st of group 2", "2nd of group 1"])
    for number in 0..<12 {
      #expect(state.ledger.qualified == nil)
      let room = try #require(state.record(PairingNumber(index: number))?.open)
      #expect(state.apply(.result(room.result(favourites(room)))) == nil)
    }
    #expect(pairs(state) == [[0, 2], [1, 3]] && state.order == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(state.ranks == [1, 1, 1, 1, 5, 5, 7, 7])
    try state.play(12, .lost)
    try state.play(13, .won)
    #expect(pairs(state) == [[1, 2], [0, 3]] && state.schedule.last?.map(\.stage) == [nil, "third place"])
    try state.play(14, .won)
    #expect(!state.isComplete)
    try state.play(15, .lost)
    #expect(
      state.isComplete && state.order == [1, 2, 3, 0, 4, 5, 6, 7] && state.ranks == [1, 2, 3, 4, 5, 5, 7, 7])
    #expect(
      state.standings[0].measures.map(\.value) == [2, 1, 6] && state.standings[6].measures[1].value == 4)
  }

  /// All that is dealt, in every size: each entrant once, groups of like size, and everybody meets everybody there.
  @Test func everyGroupIsARoundRobin() throws {
    for entrants in 2...Effort.size(40, quick: 20) {
      for groups in 1...max(1, min(16, entrants / 2)) {
        let state = try stage(entrants, groups: groups, advance: 1)
        let dealt = GroupStage(settings: state.settings).groups
        #expect(Set(dealt.joined()).count == entrants && dealt.count == groups)
        #expect(
          dealt.allSatisfy { (entrants / groups...(entrants + groups - 1) / groups).contains($0.count) })
        let met = Set(pairs(state).map(Set.init))
        let expected = dealt.flatMap { group in
          group.flatMap { one in group.filter { one < $0 }.map { Set([one.index, $0.index]) } }
        }
        #expect(met == Set(expected) && state.ready.count == expected.count)
        for round in state.schedule.prefix(state.bracketRound) {
          let players = round.flatMap { [$0.upper.entrant, $0.lower.entrant].compactMap { $0 } }
          #expect(Set(players).count == players.count)
        }
      }
    }
  }

  @Test func levelOnesAreTakenBySeedAndDecidersEndTheBracket() throws {
    var state = try stage(6, groups: 2, advance: 1)
    state.playOut { _ in .level }
    #expect(state.isComplete && state.champion == EntrantIndex(0))
    #expect(state.decided.last?.decision == Decision(winner: EntrantIndex(0), reason: .seeding))
    #expect(state.decided.last?.results.count == 3)
    // Nobody else is told apart by the groups.
    #expect(state.ranks == [1, 2, 3, 3, 3, 3])
  }

  @Test func whoHasLeftDoesNotGoOn() throws {
    var state = try stage(8, groups: 2, advance: 2)
    for number in 0..<11 {
      let room = try #require(state.record(PairingNumber(index: number))?.open)
      #expect(state.apply(.result(room.result(favourites(room)))) == nil)
    }
    // Seed 1 has won its group, and leaves before the last pairing, which is that of 6 and 2.
    #expect(state.apply(.withdrawal(EntrantIndex(0))) == nil && state.ledger.qualified == nil)
    try state.play(11, .lost)
    #expect(state.ledger.qualified?.map { $0?.index } == [3, 1, 4, 2])
    #expect(pairs(state) == [[2, 3], [1, 4]])
    // Who leaves now loses its pairing, and nobody comes in its place.
    #expect(state.apply(.disqualification(EntrantIndex(3))) == nil)
    #expect(pairs(state) == [[1, 4]] && state.ledger.qualified?.map { $0?.index } == [3, 1, 4, 2])
    state.playOut { _ in .won }
    #expect(state.champion == EntrantIndex(1) && state.standings.last?.entrant == EntrantIndex(3))
    #expect(state.standings.map(\.entrant.index) == [1, 2, 4, 0, 5, 6, 7, 3])
  }

  @Test func aGroupThatIsShortLeavesItsPlacesEmpty() throws {
    var state = try stage(5, groups: 2, advance: 3)
    // Group 1 has seeds 1, 4 and 5, group 2 seeds 2 and 3.
    state.playOut { favourites($0) }
    #expect(state.ledger.qualified?.count { $0 == nil } == 1 && state.isComplete)
    #expect(state.champion == EntrantIndex(0) && state.ranks.max() == 5)
    for leaver in [1, 2] {
      var other = try stage(4, groups: 2, advance: 2)
      #expect(other.apply(.withdrawal(EntrantIndex(index: leaver))) == nil)
      other.playOut { favourites($0) }
      #expect(
        other.isComplete && other.champion == EntrantIndex(0) && other.pairingCount == other.decidedCount)
    }
  }

  @Test func oneOfOneGroupGoesOnToNoBracket() throws {
    var state = try stage(3, groups: 1, advance: 1)
    state.playOut { favourites($0) }
    #expect(state.isComplete && state.champion == EntrantIndex(0) && state.bracket.isEmpty)
    #expect(BracketPlan(state)?.brackets.isEmpty == true)
  }

  // MARK: - Seeds of the bracket

  /// The round in which two lines of a bracket meet, from 1.
  private func round(_ one: Int, _ other: Int) -> Int {
    Int.bitWidth - (one ^ other).leadingZeroBitCount
  }

  @Test func twoOfFourGroupsMeetInTheFinalAtTheEarliest() {
    let places = GroupSeeding.places(groups: 4, advancing: 2).map { [$0.group, $0.place] }
    #expect(places == [[0, 0], [1, 0], [2, 0], [3, 0], [1, 1], [0, 1], [3, 1], [2, 1]])
  }

  /// Every number of groups and of those who go on: all have a seed, winners the first ones, and winners do not meet
  /// their seconds before the second round, nor before the final where that can be.
  @Test func twoOfOneGroupMeetLate() {
    for groups in 1...16 {
      for advancing in 1...8 {
        let seeds = GroupSeeding.places(groups: groups, advancing: advancing)
        #expect(Set(seeds).count == groups * advancing)
        for (seed, place) in seeds.enumerated() { #expect(place.place == seed / groups) }
        let lines = SingleElimination.lines(1 << (Int.bitWidth - (seeds.count - 1).leadingZeroBitCount))
        guard groups > 1, advancing > 1 else { continue }
        for group in 0..<groups {
          let both = (0...1).compactMap { place in
            seeds.firstIndex(of: .init(group: group, place: place)).flatMap(lines.firstIndex)
          }
          let last = lines.count.trailingZeroBitCount
          // The seconds of a power of two groups can all be in the other half of the bracket.
          let isEven = groups.nonzeroBitCount == 1
          #expect(round(both[0], both[1]) >= (isEven ? last : 2), "\(groups) groups, \(advancing) of each")
        }
      }
    }
  }

  /// Among few groups no other way to spread those of a place has them meet later, or comes before it.
  @Test func noSpreadIsBetter() {
    func permutations(_ items: [Int]) -> [[Int]] {
      items.isEmpty
        ? [[]] : items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
    }
    for groups in 2...Effort.size(6, quick: 4) {
      for advancing in 2...5 {
        let seeds = GroupSeeding.places(groups: groups, advancing: advancing)
        var lines = SingleElimination.lines(1)
        while lines.count < seeds.count { lines = SingleElimination.lines(2 * lines.count) }
        func line(_ seed: Int) -> Int { lines.firstIndex(of: seed) ?? -1 }
        for place in 1..<advancing {
          func earliest(_ spread: [Int]) -> Int {
            spread.enumerated().flatMap { own, group in
              (0..<place * groups).filter { seeds[$0].group == group }.map { other in
                round(line(place * groups + own), line(other))
              }
            }.min() ?? 0
          }
          let all = permutations(Array(0..<groups))
          let best = all.map(earliest).max()
          let first = all.first { earliest($0) == best }
          #expect(
            seeds[place * groups..<(place + 1) * groups].map(\.group) == first, "\(groups), \(advancing)")
        }
      }
    }
  }

  @Test func standardsAreAPowerOfTwoOfGroups() throws {
    let standards = [2, 5, 6, 11, 12, 16, 24, 48, 100, 4_096].map { entrants in
      TournamentFormat.groups.options[0].standard(entrants)
    }
    #expect(standards == [1, 1, 2, 2, 4, 4, 8, 16, 16, 16])
    #expect(throws: TournamentError.option("groups", 5, 1...4)) { try stage(8, groups: 5, advance: 1) }
    #expect(throws: TournamentError.option("groups", 15, 16...16)) {
      try stage(4_096, groups: 15, advance: 1)
    }
    #expect(throws: TournamentError.option("advance", 9, 1...8)) { try stage(40, groups: 4, advance: 9) }
  }
}

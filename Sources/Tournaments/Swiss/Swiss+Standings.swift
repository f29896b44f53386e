extension Swiss {
  /// Standings go by points; then Buchholz cut 1; then Buchholz; then Sonneborn-Berger; then direct encounter; then
  /// pairings won. Entrants who are equal in all of these share their rank.
  ///
  /// Buchholz is the sum of the points of all opponents, and with cut 1 the least of them is left out. Sonneborn-Berger
  /// is the sum of each opponent's points times what was gained against it. In a round without a game (a bye, a
  /// walkover, one in which the entrant was not paired) the opponent is a virtual one who has as many points as the
  /// entrant. Opponents' points are what they have, their own rounds without a game included; FIDE's adjustments of
  /// those (C.07, article 16.3) are left out. Direct encounter counts where all who are equal so far have met. Pairings
  /// that were won without a game are not counted as won.
  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = ledger.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Standing.addTallies(of: ledger, to: &lines)
    var scores = rounds(of: ledger).map { SwissScore(rounds: $0) }
    let points = scores.map(\.points)
    for index in scores.indices { scores[index].addOpponents(points) }
    Self.addDirectEncounters(to: &scores)
    for index in lines.indices { lines[index].measures = scores[index].measures }
    return Standing.ranked(lines) { $0.measures.map(\.value) }
  }

  /// What each entrant had in each round that is decided for it.
  private func rounds(of ledger: TournamentLedger) -> [[SwissScore.Round]] {
    var rounds = [[SwissScore.Round]](
      repeating: [SwissScore.Round](repeating: .init(), count: ledger.roundCount),
      count: ledger.entrants)
    for case let record? in ledger.records {
      let (pairing, gained) = (record.pairing, record.halfPoints)
      for (own, other, gain) in [
        (pairing.first, pairing.second, gained.first), (pairing.second, pairing.first, gained.second),
      ] {
        rounds[own.index][pairing.round] = .init(
          opponent: record.isPlayed ? other.index : nil, gained: gain, isOpen: record.decision == nil)
      }
    }
    for bye in ledger.byes { rounds[bye.entrant.index][bye.round].gained = Self.bye }
    return rounds.map { $0.filter { !$0.isOpen } }
  }

  private static func addDirectEncounters(to scores: inout [SwissScore]) {
    let order = scores.indices.sorted { a, b in
      scores[a].key == scores[b].key ? a < b : scores[a].key.lexicographicallyPrecedes(scores[b].key)
    }
    var rest = order[...]
    while let first = rest.first {
      let equal = rest.prefix { scores[$0].key == scores[first].key }
      rest = rest.dropFirst(equal.count)
      let group = Set(equal)
      let meetings = equal.map { index in
        scores[index].rounds.filter { $0.opponent.map(group.contains) ?? false }
      }
      guard equal.count > 1, meetings.allSatisfy({ $0.count == equal.count - 1 }) else { continue }
      for (index, rounds) in zip(equal, meetings) {
        scores[index].direct = rounds.reduce(0) { $0 + $1.gained }
      }
    }
  }
}

/// What an entrant of a Swiss tournament is ranked by, in half and quarter points.
struct SwissScore {
  /// One round of the entrant.
  struct Round {
    /// Who was met in a game; `nil` without one.
    var opponent: Int?
    /// Half points gained.
    var gained = 0
    /// Whether it is not decided yet.
    var isOpen = false
  }

  let rounds: [Round]
  /// Half points.
  let points: Int
  /// Half points.
  var buchholzCut1 = 0
  /// Half points.
  var buchholz = 0
  /// Quarter points.
  var sonnebornBerger = 0
  /// Half points.
  var direct = 0

  init(rounds: [Round]) {
    self.rounds = rounds
    points = rounds.reduce(0) { $0 + $1.gained }
  }

  /// Adds what follows from the half points of all entrants.
  mutating func addOpponents(_ all: [Int]) {
    let opponents = rounds.map { round in round.opponent.map { all[$0] } ?? points }
    buchholz = opponents.reduce(0, +)
    buchholzCut1 = buchholz - (opponents.min() ?? 0)
    sonnebornBerger = zip(rounds, opponents).reduce(0) { $0 + $1.0.gained * $1.1 }
  }

  /// What comes before the direct encounter.
  var key: [Int] { [points, buchholzCut1, buchholz, sonnebornBerger] }

  private var wins: Int { rounds.count { $0.opponent != nil && $0.gained == 2 } }

  /// All of it, the most important first.
  var measures: [Standing.Measure] {
    [
      .init(title: "POINTS", key: "pairingHalfPoints", points, parts: 2),
      .init(title: "BH-C1", key: "buchholzCut1HalfPoints", buchholzCut1, parts: 2),
      .init(title: "BH", key: "buchholzHalfPoints", buchholz, parts: 2),
      .init(title: "SB", key: "sonnebornBergerQuarterPoints", sonnebornBerger, parts: 4),
      .init(title: "DE", key: "directHalfPoints", direct, parts: 2),
      .init(title: "WINS", key: "pairingsWon", wins, parts: 1),
    ]
  }
}

extension TournamentFormat {
  /// Everybody is paired with everybody once, both colours when nothing is said.
  package static let roundRobin = TournamentFormat(
    code: 2, name: "round-robin", summary: "everybody is paired with everybody once, both colours",
    standardGames: 2, mostEntrants: mostOfAll, options: [.cycles],
    results: .againstAll, report: .roundRobin, system: { RoundRobin(settings: $0) })

  /// The most entrants where everybody meets everybody: in 16 cycles they have half a million pairings.
  private static let mostOfAll = 256
}

extension FormatOption {
  /// How many times everybody is paired with everybody, or with the first one.
  static let cycles = FormatOption(
    name: "cycles", placeholder: "N",
    summary:
      "How many times a round robin or a gauntlet is gone through, seats swapped in every second one: 1 when"
      + " not given.", limits: { _ in 1...16 }, standard: { _ in 1 }, bits: (0, 4), least: 1)
}

/// Everybody is paired with everybody, once or in several cycles, by the Berger tables.
///
/// The tables are those of FIDE's Handbook, C.05 annex 1; ``table(lines:)`` makes them by the circle
/// method. Who is named first has seat 0 and moves first in even games, so two games give both colours. In the second,
/// fourth, … cycle the seats are swapped. With
/// an odd number of entrants, who would meet the missing last one has a bye, which is worth nothing.
///
/// An entrant who withdraws loses the games of its open pairings, so of two who withdraw the first one loses
/// to the other. When a result says that both are absent, both lose. Results counted before a withdrawal
/// stand.
///
/// Who comes in after the start meets all before it, in the order of seeds and as many cycles, each pairing a round of
/// its own behind all others.
///
/// Standings go by points; then Sonneborn-Berger (the points of each opponent times the points gained against
/// it); then games won; then direct encounter (points gained against those who are equal so far); then the
/// sum of the games' scores. Entrants who are equal in all of these share their rank (1, 2, 2, 4) and are
/// listed by seed; where the first rank is shared, there is no champion. Walkovers count as games won and
/// lost. Games whose rules say so (the prisoner's dilemma) go by the sum of scores before all that.
package struct RoundRobin: PairingSystem {
  private let settings: TournamentSettings
  private let places: [[ScheduledPairing]]
  private let cycles: Int

  /// The tables of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    cycles = settings.value(of: .cycles) ?? 1
    let cycle = Self.places(entrants: settings.entrants)
    let pairings = settings.entrants * (settings.entrants - 1) / 2
    places = (0..<cycles).flatMap { Self.repeated(cycle, as: $0, pairings: pairings) }
  }

  package var pairingCount: Int { pairings(of: settings.entrants) }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    pairings(of: ledger.entrants) - ledger.knownCount
  }

  /// The pairings of so many entrants.
  private func pairings(of entrants: Int) -> Int { cycles * entrants * (entrants - 1) / 2 }

  package var showsScoreFirst: Bool { settings.ranking == .score }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard unknownPairings(after: ledger) > 0 else { return NextPairings([]) }
    let missing = (ledger.knownCount == 0 ? places : []) + late(ledger.entrants, after: ledger.knownCount)
    return NextPairings(missing.unlisted(in: ledger).map { settings.pairing($0, $1, first: $2, second: $3) })
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    (places + late(ledger.entrants, after: 0)).decided(by: ledger)
  }

  /// The places of those who came in after the start, behind the tables, without those of so many first pairings.
  private func late(_ entrants: Int, after known: Int) -> [[ScheduledPairing]] {
    (settings.entrants..<max(entrants, settings.entrants)).filter { pairings(of: $0) >= known }.flatMap {
      late in
      (0..<cycles * late).map { place in
        let number = pairings(of: late) + place
        let (cycle, other) = place.quotientAndRemainder(dividingBy: late)
        return [
          .late(
            late, against: other, in: cycle, round: places.count + number - pairingCount,
            number: PairingNumber(index: number))
        ]
      }
    }
  }
}

extension ScheduledPairing {
  /// A round of its own for somebody who came in after the start: in the first, third, … cycle it has the first seat
  /// against seeds 1, 3, …, and in the others against seeds 2, 4, ….
  static func late(
    _ entrant: Int, against other: Int, in cycle: Int, round: Int, number: PairingNumber
  ) -> ScheduledPairing {
    let (upper, lower) = (other + cycle).isMultiple(of: 2) ? (entrant, other) : (other, entrant)
    return ScheduledPairing(
      round: round, position: 0, number: number, upper: .entrant(EntrantIndex(index: upper)),
      lower: .entrant(EntrantIndex(index: lower)))
  }
}

extension RoundRobin {
  /// The Berger tables: for each round the pairs of entrants, counted from 0, first seat first.
  ///
  /// The circle method, with *m* the even number of lines: everybody but the last sits on a circle of *m* − 1
  /// places. In round *r* the last one meets place *h* = *r*·*m*/2 on the circle, and those at equal distance
  /// on both sides of *h* meet each other, the one after *h* having the first seat. The last one has the
  /// second seat in even rounds and the first in odd ones, counted from 0. For an odd number of entrants the
  /// last line is empty: who meets it has a bye.
  static func table(lines: Int) -> [[(first: Int, second: Int)]] {
    let circle = lines - 1
    return (0..<circle).map { round in
      let home = round * (lines / 2) % circle
      let last = round.isMultiple(of: 2) ? (first: home, second: circle) : (first: circle, second: home)
      let others = (1..<lines / 2).map { distance in
        (first: (home + distance) % circle, second: (home + circle - distance) % circle)
      }
      return [last] + others
    }
  }

  /// The places of the first cycle as those of another one, from 0; each has so many pairings.
  static func repeated(
    _ rounds: [[ScheduledPairing]], as cycle: Int, pairings: Int
  ) -> [[ScheduledPairing]] {
    rounds.map { round in
      round.map { place in
        var place = place
        place.round += cycle * rounds.count
        guard let number = place.number else { return place }
        place.number = PairingNumber(index: number.index + cycle * pairings)
        if !cycle.isMultiple(of: 2) { swap(&place.upper, &place.lower) }
        return place
      }
    }
  }

  /// The tables as numbered places; a bye has its entrant above.
  static func places(entrants: Int) -> [[ScheduledPairing]] {
    var next = 0
    return table(lines: entrants + entrants % 2).enumerated().map { round, pairs in
      pairs.enumerated().map { position, pair in
        var place = ScheduledPairing(
          round: round, position: position,
          upper: .entrant(EntrantIndex(index: min(pair.first, pair.second))),
          lower: .bye)
        guard max(pair.first, pair.second) < entrants else { return place }
        place.number = PairingNumber(index: next)
        place.upper = .entrant(EntrantIndex(index: pair.first))
        place.lower = .entrant(EntrantIndex(index: pair.second))
        next += 1
        return place
      }
    }
  }
}

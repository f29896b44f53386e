extension TournamentFormat {
  /// The first entrant is paired with each of the others, both colours when nothing is said.
  package static let gauntlet = TournamentFormat(
    code: 5, name: "gauntlet", summary: "the first entrant is paired with each of the others, both colours",
    standardGames: 2, options: [.cycles], results: .againstFirst, system: { Gauntlet(settings: $0) })
}

/// The first entrant is paired with each of the others, in the order of seeds, once or in several cycles.
///
/// Each pairing is a round. The first entrant has seat 0 against seeds 2, 4, … in the first, third, … cycle and against
/// the others in the second, fourth, …. Who comes in after the start has its pairings with the first one behind all
/// others, and the first seat in the first, third, … of them.
///
/// An entrant who withdraws loses its open pairings, so when the first one does the tournament is over. When a result
/// says that both are absent, both lose.
///
/// Standings go by the share of the points that could be had, compared exactly, as the first entrant has many times the
/// games of the others; then by the same share of games won. Entrants who are equal in both share their rank. Games
/// whose rules say so (the prisoner's dilemma) go by the sum of scores a game before all that. Nobody has a share
/// before a game is decided.
package struct Gauntlet: PairingSystem {
  private let settings: TournamentSettings
  private let places: [[ScheduledPairing]]
  private let cycles: Int

  /// The pairings of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    let cycle = (1..<settings.entrants).map { opponent in
      let (upper, lower) = opponent.isMultiple(of: 2) ? (opponent, 0) : (0, opponent)
      return [
        ScheduledPairing(
          round: opponent - 1, position: 0, number: PairingNumber(index: opponent - 1),
          upper: .entrant(EntrantIndex(index: upper)), lower: .entrant(EntrantIndex(index: lower)))
      ]
    }
    cycles = settings.value(of: .cycles) ?? 1
    places = (0..<cycles).flatMap {
      RoundRobin.repeated(cycle, as: $0, pairings: cycle.count)
    }
  }

  package var pairingCount: Int { places.count }

  package var showsScoreFirst: Bool { settings.ranking == .score }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard unknownPairings(after: ledger) > 0 else { return NextPairings([]) }
    let missing = (ledger.knownCount == 0 ? places : []) + late(ledger.entrants, after: ledger.knownCount)
    return NextPairings(missing.unlisted(in: ledger).map { settings.pairing($0, $1, first: $2, second: $3) })
  }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    cycles * (ledger.entrants - 1) - ledger.knownCount
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    (places + late(ledger.entrants, after: 0)).decided(by: ledger)
  }

  /// The places of those who came in after the start, behind the others, without those of so many first pairings.
  private func late(_ entrants: Int, after known: Int) -> [[ScheduledPairing]] {
    (max(known, places.count)..<max(cycles * (entrants - 1), places.count)).map { number in
      let (before, cycle) = number.quotientAndRemainder(dividingBy: cycles)
      return [.late(before + 1, against: 0, in: cycle, round: number, number: PairingNumber(index: number))]
    }
  }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = ledger.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Standing.addTallies(of: ledger, to: &lines)
    let scores = Self.order(of: lines) { settings.ranking == .score ? $0.score : 0 }
    let points = Self.order(of: lines) { Int64($0.halfPoints) }
    let wins = Self.order(of: lines) { Int64($0.wins) }
    return Standing.ranked(lines) { line in
      [scores[line.entrant.index], points[line.entrant.index], wins[line.entrant.index]]
    }
  }

  /// For each line how many others have less of something a game.
  private static func order(of lines: [Standing], by amount: (GameTally) -> Int64) -> [Int64] {
    let shares = lines.map { (amount: amount($0.tally), games: Int64(max(1, $0.tally.games))) }
    return shares.map { own in
      Int64(
        shares.count { other in
          // Exact, as two scores and their games need twice the bits of a score.
          let (left, right) = (
            other.amount.multipliedFullWidth(by: own.games), own.amount.multipliedFullWidth(by: other.games)
          )
          return left.high == right.high ? left.low < right.low : left.high < right.high
        })
    }
  }
}

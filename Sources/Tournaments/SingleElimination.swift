extension TournamentFormat {
  /// Who loses a pairing is out. A pairing is one game, and deciders when it is level.
  package static let singleElimination = TournamentFormat(
    code: 1, name: "single-elimination",
    summary: "the loser of a pairing is out; level pairings go to decider games, then to the better seed",
    options: [.deciders, .thirdPlace], isTree: true, results: .tree,
    system: { SingleElimination(settings: $0) })
}

extension FormatOption {
  /// Whether those who lose the semi-finals play for the third place.
  static let thirdPlace = thirdPlace(bit: 5)

  /// The same option as this bit of the byte.
  static func thirdPlace(bit: Int) -> FormatOption {
    FormatOption(
      name: "third-place", placeholder: nil,
      summary:
        "Have the losers of the semi-finals of a single elimination, or of that behind groups, play for the third"
        + " place.",
      limits: { _ in 0...1 }, standard: { _ in 0 }, bits: (bit, 1), least: 0)
  }
}

/// A knock-out: who loses a pairing is out, until one entrant is left.
///
/// The bracket has the smallest power of two of lines that holds all entrants. Lines are filled by the usual
/// fold: in each round of the seeds' prediction the best meets the worst, so that seed 1 meets seed 16 and
/// seed 8 meets seed 9 when there are 16 lines, and the two best seeds can only meet in the final. Lines without
/// an entrant are byes; they fall to the top seeds, in the first round only.
///
///     4 lines   1 v 4, 2 v 3
///     8 lines   1 v 8, 4 v 5, 2 v 7, 3 v 6
///
/// The better seed has seat 0 in a pairing's first room. An entrant who has withdrawn loses every pairing
/// that is open or comes later, so of two who withdraw the first one loses to the other. When a result says
/// that both are absent, nobody goes through, and whoever would have met the winner has a bye.
/// ``PairingAttempt`` says how level pairings are decided.
///
/// Where it is chosen and both semi-finals are played, their losers play for the third place, beside the final.
///
/// Standings go by round reached, and within it those still in before those who are out, and the winner of the third
/// place before its loser. Entrants who are equal in these share their rank (1, 2, 3, 3, 5, 5, 5, 5) and are listed by
/// seed.
package struct SingleElimination: PairingSystem {
  private let settings: TournamentSettings
  private let places: KnockOutPlaces

  /// The bracket of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    var places = KnockOutPlaces()
    Self.add(
      Self.slots(entrants: settings.entrants), to: &places,
      hasThirdPlace: settings.value(of: .thirdPlace) == 1)
    self.places = places
  }

  /// One pairing puts one entrant out; the third place is one more.
  package var pairingCount: Int { places.count }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard ledger.knownCount < pairingCount else { return NextPairings([]) }
    return NextPairings(
      places.unlisted(in: ledger).map { place, number, upper, lower in
        settings.pairing(
          place, number, first: min(upper, lower), second: max(upper, lower), mustHaveWinner: true)
      })
  }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    schedule(of: ledger).unlistedCount(in: ledger)
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] { places.filled(by: ledger) }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = settings.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Self.addRounds(of: schedule(of: ledger), to: &lines)
    Standing.addTallies(of: ledger, to: &lines)
    return Standing.ranked(lines, tieBreaks: Self.tieBreaks)
  }
}

extension SingleElimination {
  /// The seeds of the lines, from the top, when `count` lines (a power of two) are all taken.
  static func lines(_ count: Int) -> [Int] {
    var lines = [0]
    while lines.count < count {
      let last = 2 * lines.count - 1
      lines = lines.flatMap { [$0, last - $0] }
    }
    return lines
  }

  /// The lines of a bracket that holds so many entrants.
  static func slots(entrants: Int) -> [ScheduledPairing.Slot] {
    var size = 1
    while size < entrants { size *= 2 }
    return lines(size).map { line in
      line < entrants ? .entrant(EntrantIndex(index: line)) : .bye
    }
  }

  /// Adds the empty bracket: these slots in the first round, winners of pairings afterwards.
  static func add(_ first: [ScheduledPairing.Slot], to places: inout KnockOutPlaces, hasThirdPlace: Bool) {
    var slots = first
    var losers: [ScheduledPairing.Slot] = []
    while slots.count > 1 {
      let isFinal = slots.count == 2
      let round = places.add(KnockOutPlaces.neighbours(slots))
      slots = round.winners
      if isFinal, hasThirdPlace, losers.count == 2, !losers.contains(.bye) {
        places.addToLast(losers[0], losers[1], stage: "third place")
      }
      losers = round.losers
    }
  }

  /// What entrants of a bracket are ranked by.
  static func tieBreaks(_ line: Standing) -> [Int64] {
    [Int64(line.roundsReached), line.isOut ? 0 : 1, line.hasThirdPlace ? 1 : 0]
  }

  /// Adds how far everybody came in a bracket. The lines are by entrant.
  static func addRounds(of bracket: [[ScheduledPairing]], to lines: inout [Standing]) {
    for (round, place) in bracket.enumerated().flatMap({ round, places in places.map { (round, $0) } }) {
      guard place.stage == nil else {
        // Where one of the losers has not come the other has the place.
        let winner = place.decision?.winner ?? (place.number == nil ? place.upper.entrant : nil)
        if let winner { lines[winner.index].hasThirdPlace = true }
        continue
      }
      for slot in [place.upper, place.lower] {
        guard let entrant = slot.entrant else { continue }
        lines[entrant.index].roundsReached = round
        guard let decision = place.decision else {
          // Nobody came from the other side.
          if place.number == nil, place.lower == .bye { lines[entrant.index].roundsReached = round + 1 }
          continue
        }
        if entrant == decision.winner {
          lines[entrant.index].roundsReached = round + 1
        } else {
          lines[entrant.index].isOut = true
        }
      }
    }
  }
}

extension TournamentFormat {
  /// Who loses a pairing is out. A pairing is one game, and deciders when it is level.
  package static let singleElimination = TournamentFormat(
    code: 1, name: "single-elimination",
    summary: "the loser of a pairing is out; level pairings go to decider games, then to the better seed",
    options: [.deciders], isTree: true, system: { SingleElimination(settings: $0) })
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
/// that both are absent, the better seed goes through. ``PairingAttempt`` says how level pairings are
/// decided.
///
/// Standings go by round reached, and within it those still in before those who are out. Entrants who are
/// equal in both share their rank (1, 2, 3, 3, 5, 5, 5, 5) and are listed by seed.
package struct SingleElimination: PairingSystem {
  private let settings: TournamentSettings
  private let bracket: [[ScheduledPairing]]

  /// The bracket of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    bracket = Self.bracket(entrants: settings.entrants)
  }

  /// One pairing puts one entrant out.
  package var pairingCount: Int { settings.entrants - 1 }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard ledger.knownCount < pairingCount else { return NextPairings([]) }
    return NextPairings(
      schedule(of: ledger).joined().compactMap { place in
        guard let number = place.number, ledger.record(number) == nil else { return nil }
        guard let (upper, lower) = place.entrants else { return nil }
        return settings.pairing(
          place, number, first: min(upper, lower), second: max(upper, lower), mustHaveWinner: true)
      })
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    bracket.map { round in
      round.map { place in
        var place = place
        place.upper = Self.resolve(place.upper, in: ledger)
        place.lower = Self.resolve(place.lower, in: ledger)
        place.decision = place.number.flatMap { ledger.record($0)?.decision }
        return place
      }
    }
  }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = settings.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    for place in schedule(of: ledger).joined() {
      for slot in [place.upper, place.lower] {
        guard let entrant = slot.entrant else { continue }
        lines[entrant.index].roundsReached = place.round
        guard let winner = place.decision?.winner else { continue }
        if entrant == winner {
          lines[entrant.index].roundsReached = place.round + 1
        } else {
          lines[entrant.index].isOut = true
        }
      }
    }
    Standing.addTallies(of: ledger, to: &lines)
    return Standing.ranked(lines) { [Int64($0.roundsReached), $0.isOut ? 0 : 1] }
  }

  private static func resolve(
    _ slot: ScheduledPairing.Slot, in ledger: TournamentLedger
  ) -> ScheduledPairing.Slot {
    guard case .winner(let number) = slot else { return slot }
    guard let winner = ledger.record(number)?.decision?.winner else { return slot }
    return .entrant(winner)
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

  /// The empty bracket: entrants and byes in the first round, winners of pairings afterwards.
  static func bracket(entrants: Int) -> [[ScheduledPairing]] {
    var size = 1
    while size < entrants { size *= 2 }
    var slots = lines(size).map { line in
      line < entrants ? ScheduledPairing.Slot.entrant(EntrantIndex(index: line)) : .bye
    }
    var rounds: [[ScheduledPairing]] = []
    var next = 0
    while slots.count > 1 {
      let round = places(of: slots, round: rounds.count, next: &next)
      rounds.append(round)
      slots = round.map { place in place.number.map { .winner(of: $0) } ?? place.upper }
    }
    return rounds
  }

  /// One round between neighbouring slots. The better seed of the first round is above, so byes are below.
  private static func places(
    of slots: [ScheduledPairing.Slot], round: Int, next: inout Int
  ) -> [ScheduledPairing] {
    (0..<slots.count / 2).map { position in
      let (upper, lower) = (slots[2 * position], slots[2 * position + 1])
      var number: PairingNumber?
      if lower != .bye {
        number = PairingNumber(index: next)
        next += 1
      }
      return ScheduledPairing(round: round, position: position, number: number, upper: upper, lower: lower)
    }
  }
}

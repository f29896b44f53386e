extension TournamentFormat {
  /// Who loses two pairings is out. A pairing is one game, and deciders when it is level.
  package static let doubleElimination = TournamentFormat(
    code: 4, name: "double-elimination",
    summary: "who loses twice is out; whoever comes from the lower bracket must win the final twice",
    options: [.deciders], results: .tree, system: { DoubleElimination(settings: $0) })
}

/// A knock-out of two brackets: who loses in the upper one goes on in the lower one, who loses there is out.
///
/// The upper bracket is that of ``SingleElimination``. The lower one begins with the losers of its first round, who
/// meet as neighbours. Then, for each later round of the upper bracket, those who are left meet its losers, and after
/// that each other as neighbours while there are two or more. Losers come in from the bottom up in the second,
/// fourth, … round, and from the middle on in the third, fifth, …, so that who has met meets again late. A place
/// without an opponent is passed.
///
///     upper 1    upper 2     upper 3                     final   reset
///     8 ───────► 4 ────────► 2 ──────────────────────► 1
///       losers     losers      loser                     ► 1 ──► if the lower one wins
///       4 ─► 2 ──► 2 ──► 1 ──► 1 ──────────────────────► 1
///
/// The winners of both brackets meet in the final. When the one of the lower bracket wins it, both have lost once, and
/// meet again with seats swapped: the bracket is reset. Elsewhere the better seed has seat 0. When both entrants of a
/// pairing are absent, both are out, and nobody goes on from it in either bracket.
///
/// Standings go by the round in which an entrant went out; those of one round share their rank (1, 2, 3, 4, 5, 5, 7,
/// 7).
package struct DoubleElimination: PairingSystem {
  private let settings: TournamentSettings
  private let places: KnockOutPlaces
  private let reset: PairingNumber

  /// The brackets of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    var places = KnockOutPlaces()
    var upper = SingleElimination.slots(entrants: settings.entrants)
    var lower: [ScheduledPairing.Slot] = []
    var (upperRound, lowerRound) = (0, 0)
    func addLower(_ pairs: [(ScheduledPairing.Slot, ScheduledPairing.Slot)]) {
      let round = places.add(pairs, stage: "lower \(lowerRound + 1)")
      lower = round.winners
      lowerRound += round.hasPairings ? 1 : 0
    }
    while upper.count > 1 {
      let round = places.add(KnockOutPlaces.neighbours(upper), stage: "upper \(upperRound + 1)")
      upper = round.winners
      if upperRound == 0 {
        lower = round.losers
      } else {
        addLower(Array(zip(lower, Self.crossed(round.losers, round: upperRound))))
      }
      if lower.count > 1 { addLower(KnockOutPlaces.neighbours(lower)) }
      upperRound += 1
    }
    let final = PairingNumber(index: places.count)
    _ = places.add([(upper[0], lower[0])], stage: "final")
    reset = PairingNumber(index: places.count)
    _ = places.add([(.loser(of: final), .winner(of: final))], stage: "reset")
    self.places = places
  }

  /// The order in which losers of a round of the upper bracket come into the lower one.
  private static func crossed(_ losers: [ScheduledPairing.Slot], round: Int) -> [ScheduledPairing.Slot] {
    if !round.isMultiple(of: 2) { return losers.reversed() }
    let half = losers.count / 2
    return Array(losers[half...] + losers[..<half])
  }

  /// All but one lose twice, and that one once where the bracket is reset.
  package var pairingCount: Int { places.count }

  /// Whether there is no reset, as far as these places say: the final is won by who comes from the upper bracket, or
  /// somebody has not come to it.
  private func isOver(_ rounds: [[ScheduledPairing]]) -> Bool {
    guard let place = rounds.dropLast().last?.first else { return false }
    if place.lower == .bye { return true }
    return place.decision.map { $0.winner == nil || $0.winner == place.upper.entrant } ?? false
  }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    schedule(of: ledger).unlistedCount(in: ledger)
  }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard ledger.knownCount < pairingCount else { return NextPairings([]) }
    return NextPairings(
      places.unlisted(in: ledger).compactMap { place, number, upper, lower in
        if number == reset, isOver(places.filled(by: ledger)) { return nil }
        let (better, worse) = (min(upper, lower), max(upper, lower))
        return settings.pairing(
          place, number, first: number == reset ? worse : better, second: number == reset ? better : worse,
          mustHaveWinner: true)
      })
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    let rounds = places.filled(by: ledger)
    return isOver(rounds) ? rounds.dropLast() : rounds
  }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = settings.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    var losses = [Int](repeating: 0, count: lines.count)
    for index in lines.indices { lines[index].roundsReached = places.rounds.count }
    for case let record? in ledger.records {
      guard let decision = record.decision else { continue }
      let isForBoth = decision.winner == nil
      for loser in record.pairing.entrants where loser != decision.winner {
        losses[loser.index] += 1
        guard losses[loser.index] == 2 || isForBoth else { continue }
        lines[loser.index].isOut = true
        lines[loser.index].roundsReached = record.pairing.round
      }
    }
    Standing.addTallies(of: ledger, to: &lines)
    return Standing.ranked(lines) { [Int64($0.roundsReached), $0.isOut ? 0 : 1] }
  }
}

extension TournamentFormat {
  /// Neighbours on the ladder meet, and who wins from below takes the other one's place.
  package static let ladder = TournamentFormat(
    code: 6, name: "ladder",
    summary: "neighbours on the ladder meet round by round; who wins from below takes the other one's place",
    options: [.ladderRounds], followsWords: true, results: .byRound,
    system: { Ladder(settings: $0) })
}

extension FormatOption {
  /// The rounds of a ladder. In as many as there are entrants the last one can come to the top.
  fileprivate static let ladderRounds = FormatOption(
    name: FormatOption.rounds.name, placeholder: FormatOption.rounds.placeholder,
    summary: FormatOption.rounds.summary, limits: { _ in 1...255 }, standard: { min(255, $0) }, bits: (0, 8),
    least: 0)
}

/// A ladder: entrants stand on it by seed at first, neighbours meet, and a challenger who wins moves up.
///
/// In the first, third, … round the first meets the second, the third the fourth and so on; in the second, fourth, …
/// round the second meets the third and so on, and the first has no game. Whoever is last without a neighbour has none
/// either. The one below is the challenger and has seat 0. When it wins, both change places; when the pairing ends
/// level they stay. An entrant who has withdrawn keeps its place and is not paired any more; those beside it are
/// neighbours then. A round in which nobody meets is left out, and with one entrant left the ladder ends.
///
/// Who comes in after the start stands at the bottom. Standings are the ladder, and nobody shares a place. Numbers of
/// pairings are by round, then place.
package struct Ladder: PairingSystem {
  private let settings: TournamentSettings
  private let rounds: Int

  /// The ladder of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    rounds = settings.value(of: .ladderRounds) ?? 1
  }

  package var pairingCount: Int { rounds * (settings.entrants / 2) }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    let present = ledger.seeds.count { !ledger.hasWithdrawn($0) }
    return (ledger.roundCount..<max(rounds, ledger.roundCount)).reduce(0) {
      $0 + max(0, present - $1 % 2) / 2
    }
  }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    guard ledger.knownCount == ledger.decidedCount else { return NextPairings([]) }
    let present = order(in: ledger).filter { !ledger.hasWithdrawn($0) }
    for round in ledger.roundCount..<max(rounds, ledger.roundCount) {
      let climbers = present.dropFirst(round % 2)
      let pairs = zip(climbers, climbers.dropFirst()).enumerated().filter { $0.offset.isMultiple(of: 2) }
      guard !pairs.isEmpty else { continue }
      return NextPairings(
        pairs.enumerated().map { position, pair in
          settings.pairing(
            ScheduledPairing(round: round, position: position, upper: .bye, lower: .bye),
            PairingNumber(index: ledger.knownCount + position), first: pair.element.1, second: pair.element.0)
        })
    }
    return NextPairings([])
  }

  /// The ladder from the top, with who has withdrawn where they stood.
  private func order(in ledger: TournamentLedger) -> [EntrantIndex] {
    var order = ledger.seeds
    var places = Array(order.indices)
    for case let record? in ledger.records {
      guard let winner = record.decision?.winner, let loser = record.loser else { continue }
      let (below, above) = (places[winner.index], places[loser.index])
      guard below > above else { continue }
      order.swapAt(below, above)
      places.swapAt(winner.index, loser.index)
    }
    return order
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    ScheduledPairing.rounds(of: ledger)
  }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = ledger.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Standing.addTallies(of: ledger, to: &lines)
    return order(in: ledger).enumerated().map { place, entrant in
      var line = lines[entrant.index]
      line.rank = place + 1
      return line
    }
  }
}

extension RoundRobin {
  package func standings(of ledger: TournamentLedger) -> [Standing] {
    Self.standings(of: ledger.seeds, by: ledger.records.lazy.compactMap { $0 }, in: ledger)
  }

  /// A line for each of these entrants, from pairings between them, best first.
  static func standings(
    of entrants: [EntrantIndex], by records: some Sequence<PairingRecord>, in ledger: TournamentLedger
  ) -> [Standing] {
    var lines = entrants.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    var places = [Int](repeating: 0, count: ledger.entrants)
    for (place, entrant) in entrants.enumerated() { places[entrant.index] = place }
    // The half points that each entrant gained against each other one.
    var gained = [[Int]](repeating: [Int](repeating: 0, count: lines.count), count: lines.count)
    for record in records {
      let (first, second) = (places[record.pairing.first.index], places[record.pairing.second.index])
      let tallies = record.tallies
      lines[first].tally += tallies.first
      lines[second].tally += tallies.second
      gained[first][second] += tallies.first.halfPoints
      gained[second][first] += tallies.second.halfPoints
    }
    for index in lines.indices {
      lines[index].sonnebornBergerQuarters = lines.indices.reduce(0) {
        $0 + gained[index][$1] * lines[$1].tally.halfPoints
      }
    }
    addDirectEncounters(gained, to: &lines)
    let ranksByScore = ledger.settings.ranking == .score
    return Standing.ranked(lines) {
      (ranksByScore ? [$0.tally.score] : []) + firstTieBreaks($0)
        + [Int64($0.directHalfPoints), $0.tally.score]
    }
  }

  private static func firstTieBreaks(_ line: Standing) -> [Int64] {
    [Int64(line.tally.halfPoints), Int64(line.sonnebornBergerQuarters), Int64(line.tally.wins)]
  }

  private static func addDirectEncounters(_ gained: [[Int]], to lines: inout [Standing]) {
    let keys = lines.map(firstTieBreaks)
    for index in lines.indices {
      lines[index].directHalfPoints = lines.indices.reduce(0) {
        $0 + (keys[$1] == keys[index] ? gained[index][$1] : 0)
      }
    }
  }
}

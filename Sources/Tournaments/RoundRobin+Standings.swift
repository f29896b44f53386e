extension RoundRobin {
  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = ledger.settings.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Standing.addTallies(of: ledger, to: &lines)
    let gained = Self.halfPoints(in: ledger)
    for index in lines.indices {
      lines[index].sonnebornBergerQuarters = lines.indices.reduce(0) {
        $0 + gained[index][$1] * lines[$1].tally.halfPoints
      }
    }
    Self.addDirectEncounters(gained, to: &lines)
    let ranksByScore = ledger.settings.ranking == .score
    return Standing.ranked(lines) {
      (ranksByScore ? [$0.tally.score] : []) + Self.firstTieBreaks($0)
        + [Int64($0.directHalfPoints), $0.tally.score]
    }
  }

  private static func firstTieBreaks(_ line: Standing) -> [Int64] {
    [Int64(line.tally.halfPoints), Int64(line.sonnebornBergerQuarters), Int64(line.tally.wins)]
  }

  /// The half points that each entrant gained against each other one.
  private static func halfPoints(in ledger: TournamentLedger) -> [[Int]] {
    let count = ledger.settings.entrants
    var gained = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
    for case let record? in ledger.records {
      let (first, second) = (record.pairing.first.index, record.pairing.second.index)
      let tallies = record.tallies
      gained[first][second] += tallies.first.halfPoints
      gained[second][first] += tallies.second.halfPoints
    }
    return gained
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

/// One line of the standings.
package struct Standing: Hashable, Sendable {
  /// The entrant.
  package let entrant: EntrantIndex
  /// The rank, from 1. Entrants whom no tie-break separates share it: 1, 2, 2, 4.
  package internal(set) var rank = 0
  /// Games won, drawn and lost in all rooms, with points and scores.
  package internal(set) var tally = GameTally()
  /// Sonneborn-Berger in quarter points, as points are halves. Round robin only.
  package internal(set) var sonnebornBergerQuarters = 0
  /// Half points against those equal in points, Sonneborn-Berger and games won. Round robin only.
  package internal(set) var directHalfPoints = 0
  /// Rounds gone through, byes included; all of them for the champion. Knock-out only.
  package internal(set) var roundsReached = 0
  /// Whether the entrant has won the third place. Single elimination only.
  package internal(set) var hasThirdPlace = false
  /// Whether the entrant has lost as many pairings as put it out. Knock-out only.
  package internal(set) var isOut = false
  /// What the format ranks by, the most important first; empty where the fields above say it.
  package internal(set) var measures: [Measure] = []
  /// Whether the entrant has withdrawn, or is disqualified.
  package let isWithdrawn: Bool

  /// A number that entrants are ranked by, exact in whole parts of a point.
  package struct Measure: Hashable, Sendable {
    /// The head of its column.
    package let title: String
    /// Its name in JSON, with the unit.
    package let key: String
    /// The number, in parts.
    package let value: Int64
    /// How many parts make one: 1, 2 or 4.
    package let parts: Int

    init(title: String, key: String, _ value: Int, parts: Int) {
      self.title = title
      self.key = key
      self.value = Int64(value)
      self.parts = parts
    }
  }

  /// The line of an entrant who has played nothing.
  init(entrant: EntrantIndex, isWithdrawn: Bool) {
    self.entrant = entrant
    self.isWithdrawn = isWithdrawn
  }

  /// Adds what was gained in every counted room. The lines are by entrant.
  static func addTallies(of ledger: TournamentLedger, to lines: inout [Standing]) {
    for case let record? in ledger.records {
      let tallies = record.tallies
      lines[record.pairing.first.index].tally += tallies.first
      lines[record.pairing.second.index].tally += tallies.second
    }
  }

  /// Lines in order, ranked anew with those who are disqualified behind all others, where they share one rank.
  static func moved(_ disqualified: Set<EntrantIndex>, toEndOf lines: [Standing]) -> [Standing] {
    let rest = lines.filter { !disqualified.contains($0.entrant) }
    let moved = lines.filter { disqualified.contains($0.entrant) }.sorted { $0.entrant < $1.entrant }.map {
      line in
      var line = line
      line.rank = rest.count + 1
      return line
    }
    var ranked: [Standing] = []
    for (place, line) in rest.enumerated() {
      var line = line
      let isShared = place > 0 && line.rank == rest[place - 1].rank
      line.rank = isShared ? ranked[place - 1].rank : place + 1
      ranked.append(line)
    }
    return ranked + moved
  }

  /// The lines in order with their ranks.
  /// - Parameters:
  ///   - lines: one for each entrant, in any order.
  ///   - tieBreaks: what counts, the most important first; higher is better. Equal ones share their rank.
  static func ranked(_ lines: [Standing], tieBreaks: (Standing) -> [Int64]) -> [Standing] {
    let keyed = lines.map { (line: $0, key: tieBreaks($0)) }.sorted { a, b in
      a.key == b.key ? a.line.entrant < b.line.entrant : b.key.lexicographicallyPrecedes(a.key)
    }
    var ranked: [Standing] = []
    for index in keyed.indices {
      var line = keyed[index].line
      let isShared = index > 0 && keyed[index].key == keyed[index - 1].key
      line.rank = isShared ? ranked[index - 1].rank : index + 1
      ranked.append(line)
    }
    return ranked
  }
}

/// Who gained what from whom, or in which round, in the order of the standings: the value that crosstables show.
package struct TournamentCrosstable: Hashable, Sendable {
  /// What a column is of.
  package enum Column: Hashable, Sendable {
    /// All pairings with this entrant.
    case entrant(EntrantIndex)
    /// A round, from 0.
    case round(Int)
  }

  /// What stands where a row and a column meet.
  package struct Cell: Hashable, Sendable {
    /// What there is to tell.
    package enum Kind: Hashable, Sendable {
      /// They have not met and do not meet yet.
      case nothing
      /// The row is the column's entrant.
      case itself
      /// They meet, and nothing is counted yet.
      case open
      /// A round without an opponent that is worth something.
      case bye
      /// Something is counted.
      case counted
      /// The only pairing was decided without a game.
      case forfeit
    }

    /// What there is to tell.
    package var kind = Kind.nothing
    /// Half points that the row gained.
    package var gained = 0
    /// The half points that it could have gained.
    package var most = 0
    /// In a round: the opponent's row, from 0.
    package var opponent: Int?
    /// In a round: whether the row had the first seat.
    package var isFirst = false

    /// The cell as text: points against an entrant; of a round the opponent's number, the seat and the result, such as
    /// `12w1`, with `=` for a level pairing and `+` and `-` for one without a game.
    /// - Parameter points: how half points are written.
    package func text(points: (Int) -> String) -> String {
      switch kind {
      case .nothing, .itself: return ""
      case .bye: return "bye"
      case .open, .counted, .forfeit: break
      }
      guard let opponent else { return kind == .open ? "" : points(gained) }
      let seat = "\(opponent + 1)\(isFirst ? "w" : "b")"
      switch kind {
      case .forfeit: return seat + (gained > 0 ? "+" : "-")
      case .counted: return seat + (gained == 0 ? "0" : gained == most ? "1" : "=")
      default: return seat
      }
    }
  }

  /// The columns.
  package let columns: [Column]
  /// The rows, best first.
  package let rows: [Standing]
  /// A list of cells for each row, one for each column.
  package private(set) var cells: [[Cell]]

  /// The table of a tournament; `nil` for one whose results are a tree.
  package init?(_ state: TournamentState) {
    let rows = state.standings
    self.rows = rows
    switch state.settings.format.results {
    case .tree: return nil
    case .againstAll: columns = rows.map { .entrant($0.entrant) }
    case .againstFirst: columns = [.entrant(EntrantIndex(index: 0))]
    case .byRound: columns = (0..<state.ledger.roundCount).map { .round($0) }
    }
    cells = [[Cell]](repeating: [Cell](repeating: Cell(), count: columns.count), count: rows.count)
    var places = [Int](repeating: 0, count: rows.count)
    for (place, row) in rows.enumerated() { places[row.entrant.index] = place }
    let isByRound = state.settings.format.results == .byRound
    for case let record? in state.ledger.records {
      isByRound ? addRound(record, places) : add(record, places)
    }
    for bye in state.byes where isByRound { cells[places[bye.entrant.index]][bye.round].kind = .bye }
    for (column, of) in columns.enumerated() {
      if case .entrant(let entrant) = of { cells[places[entrant.index]][column].kind = .itself }
    }
  }

  /// Adds a pairing where it lies in its round.
  private mutating func addRound(_ record: PairingRecord, _ places: [Int]) {
    let (pairing, gained) = (record.pairing, record.halfPoints)
    let kind: Cell.Kind = record.decision == nil ? .open : record.isPlayed ? .counted : .forfeit
    let (first, second) = (places[pairing.first.index], places[pairing.second.index])
    for (own, other, halves) in [(first, second, gained.first), (second, first, gained.second)] {
      cells[own][pairing.round] = Cell(
        kind: kind, gained: halves, most: 2, opponent: other, isFirst: own == first)
    }
  }

  /// Adds what both gained of a pairing to what they gained before.
  private mutating func add(_ record: PairingRecord, _ places: [Int]) {
    let (pairing, tallies) = (record.pairing, record.tallies)
    for (own, other, tally) in [
      (pairing.first, pairing.second, tallies.first), (pairing.second, pairing.first, tallies.second),
    ] {
      let column: Int
      if columns.count == 1 {
        guard other.index == 0 else { continue }
        column = 0
      } else {
        column = places[other.index]
      }
      cells[places[own.index]][column].add(tally)
    }
  }
}

extension TournamentCrosstable.Cell {
  fileprivate mutating func add(_ tally: GameTally) {
    if tally.games > 0 { kind = .counted } else if kind == .nothing { kind = .open }
    gained += tally.halfPoints
    most += 2 * tally.games
  }
}

extension Standing {
  /// Half points in the table: those of pairings where the format ranks by them, else those of games.
  package var shownHalfPoints: Int {
    guard let first = measures.first, first.parts == 2 else { return tally.halfPoints }
    return Int(first.value)
  }
}

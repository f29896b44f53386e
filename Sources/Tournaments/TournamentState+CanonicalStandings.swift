import Rules

extension TournamentState {
  /// Settings, labels, counted results and ranks in canonical bytes, for a digest that compares two runs.
  ///
  /// Two runs with the same entrants and results give the same bytes, whatever keys, ids, times and arrival
  /// orders they had. Numbers are big-endian.
  ///
  ///     "parlor-standings-2"
  ///     u8 format · u16 entrants · u16 games · u8 options
  ///     for each entrant by seed: u32 length · label in UTF-8
  ///     u32 pairings with a counted result, and for each by ascending number:
  ///       u32 number · u16 first · u16 second · u8 rooms
  ///       for each room: u8 absence · u16 games · for each game: i32 seat 0's score · i32 seat 1's score
  ///       u8 reason of the decision, 0 none · u16 winner, 65,535 none
  ///     for each line of the standings: u16 entrant · u16 rank
  ///
  /// - Parameter labels: how each entrant is called, by seed.
  /// - Throws: ``TournamentError/labels(_:entrants:)`` when there is not one label for each entrant.
  package func canonicalStandings(labels: [String]) throws(TournamentError) -> [UInt8] {
    guard labels.count == ledger.entrants else {
      throw .labels(labels.count, entrants: ledger.entrants)
    }
    var bytes = Array("parlor-standings-2".utf8)
    bytes.append(settings.format.rawValue)
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: ledger.entrants))
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: settings.games))
    bytes.append(settings.options)
    for label in labels {
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: label.utf8.count))
      bytes.append(contentsOf: label.utf8)
    }
    let counted = ledger.records.compactMap { $0 }.filter { !$0.results.isEmpty }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: counted.count))
    for record in counted { bytes.append(record) }
    for line in standings {
      bytes.append(bigEndian: line.entrant.rawValue)
      bytes.append(bigEndian: UInt16(truncatingIfNeeded: line.rank))
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  fileprivate mutating func append(_ record: PairingRecord) {
    append(bigEndian: record.pairing.number.rawValue)
    append(bigEndian: record.pairing.first.rawValue)
    append(bigEndian: record.pairing.second.rawValue)
    append(UInt8(truncatingIfNeeded: record.results.count))
    for result in record.results {
      append(result.absence.rawValue)
      append(bigEndian: UInt16(truncatingIfNeeded: result.games.count))
      for score in result.games.flatMap(\.scores) { append(bigEndian: score) }
    }
    append(record.decision?.reason.rawValue ?? 0)
    append(bigEndian: record.decision?.winner?.rawValue ?? .max)
  }
}

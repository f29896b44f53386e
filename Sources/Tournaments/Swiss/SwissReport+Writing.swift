import Rules

/// A tournament as the lines of a tournament report file (TRF16 with `XXR` and `XXC`), which ``SwissReport`` reads.
///
/// In a Swiss tournament a pairing is one entry, whatever number of games it has, and a round that is not over is left
/// out. In a round robin each game of a pairing is an entry in a round of its own, as in so many cycles, and what is
/// not played is left blank.
package struct SwissReportLines: Sendable {
  /// The lines.
  package private(set) var lines: [String] = []
  /// The round that is left out because it is not over, from 1.
  package private(set) var openRound: Int?

  /// One round in a player's line.
  private struct Entry {
    var opponent: Int?
    var colour: Character = "-"
    var result: Character
    var halves = 0

    /// Who is not paired.
    static let absent = Entry(result: "Z")
    /// A game that is not played yet.
    static let open = Entry(colour: " ", result: " ")
  }

  /// The report of a tournament.
  /// - Parameters:
  ///   - title: its name; may be empty.
  ///   - names: what the entrants are called, by seed.
  package init(_ state: TournamentState, title: String, names: [String]) throws(Refusal) {
    guard let system = state.settings.format.report else { throw .format(state.settings.format) }
    let planned: Int
    let entries: [[Entry]]
    switch system {
    case .dutch:
      let over = state.ledger.roundCount - (state.decidedCount < state.ledger.knownCount ? 1 : 0)
      if over < state.ledger.roundCount { openRound = state.ledger.roundCount }
      planned = state.settings.value(of: .rounds) ?? over
      entries = Self.swiss(state, rounds: over)
    case .roundRobin:
      guard state.seeds.count == state.settings.entrants else { throw .lateEntrants }
      let games = Self.order(cycles: state.settings.value(of: .cycles) ?? 1, games: state.settings.games)
      planned = games.count * (state.settings.entrants + state.settings.entrants % 2 - 1)
      guard planned <= SwissReport.mostRounds else { throw .rounds(planned) }
      entries = Self.roundRobin(state, games)
    }
    lines = [
      "012 \(Self.plain(title, limit: 200))", "062 \(state.seeds.count)",
      system == .dutch ? "092 Individual: Swiss-System (Dutch)" : "092 Individual: Round-Robin",
      "XXR \(planned)",
    ]
    if system == .dutch { lines.append("XXC white1") }
    let ranks = Self.ranks(state, entries, isWhole: openRound == nil)
    for (place, name) in names.enumerated() {
      lines.append(try Self.row(place, name, rank: ranks[place], entries[place]))
    }
  }

  // MARK: - Rounds

  private static func swiss(_ state: TournamentState, rounds: Int) -> [[Entry]] {
    var entries = [[Entry]](
      repeating: [Entry](repeating: .absent, count: rounds), count: state.seeds.count)
    for case let record? in state.ledger.records where record.pairing.round < rounds {
      let (pairing, gained) = (record.pairing, record.halfPoints)
      for (own, other, colour, halves) in [
        (pairing.first, pairing.second, Character("w"), gained.first),
        (pairing.second, pairing.first, "b", gained.second),
      ] {
        entries[own.index][pairing.round] = Entry(
          opponent: other.index, colour: colour, result: result(halves, isPlayed: record.isPlayed),
          halves: halves)
      }
    }
    for bye in state.byes where bye.round < rounds {
      entries[bye.entrant.index][bye.round] = Entry(result: "U", halves: Swiss.bye)
    }
    return entries
  }

  /// The games of each pairing as cycles of one game: which cycle, and which game of its pairings. The first seat of
  /// the tables has white in every second one.
  private static func order(cycles: Int, games: Int) -> [(cycle: Int, game: Int)] {
    let all = (0..<cycles).flatMap { cycle in (0..<games).map { (cycle: cycle, game: $0) } }
    let plain = all.filter { ($0.cycle + $0.game).isMultiple(of: 2) }
    let swapped = all.filter { !($0.cycle + $0.game).isMultiple(of: 2) }
    return all.indices.map { $0.isMultiple(of: 2) ? plain[$0 / 2] : swapped[$0 / 2] }
  }

  private static func roundRobin(
    _ state: TournamentState, _ games: [(cycle: Int, game: Int)]
  ) -> [[Entry]] {
    let (count, cycles) = (state.settings.entrants, state.settings.value(of: .cycles) ?? 1)
    let rounds = count + count % 2 - 1
    var entries = [[Entry]](
      repeating: [Entry](repeating: .open, count: rounds * games.count), count: count)
    var places = [[Int]](repeating: [Int](repeating: 0, count: state.settings.games), count: cycles)
    for (place, of) in games.enumerated() { places[of.cycle][of.game] = place }
    for case let record? in state.ledger.records {
      guard let played = record.results.first else { continue }
      let pairing = record.pairing
      for game in 0..<state.settings.games {
        let place = places[pairing.round / rounds][game] * rounds + pairing.round % rounds
        let (first, second) = halves(of: game, in: played)
        let isFirstWhite = game.isMultiple(of: 2)
        let isPlayed = game < played.games.count
        entries[pairing.first.index][place] = Entry(
          opponent: pairing.second.index, colour: isFirstWhite ? "w" : "b",
          result: result(first, isPlayed: isPlayed), halves: first)
        entries[pairing.second.index][place] = Entry(
          opponent: pairing.first.index, colour: isFirstWhite ? "b" : "w",
          result: result(second, isPlayed: isPlayed), halves: second)
      }
    }
    return entries
  }

  /// What both seats gained of one game.
  private static func halves(of game: Int, in result: PairingResult) -> (Int, Int) {
    guard game < result.games.count else {
      return (result.absence.includesFirstSeat ? 0 : 2, result.absence.includesSecondSeat ? 0 : 2)
    }
    let scores = result.games[game].scores
    guard scores.count == 2, scores[0] != scores[1] else { return (1, 1) }
    return scores[0] > scores[1] ? (2, 0) : (0, 2)
  }

  private static func result(_ halves: Int, isPlayed: Bool) -> Character {
    guard isPlayed else { return halves > 0 ? "+" : "-" }
    return halves == 2 ? "1" : halves == 1 ? "=" : "0"
  }

  // MARK: - Lines

  /// The ranks of the standings; where a round is left out they order those who are equal without it.
  private static func ranks(_ state: TournamentState, _ entries: [[Entry]], isWhole: Bool) -> [Int] {
    let points = entries.map { $0.reduce(0) { $0 + $1.halves } }
    var ranks = [Int](repeating: 0, count: points.count)
    for line in state.standings { ranks[line.entrant.index] = line.rank }
    guard !isWhole else { return ranks }
    return points.indices.map { own in
      1
        + points.indices.count { other in
          (-points[other], ranks[other]) < (-points[own], ranks[own])
        }
    }
  }

  /// A player's line; ``SwissReportLine`` draws its places.
  private static func row(
    _ place: Int, _ name: String, rank: Int, _ entries: [Entry]
  ) throws(Refusal) -> String {
    let halves = entries.reduce(0) { $0 + $1.halves }
    guard halves < 200 || halves < 2_000 && halves.isMultiple(of: 2) else { throw .points }
    let points = halves < 200 ? "\(halves / 2).\(halves % 2 * 5)" : "\(halves / 2)"
    let shown = plain(name, limit: nameLimit)
    var line = "001 \(right("\(place + 1)", 4))      \(shown)"
    // Sex, title, rating, federation, number and birth are not known.
    line += String(repeating: " ", count: nameLimit - shown.unicodeScalars.count + 33)
    line += "\(right(points, 4)) \(right("\(rank)", 4))"
    for entry in entries {
      let opponent =
        entry.opponent.map { right("\($0 + 1)", 4) } ?? (entry.colour == " " ? "    " : "0000")
      line += "  \(opponent) \(entry.colour) \(entry.result)"
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static let nameLimit = 33

  private static func right(_ text: String, _ places: Int) -> String {
    String(repeating: " ", count: max(0, places - text.utf8.count)) + text
  }

  /// Foreign text on one line, cut between characters; places are counted in scalars.
  private static func plain(_ text: String, limit: Int) -> String {
    var kept = String.UnicodeScalarView()
    for character in text {
      let scalars = character.unicodeScalars.map { scalar -> Unicode.Scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: "?"
        case .spaceSeparator: " "
        default: scalar
        }
      }
      guard kept.count + scalars.count <= limit else { break }
      kept.append(contentsOf: scalars)
    }
    return String(kept)
  }
}

extension SwissReportLines {
  /// Why a tournament has no report file.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Of this format.
    case format(TournamentFormat)
    /// It has more rounds than a report can have.
    case rounds(Int)
    /// Somebody has more points than four places hold.
    case points
    /// Somebody came into a round robin after its start.
    case lateEntrants

    /// What happened.
    package var description: String {
      switch self {
      case .format(let format):
        "a tournament report file (trf) tells of Swiss tournaments and round robins, not of a \(format)"
      case .rounds(let rounds):
        "a tournament report file (trf) has at most \(SwissReport.mostRounds) rounds, and this tournament"
          + " has \(rounds), each game of a pairing being one"
      case .lateEntrants:
        "a tournament report file (trf) of a round robin has the rounds of its tables, and entrants came into this one"
          + " after its start"
      case .points: "a tournament report file (trf) has no room for half points above 100"
      }
    }
  }
}

import Events
import Terminal
import Tournaments

/// A tournament's pairings, standings and crosstable as tables for spreadsheets.
struct TournamentTables {
  let view: TournamentView
  private var state: TournamentState { view.tournament.state }

  /// The columns of pairings.
  static let pairings = [
    "pairing", "round", "stage", "first", "second", "points-first", "points-second", "winner", "reason",
    "rooms",
  ]
  /// The first columns of standings.
  static let standings = [
    "rank", "entrant", "seed", "won", "drawn", "lost", "game-points", "score", "out", "reason",
  ]
  /// The first columns of a crosstable.
  static let crosstable = ["number", "entrant", "points"]

  func lines(_ subject: TournamentReport.Subject) -> [String] {
    let table =
      switch subject {
      case .pairings: pairings
      case .standings: standings
      case .bracket: TournamentCrosstable(state).map(crosstable) ?? pairings
      }
    return table.map(CSVText.line)
  }

  private var pairings: [[String]] {
    let rooms = view.rooms.mapValues { $0.map(\.description).joined(separator: " ") }
    var table = [Self.pairings]
    for place in state.schedule.joined() {
      let (round, stage) = ("\(place.round + 1)", place.stage ?? "")
      if view.byeMembers(of: place) != nil, let entrant = place.upper.entrant {
        table.append(["", round, stage, view.name(entrant), "", "", "", "", "bye", ""])
      }
      guard let number = place.number else { continue }
      table.append([number.description, round, stage] + cells(of: number) + [rooms[number] ?? ""])
    }
    return table
  }

  /// Who met, what each gained, who won and by what.
  private func cells(of number: PairingNumber) -> [String] {
    guard let record = state.record(number) else { return [String](repeating: "", count: 6) }
    var cells = [view.name(record.pairing.first), view.name(record.pairing.second)]
    if record.results.isEmpty {
      cells += ["", ""]
    } else {
      let tallies = record.tallies
      cells += [Self.points(tallies.first.halfPoints), Self.points(tallies.second.halfPoints)]
    }
    let winner: String = record.decision?.winner.map(view.name) ?? ""
    let reason: String = record.decision.map { "\($0.reason)" } ?? ""
    return cells + [winner, reason]
  }

  private var standings: [[String]] {
    let lines = state.standings
    let titles = lines.first?.measures.map { $0.title.lowercased() } ?? []
    return [Self.standings + titles] + lines.map(cells)
  }

  private func cells(of line: Standing) -> [String] {
    let tally = line.tally
    var cells = ["\(line.rank)", view.name(line.entrant), "\(line.entrant.index + 1)"]
    cells += ["\(tally.wins)", "\(tally.draws)", "\(tally.losses)"]
    cells += [Self.points(tally.halfPoints), "\(tally.score)"]
    cells += [view.absence(of: line) ?? "", view.tournament.disqualified[line.entrant] ?? ""]
    return cells + line.measures.map { CSVText.decimal($0.value, parts: $0.parts) }
  }

  private func crosstable(_ table: TournamentCrosstable) -> [[String]] {
    let heads = table.columns.map { column in
      switch column {
      case .entrant(let entrant): view.name(entrant)
      case .round(let round): "round \(round + 1)"
      }
    }
    var lines = [Self.crosstable + heads]
    for (place, row) in table.rows.enumerated() {
      let cells = table.cells[place].map { $0.text(points: Self.points) }
      lines.append(["\(place + 1)", view.name(row.entrant), Self.points(row.shownHalfPoints)] + cells)
    }
    return lines
  }

  private static func points(_ halves: Int) -> String { CSVText.decimal(Int64(halves), parts: 2) }
}

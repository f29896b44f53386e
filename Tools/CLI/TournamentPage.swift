import EventLog
import Events
import Peer
import Pictures
import Projection
import Terminal
import Tournaments

/// A tournament's pictures, and the page that has all of it in one file.
struct TournamentPage {
  let view: TournamentView
  let context: Context
  private var tournament: TournamentRoom { view.tournament }
  private var state: TournamentState { view.tournament.state }

  /// More games than this are left out of a page, and so are those with which it has more positions.
  static let limitGames = 200
  static let limitPositions = 20_000

  // MARK: - Pictures

  /// The brackets, or the crosstable.
  func picture() throws(Failure) -> [String] {
    if let picture = picture(limited: false) { return picture }
    throw Failure(
      .unavailable,
      "the crosstable of this tournament has more than \(CrosstableChart.limitCells) cells, too many for a picture",
      hint: "`parlor tournament bracket --format csv` writes it")
  }

  /// - Parameter limited: whether brackets are left out too that are too large for a page.
  private func picture(limited: Bool) -> [String]? {
    if let plan = BracketPlan(state) {
      if limited, tournament.entrants.count > Self.limitBracket { return nil }
      return BracketChart(title: view.heading, plan: plan, match: view.match).svg()
    }
    return TournamentCrosstable(state).flatMap {
      CrosstableChart(title: view.heading, table: $0, names: view.names, points: Standing.points)
    }?.svg()
  }

  /// Larger brackets are no part of a page.
  private static let limitBracket = 1_024

  // MARK: - The page

  func lines(from log: any EventLog) throws -> [String] {
    var page = ReportPage(title: tournament.title.isEmpty ? "Tournament" : tournament.title)
    page.add([view.heading] + (state.isComplete ? [view.plainChampion] : [progress]) + view.plainRemarks)
    let table = view.standingsTable
    page.add("Standings", ReportPage.Table(head: table.head, rows: table.rows))
    let heading = state.settings.format.results == .tree ? "Bracket" : "Crosstable"
    if let picture = picture(limited: true) {
      page.add(heading, svg: picture)
    } else {
      page.add(["The \(heading.lowercased()) is too large for a page; `--format csv` writes it."])
    }
    for games in try log.ratedGames(in: tournament.room, context.games, check: context.checkStop) {
      let settings = RatingTable.Settings(
        method: .elo, average: Double(RatingTable.standardAverage), advantage: false)
      page.add("Ratings", svg: try RatingTable(RatingTable.Input(games), settings).chart.svg())
      page.add(["Elo ratings from the games of this tournament alone, with intervals of 95 %."])
    }
    let found = try games(in: log)
    page.add(games: found.games, remarks: found.remarks)
    return page.lines
  }

  private var progress: String { "\(state.decidedCount) of \(state.pairingCount) pairings are decided." }

  /// The games that are here, by the order in which they count, and what is said of others.
  private func games(in log: any EventLog) throws -> (games: [ReportPage.Game], remarks: [String]) {
    let held = Set(try log.rooms(of: tournament.room).map(\.room))
    var games: [ReportPage.Game] = []
    var (positions, leftOut, missing) = (0, 0, 0)
    for counted in tournament.rooms where !counted.games.isEmpty {
      guard held.contains(counted.room) else {
        missing += counted.games.count
        continue
      }
      guard games.count < Self.limitGames, positions < Self.limitPositions else {
        leftOut += counted.games.count
        continue
      }
      try context.checkStop()
      let room = try Room(counted.room, in: log, games: context.games)
      for game in room.state.games where game.number < counted.games.count {
        let size = game.plies.count + 1
        guard games.count < Self.limitGames, positions + size <= Self.limitPositions else {
          leftOut += 1
          continue
        }
        if let shown = try shown(game, in: room, counted) {
          games.append(shown)
          positions += size
        } else {
          missing += 1
        }
      }
    }
    return (games, remarks(leftOut: leftOut, missing: missing))
  }

  private func shown(
    _ game: GameRecord, in room: Room, _ counted: TournamentRoom.CountedRoom
  ) throws -> ReportPage.Game? {
    let frames = try ReplayFrame.all(of: game, in: room, isVerbose: false, review: nil)
    guard let last = frames.last else { return nil }
    let number = PairingNumber(counted.pairing)
    let names = state.record(number)?.pairing.entrants.map(view.label) ?? []
    return ReportPage.Game(
      title: "\(number) \(names.joined(separator: " – ")), game \(game.number + 1)",
      ending: last.endingWords(seal: counted.games), names: room.state.names,
      frames: frames.map { frame in
        let diagram = frame.diagram
        return GamePicture.Frame(
          caption: frame.words(Drawing()), diagram: diagram, pieces: room.pieces(in: diagram))
      })
  }

  private func remarks(leftOut: Int, missing: Int) -> [String] {
    let id = tournament.room.short
    var remarks: [String] = []
    if leftOut > 0 {
      remarks.append(
        "\(Room.count(leftOut, "game")) more: a page has at most \(Self.limitGames) games and"
          + " \(Self.limitPositions) positions. `parlor tournament show \(id)` names the rooms of all games, and"
          + " `parlor replay ROOM` shows them.")
    }
    if missing > 0 {
      remarks.append(
        "\(Room.count(missing, "game")) cannot be shown, as rooms of them are not here or not known to this"
          + " program: `parlor log verify \(id)` names them.")
    }
    return remarks
  }
}

import Events
import Peer
import Pictures
import Platform
import Ratings
import Terminal

/// The ratings of one game's players, as they are shown.
struct RatingTable {
  struct Settings {
    let method: RatingsCommand.Method
    /// The mean of a group's ratings, of Elo.
    let average: Double
    let advantage: Bool
  }

  /// What is rated.
  struct Input {
    /// The game; `nil` for a file.
    let game: String?
    let players: [Player]
    let duels: [Duel<Int>]
    var provisional = 0
    var mirrored: Int { duels.count { $0.first == $0.second } }
  }

  /// Who is rated.
  struct Player {
    /// As it came: a display must guard itself.
    let name: String
    var peer: PeerID?
    var version: UInt16?
    /// Whether the version is shown: another one of the same bot is rated too.
    var showsVersion = false

    /// The name for people.
    var label: String {
      guard let peer else {
        return SafeText(name, limitColumns: 40).text + (showsVersion ? " v\(version ?? 0)" : "")
      }
      let safe = SafeText(name, limitColumns: 24).text
      let digits = peer.description.prefix(6)
      return safe.isEmpty ? String(digits) : "\(safe) (\(digits))"
    }
  }

  /// A line of the table.
  private struct Line {
    let player: Int
    let rating: Double
    let error: Double?
    let record: PlayerRecord
    let superiority: Double?
    var volatility: Double?
  }

  private struct Group {
    let lines: [Line]
    var hasPrior = false
    var advantage: EloPool<Int>.Estimate?
  }

  private let input: Input
  private let settings: Settings
  private let groups: [Group]

  /// - Throws: when there are too many players.
  init(_ input: Input, _ settings: Settings) throws(Failure) {
    self.input = input
    self.settings = settings
    let table = Crosstable(input.duels)
    switch settings.method {
    case .elo: groups = try Self.elo(table, settings)
    case .glicko2: groups = Self.glicko2(table)
    }
  }

  /// The mean of a group's ratings where nothing else is said.
  static let standardAverage = 1500

  /// The Elo ratings of players.
  /// - Throws: when there are too many.
  static func pool(_ table: Crosstable<Int>, advantage: Bool = false) throws(Failure) -> EloPool<Int> {
    if let pool = EloPool(table, advantage: advantage) { return pool }
    throw Failure(
      .unavailable, "more than \(EloPool<Int>.limitPlayers) players are connected by games",
      hint: "`parlor ratings` with `--game`, `--tournament` or `--method glicko2` can rate them")
  }

  private static func elo(_ table: Crosstable<Int>, _ settings: Settings) throws(Failure) -> [Group] {
    try pool(table, advantage: settings.advantage).groups.map { group in
      Group(
        lines: group.standings.map {
          Line(
            player: $0.player, rating: settings.average + $0.rating.points, error: $0.rating.error,
            record: $0.record, superiority: $0.superiority)
        }, hasPrior: group.hasPrior, advantage: group.advantage)
    }
  }

  private static func glicko2(_ table: Crosstable<Int>) -> [Group] {
    var glicko = Glicko2<Int>()
    glicko.take(table)
    let records = table.records
    let order = glicko.standings.indices.sorted {
      (-glicko.standings[$0].rating.rating, $0) < (-glicko.standings[$1].rating.rating, $1)
    }
    guard !order.isEmpty else { return [] }
    let lines = order.enumerated().map { rank, place in
      let rating = glicko.standings[place].rating
      let next = rank + 1 < order.count ? glicko.standings[order[rank + 1]].rating : nil
      return Line(
        player: glicko.standings[place].player, rating: rating.rating, error: rating.error,
        record: records[place], superiority: next.map { rating.superiority(over: $0) },
        volatility: rating.volatility)
    }
    return [Group(lines: lines)]
  }
}

// MARK: - Showing it

extension RatingTable {
  /// The ratings as a picture.
  var chart: RatingChart {
    let game = input.game.map { ", \($0)" } ?? ""
    return RatingChart(
      title: "Ratings by \(settings.method.rawValue)\(game): \(counts)",
      groups: groups.map { group in
        group.lines.map {
          .init(name: input.players[$0.player].label, rating: $0.rating, error: $0.error)
        }
      })
  }

  func tell(_ context: Context) throws {
    if context.isJSON { return try tellObjects(context) }
    if let game = input.game { try context.console.line("\(game): \(counts)") }
    for (number, group) in groups.enumerated() {
      if number > 0 {
        try context.console.lines([""])
        try context.console.paragraph(
          "No game connects those below with those above: their ratings cannot be compared.")
      }
      try context.table(table(of: group))
      for remark in remarks(on: group) { try context.console.paragraph(remark) }
    }
    if input.provisional > 0 {
      try context.console.paragraph(
        "\(Room.count(input.provisional, "game")) more: over, and not signed by all who played, so not counted."
      )
    }
    if input.mirrored > 0 {
      try context.console.paragraph(
        "\(Room.count(input.mirrored, "game")) of players against themselves: they say nothing of strength.")
    }
    try context.console.lines([""])
  }

  private var counts: String {
    let games = Room.count(input.duels.count - input.mirrored, "game")
    return "\(games) of \(Room.count(groups.reduce(0) { $0 + $1.lines.count }, "player"))"
  }

  private func table(of group: Group) -> TextTable {
    var table = TextTable([
      .number("RANK"), .text("NAME"), .number("RATING"), .number("±"), .number("GAMES").yielding(3),
      .number("SCORE"), .number("DRAWS").yielding(1), .number("LOS").yielding(2),
    ])
    for (rank, line) in group.lines.enumerated() {
      let games = Double(max(1, line.record.games))
      table.append([
        "\(rank + 1)", input.players[line.player].label, DecimalText.text(line.rating, digits: 1),
        line.error.map { DecimalText.text($0, digits: 1) } ?? "–", "\(line.record.games)",
        DecimalText.percent(line.record.points / games),
        DecimalText.percent(Double(line.record.draws) / games),
        line.superiority.map { DecimalText.percent($0) } ?? "–",
      ])
    }
    return table
  }

  private func remarks(on group: Group) -> [String] {
    var remarks: [String] = []
    if group.hasPrior {
      let extremes = group.lines.compactMap { line -> String? in
        let record = line.record
        let name = input.players[line.player].label
        if record.wins == record.games { return "\(name) has won all games." }
        if record.losses == record.games { return "\(name) has lost all games." }
        return nil
      }
      remarks.append(
        (extremes.prefix(3) + [
          "The results set no bound to how far apart these players are. So each was given one drawn game more, against"
            + " one of average rating."
        ]).joined(separator: " "))
    }
    if let advantage = group.advantage {
      let error = advantage.error.map { " ± \(DecimalText.text($0, digits: 1))" } ?? ""
      remarks.append(
        "Moving first is worth \(DecimalText.signed(advantage.points, digits: 1))\(error) points.")
    }
    return remarks
  }

  private func tellObjects(_ context: Context) throws {
    for (number, group) in groups.enumerated() {
      for (rank, line) in group.lines.enumerated() {
        let player = input.players[line.player]
        try context.object(
          "rating",
          [
            "game": .optional(input.game), "group": .integer(Int64(number + 1)),
            "rank": .integer(Int64(rank + 1)), "name": .string(player.name),
            "peer": .optional(player.peer?.description),
            "version": player.version.map { .integer(Int64($0)) } ?? .null, "rating": .real(line.rating),
            "error": line.error.map { .real($0) } ?? .null, "games": .integer(Int64(line.record.games)),
            "wins": .integer(Int64(line.record.wins)), "draws": .integer(Int64(line.record.draws)),
            "losses": .integer(Int64(line.record.losses)),
            "superiority": line.superiority.map { .real($0) } ?? .null,
            "volatility": line.volatility.map { .real($0) } ?? .null,
          ])
      }
    }
    try context.object(
      "rated",
      [
        "game": .optional(input.game), "method": .string(settings.method.rawValue),
        "players": .integer(Int64(groups.reduce(0) { $0 + $1.lines.count })),
        "games": .integer(Int64(input.duels.count - input.mirrored)),
        "provisional": .integer(Int64(input.provisional)), "mirrored": .integer(Int64(input.mirrored)),
        "bounded": .array(groups.indices.filter { groups[$0].hasPrior }.map { .integer(Int64($0 + 1)) }),
        "advantage": settings.advantage && settings.method == .elo
          ? .array(groups.map { $0.advantage.map { .real($0.points) } ?? .null }) : .null,
      ])
  }
}

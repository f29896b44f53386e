import EventLog
import Events
import Peer
import Pictures
import Platform
import Ratings
import Rules
import Terminal
import Tournaments

/// `parlor ratings`.
enum RatingsCommand: Command {
  static let definition = CommandDefinition(
    "ratings", group: Group.tournaments, summary: "Rate the players of all games that are stored.",
    text: [
      "Each game with two seats has a table of its own. The same games give the same ratings on every peer, to the last"
        + " digit, in whatever order they came.",
      "What counts: results that all seats signed, results that a tournament counts, and games between bots of one "
        + "owner. Results that are provisional do not count yet, and games of `parlor branch` never do.",
      "A bot is who it says it is: bots of the same specification and version are one player, whoever runs them. "
        + "A person is a key, shown with the name that it gave itself last.",
      "With `elo` the ratings are those that make the results the most likely; ± holds 95 %, and LOS is the likelihood "
        + "of being better than the next one. Where a player has won or lost all games, or a group of players all "
        + "against others, no ratings are the most likely ones: then each player is given one drawn game "
        + "more, against one of average rating. Groups that no game connects have tables of their own. "
        + "With `glicko2` all games are one period, and everybody begins with 1500 ± 686.",
    ],
    options: [
      .value("game", "GAME", "Only this game.", kind: GameOptions.gameNames),
      .value(
        "tournament", "ID", "Only games of this tournament: first digits of its id, or `last`.",
        kind: .stored(.tournaments)),
      .value(
        "method", "METHOD", "How ratings are computed.", standard: "elo",
        kind: .choice(Method.allCases.map(\.rawValue))),
      .value(
        "average", "N", "the mean of a group's ratings, of `elo`", standard: "\(RatingTable.standardAverage)"),
      .flag("advantage", "Estimate what moving first is worth too, of `elo`."),
      .value(
        "results", "FILE",
        "Rate the games of a file: on each line who moved first, who second, and 1-0, 0-1 or 1/2-1/2, with commas.",
        kind: .file),
      .value(
        "format", "FORMAT", "`svg` prints a picture with the errors as bars.", standard: "text",
        kind: .choice(["text", "svg"])),
    ],
    examples: [
      .init("ratings", "everybody who has played"),
      .init("ratings --tournament last --game connect-four", "the entrants of the newest tournament"),
      .init("ratings --method glicko2 --json", "for a program"),
      .init("ratings --game tic-tac-toe --format svg > ratings.svg", "a picture of one game's players"),
    ],
    exitStatuses: [.init(.dataError, "A line of the file of results is none.")],
    objects: [
      .init(
        "rating", "For each player, the best first.",
        [
          "game": "the game; null for a file", "group": "which of the groups that no game connects, from 1",
          "rank": "the rank in the group, from 1", "name": "a bot's specification, or a person's own name",
          "peer": "a person's key, or null", "version": "a bot's version, or null", "rating": "the rating",
          "error": "half the width of the interval of 95 %; null where the results vary too little",
          "games": "games that count", "wins": "games won", "draws": "games drawn",
          "losses": "games lost",
          "superiority": "the likelihood of being better than the next one, from 0 to 1, or null",
          "volatility": "of `glicko2`, or null",
        ]),
      .init(
        "rated", "At the end of each game's table.",
        [
          "game": "the game; null for a file", "method": "`elo` or `glicko2`",
          "players": "how many are rated",
          "games": "how many games count", "provisional": "how many are over and do not count yet",
          "mirrored": "how many were of a player against itself, which say nothing",
          "bounded": "the groups whose players were each given a drawn game",
          "advantage": "what moving first is worth in each group; null where that was not asked for",
        ]),
    ])

  /// How ratings are computed.
  enum Method: String, CaseIterable {
    case elo
    case glicko2
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let method = Method(rawValue: parsed.text("method") ?? "") else {
      preconditionFailure("\(parsed.name) has a method")
    }
    let average = try parsed.integer("average", in: -10_000...10_000) ?? RatingTable.standardAverage
    let settings = RatingTable.Settings(
      method: method, average: Double(average), advantage: parsed.has("advantage"))
    let isPicture = parsed.text("format") == "svg"
    if isPicture, context.isJSON {
      throw parsed.badValue("format", "--json prints objects; leave out one of the two")
    }
    let tables = try tables(parsed, context)
    if isPicture { return try show(tables, settings, context) }
    for table in tables { try RatingTable(table, settings).tell(context) }
    return .ok
  }

  private static func show(
    _ tables: [RatingTable.Input], _ settings: RatingTable.Settings, _ context: Context
  ) throws -> ExitStatus {
    guard let table = tables.first, tables.count == 1 else {
      let games = tables.compactMap(\.game).joined(separator: ", ")
      throw Failure(
        .unavailable,
        tables.isEmpty
          ? "there is nothing to draw" : "a picture is of one game, and these have ratings: \(games)",
        hint: "`--game` names one")
    }
    try context.console.data(try RatingTable(table, settings).chart.svg())
    return .ok
  }

  private static func tables(_ parsed: ParsedCommand, _ context: Context) throws -> [RatingTable.Input] {
    if let path = parsed.text("results") {
      for name in ["game", "tournament"] where parsed.text(name) != nil {
        throw parsed.badValue(name, "it is given with --results")
      }
      return [try RatingTable.Input(file: path)]
    }
    let game = try parsed.text("game").map { try context.games.game($0, parsed, option: "game").name }
    guard let log = try context.store.readerIfAny() else { return [] }
    let tournament = try parsed.text("tournament").map {
      try RoomName($0).tournament(in: log, context.games).room
    }
    let found = try log.ratedGames(of: game, in: tournament, context.games) { try context.checkStop() }
    if found.isEmpty {
      context.console.note(
        "No game of two players is over here\(game == nil && tournament == nil ? "" : ", of those asked for")."
          + " `parlor match` and `parlor play` make some.")
    }
    return found.map { RatingTable.Input($0) }
  }
}

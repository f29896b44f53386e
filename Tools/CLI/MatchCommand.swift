import BotKit
import Events
import Games
import Peer
import Platform
import Projection
import Ratings
import Rules
import Terminal

/// `parlor match`: many games between two bots.
enum MatchCommand: Command {
  static let definition = CommandDefinition(
    "match", group: Group.play, summary: "Let two bots play a match of many games.",
    text: [
      "The bots take turns at moving first. Games are stored in rooms of up to 256, each signed by both bots, "
        + "and repeat move for move from the same seed at any concurrency.",
      "With --wins a match is over when one bot has won that many games; draws count for nobody. It goes on for 256 "
        + "games at the most, or for --games, and then nobody has won it. Its games are played one after the "
        + "other, in one room.",
      "Between two bots the end tells the difference in Elo with an interval of 95 % and the likelihood that the first"
        + " is the better one. With --sprt the match ends when its games show, at the error rates alpha and beta, that"
        + " the first bot is better by elo0 or less, or by elo1 or more; else after --games, "
        + "\(SequentialTest.standardGames) when not given. Which games decide does not depend on the concurrency; "
        + "rooms that are played meanwhile stop.",
      "With openings each of them is played twice, games 1 and 2, 3 and 4 and so on, and each bot moves first in one of"
        + " the two; after the last comes the first one again. They are for games of two in turn, without chance.",
      "Ctrl-C stops it; --resume goes on, also after a crash or a kill, and comes to the same games and the same end. "
        + "With --json it prints all games, those that were played before too.",
      OwnBots.text + " To resume is to start them from the same folder.",
    ],
    arguments: [
      .init("game", "The game; `parlor games` lists them.", isOptional: true, kind: GameOptions.gameNames)
    ],
    options: [
      .value("players", "A,B", "the two bots, of a new match", kind: OwnBots.lists)
    ] + SeriesLength.options(standard: 2, side: "bot") + [
      SequentialTest.option, OpenRoundsOption.definition,
    ] + OpeningInput.options + [
      .value("seed", "N", "the seed of all random numbers", standard: "0"),
      .value("concurrency", "N", "how many rooms are played at once; one for each processor when not given"),
      GameOptions.settings,
      .value(
        "resume", "ID", "go on with the match of this room, or with `last`: the newest that is not over",
        kind: .stored(.rooms)),
    ] + BotOptions.definitions,
    examples: [
      .init("match tic-tac-toe --players solver,random --games 100", "one hundred games"),
      .init("match othello --players lookahead:2,greedy --wins 5", "first with five wins"),
      .init(
        "match connect-four --players lookahead:3,lookahead:2 --sprt elo0=0,elo1=20",
        "until it is clear whether a ply more is worth 20 points"),
      .init("match gomoku --players ./mybot.py,gomocup:./brain --move-time 500", "half a second a move"),
      .init(
        "match prisoners-dilemma --players tit-for-tat,joss --set rounds=200 --set payoffs=5,3,1,0 --json",
        "moves and scores for a script"),
      .init(
        "match connect-four --players lookahead:4,monte-carlo --games 100 --opening-plies 4",
        "fifty openings of four random moves, each from both sides"),
      .init(
        "match othello --players greedy,lookahead:3 --openings book.txt --games 40", "openings from a file"),
      .init("match --resume last", "go on with the newest match that was stopped"),
    ],
    exitStatuses: [.init(.interrupted, "It was stopped; `parlor match --resume` goes on.")],
    objects: [
      OwnBots.object,
      .init(
        "game", "For each game, in order.",
        [
          "game": "its number in the match, from 1", "room": "the room that holds it",
          "first": "who moves first",
          "moves": "the moves as texts; lists of each player's choice where they choose together",
          "opening": "how many of the moves are the opening",
          "outcome": "the winner's name, or `draw`", "scores": "the score of each player",
        ]),
      .init(
        "finished", "At the end.",
        [
          "games": "how many were played", "players": "the players' names", "wins": "games won, by player",
          "wins-first": "those of them in which the player moved first",
          "draws": "games drawn", "scores": "sums of scores, by player",
          "target": "how many won games end the match, or null", "winner": "who has won as many, or null",
          "elo": MatchStrength.summary,
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let concurrency = try parsed.integer("concurrency", in: 1...256) ?? CurrentProcess.processors
    if let name = parsed.text("resume") {
      try checkAlone(parsed)
      try context.store.require()
      let household = try await context.household()
      let match = try stored(name, parsed, household, context)
      return try await MatchRun(
        plan: match.plan, test: try SequentialTest.test(match.plan.test, parsed), household: household,
        concurrency: concurrency, context: context, stored: match
      ).play()
    }
    var plan = try plan(parsed, context)
    let test = try SequentialTest.option(parsed)
    let household = try await context.household()
    plan.name = household.newMatchName(seed: plan.seed)
    return try await MatchRun(
      plan: plan, test: test, household: household, concurrency: concurrency, context: context
    ).play()
  }

  private static func plan(_ parsed: ParsedCommand, _ context: Context) throws -> Household.MatchPlan {
    guard let game = parsed.argument("game") else {
      throw UsageError(.missingArgument("GAME"), path: definition.path)
    }
    guard parsed.text("players") != nil else {
      throw UsageError(.missingOption("--players A,B"), path: definition.path)
    }
    let rules = try context.games.game(game, parsed).rules(parsed)
    var players = try parsed.list("players").flatMap {
      context.bots.members($0, playing: rules.definition.name)
    }
    guard players.count == rules.seats else {
      throw parsed.badValue(
        "players", "\(rules.definition.name) takes \(rules.seats) players, separated by a comma")
    }
    let test = try SequentialTest.option(parsed)
    if test != nil {
      if parsed.text("wins") != nil { throw parsed.badValue("sprt", "it is given with --wins") }
      guard rules.seats == 2 else { throw parsed.badValue("sprt", "it is for games of two") }
    }
    let length = try SeriesLength(
      parsed, standard: test == nil ? 2 : SequentialTest.standardGames, limit: 10_000_000)
    players = try players.map { try context.ownBots.checked($0, for: rules) }
    let seed: UInt64 = try parsed.integer("seed", in: 0...UInt64.max) ?? 0
    let openings = try OpeningInput.openings(
      parsed, for: rules, pairs: (length.games + 1) / 2, seed: seed, context)
    var plan = Household.MatchPlan(
      rules: rules, players: players, games: length.games, wins: length.wins,
      seed: seed, test: parsed.text("sprt") ?? "", openings: openings)
    plan.hasOpenRounds = try OpenRoundsOption.value(parsed, for: rules)
    return plan
  }

  // MARK: - Going on

  /// Refuses what would change a match that goes on. What its bots may have is not stored, and may be said again.
  private static func checkAlone(_ parsed: ParsedCommand) throws {
    guard parsed.argument("game") == nil else {
      throw parsed.badArgument("game", "a match that goes on is named by its room alone")
    }
    let allowed = BotOptions.names.union(["resume", "concurrency"])
    if let other = parsed.givenOptions.first(where: { !allowed.contains($0) }) {
      throw parsed.badValue(other, "a match that goes on with --resume stays as it was begun")
    }
  }

  private static func stored(
    _ name: String, _ parsed: ParsedCommand, _ household: Household, _ context: Context
  ) throws -> Household.StoredMatch {
    guard name == "last" else { return try household.match(of: RoomName(name).id(in: household.log)) }
    let newest = try household.newestMatch { match in
      try isOpen(match, SequentialTest.test(match.plan.test, parsed), household)
    }
    guard let newest else {
      throw Failure(
        .noInput, "there is no match to go on with",
        hint: "`parlor match tic-tac-toe --players solver,random` plays one")
    }
    return newest
  }

  /// Whether something is left to be played of a match.
  private static func isOpen(
    _ match: Household.StoredMatch, _ test: SequentialTest?, _ household: Household
  ) throws -> Bool {
    var strength = MatchStrength(test)
    for number in 0..<match.plan.rooms {
      guard let room = try household.storedMatchRoom(number, of: match) else { return true }
      for game in room.games { strength.take(game, room: number) }
      guard strength.decision == .undecided else { return false }
      guard room.isOver else { return true }
    }
    return false
  }
}

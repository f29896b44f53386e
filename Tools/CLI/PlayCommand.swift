import BotKit
import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Terminal

/// `parlor play`: a person against a bot.
enum PlayCommand: Command {
  /// Against whom.
  static let opponents: [OptionDefinition] = [
    .value(
      "against", "BOT[,BOT…]",
      "the bot to play against; `parlor bots --game GAME` lists them; with more than two seats one for all others, "
        + "or one for each", kind: OwnBots.lists),
    .value(
      "level", "N",
      "how strong the bots are to play, from 1 for a beginner to 10: short for `--against level:N`",
      kind: .proposal((1...10).map { "\($0)" })),
  ]

  static let definition = CommandDefinition(
    "play", group: Group.play, summary: "Play a game against bots.",
    text: [
      "Draws the board and asks for your moves; type `help` there for what can be typed. Moves may also come "
        + "from a pipe, one a line. Every move is signed and stored before it is shown: a game that was "
        + "quit, interrupted or killed goes on with --resume.",
      "With --seat random a joint draw of both sides decides who starts, and anybody can check it in the "
        + "log.",
      "With --games you play a series, in which the seats take turns at moving first, and with --wins until "
        + "somebody has won that many games; draws count for nobody. A series is one room, and --resume goes on "
        + "with it.",
      OwnBots.text,
    ],
    arguments: [
      .init("game", "The game; `parlor games` lists them.", isOptional: true, kind: GameOptions.gameNames)
    ],
    options: opponents + [
      .value(
        "seat", "SEAT", "whether you are the first or the second seat", standard: "random",
        kind: .choice(Household.PlayPlan.Order.allCases.map(\.rawValue)))
    ] + SeriesLength.options(standard: 1, side: "player") + [
      .value("seed", "N", "the seed of the bot's random numbers; drawn when not given"),
      GameOptions.settings,
      .value(
        "resume", "ID", "go on with this game, or with `last`: the newest that waits",
        kind: .stored(.unfinished)),
      Context.plain, Context.verbose,
    ] + ProfileWish.options + BotOptions.definitions,
    examples: [
      .init("play tic-tac-toe", "against the solver, who starts is drawn"),
      .init("play ultimate-tic-tac-toe --level 3", "against a bot that overlooks a lot"),
      .init("play connect-four --against lookahead:4 --seat first --emoji Ocean", "you start"),
      .init("play prisoners-dilemma --against tit-for-tat --set rounds=5", "five rounds of secret choices"),
      .init("play memory-match --set players=3 --against memory:6,random", "two bots at once"),
      .init("play othello --wins 3 --games 9", "first with three wins, in nine games at the most"),
      .init("play --resume last", "go on with your newest game that waits"),
      .init("play tic-tac-toe --against greedy --seat first < moves.txt", "moves from a file"),
    ],
    exitStatuses: [.init(.ok, "The game is over, or waits to be resumed.")],
    objects: PlayView.objects + [OwnBots.object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    var plan = parsed.text("resume") == nil ? try plan(parsed, context) : nil
    if plan == nil {
      if let other = parsed.givenOptions.first(where: { $0 != "resume" && !BotOptions.names.contains($0) }) {
        throw parsed.badValue(other, "a game that goes on with --resume stays as it was begun")
      }
      try context.store.require()
    }
    let wish = try ProfileWish(parsed, context.console)
    let household = try await context.household()
    plan?.profile = wish.profile(of: household.owner.peer)
    let session: Session
    if let resumed = parsed.text("resume") {
      guard parsed.argument("game") == nil else {
        throw parsed.badArgument("game", "a game that goes on is named by its id alone")
      }
      let room =
        resumed == "last"
        ? try household.waitingGame() : try RoomName(resumed).id(in: household.log)
      session = try await household.resumePlay(room)
    } else if let plan {
      session = try await household.startPlay(plan)
    } else {
      preconditionFailure("a game is either new or goes on")
    }
    return try await play(session, plan, household, context)
  }

  /// Plays a game, and further ones as long as they are wanted.
  /// - Parameter plan: what a new game is made from; `nil` for one that goes on.
  static func play(
    _ session: Session, _ plan: Household.PlayPlan?, _ household: Household, _ context: Context
  ) async throws -> ExitStatus {
    var (session, plan) = (session, plan)
    let input = TableInput(context.interrupts)
    while true {
      var table = PlayTable(context, SessionGame(session, household), input)
      let end = try await table.play()
      guard end == .over, plan != nil, try await table.wantsAnother() else {
        return end == .interrupted || context.interrupts.isStopRequested ? .interrupted : .ok
      }
      plan?.rematchOf = session.room
      // The same seed would have the bot draw the same numbers again.
      plan?.seed &+= 1
      if let plan { session = try await household.startPlay(plan) }
    }
  }

  private static func plan(_ parsed: ParsedCommand, _ context: Context) throws -> Household.PlayPlan {
    guard let gameName = parsed.argument("game") else {
      throw parsed.badArgument(
        "game",
        "say which one; the games are \(context.games.definitions.map(\.name).joined(separator: ", "))")
    }
    let rules = try context.games.game(gameName, parsed).rules(parsed)
    let bots = try opponents(for: rules, parsed, context)
    let length = try SeriesLength(parsed, standard: 1, limit: Int(Create.limitGames))
    return Household.PlayPlan(
      rules: rules, bots: bots, games: length.games, wins: length.wins,
      order: Household.PlayPlan.Order(rawValue: parsed.text("seat") ?? "random") ?? .random,
      seed: try parsed.integer("seed", in: 0...UInt64.max) ?? RandomSource.drawnSeed())
  }

  /// The bots that are asked for, one for each of the other seats.
  static func opponents(
    for rules: any GameRules, _ parsed: ParsedCommand, _ context: Context
  ) throws -> [String] {
    let families = context.bots.families(playing: rules.definition.name)
    let strongest = ["solver", "tit-for-tat", "memory"]
    guard let standard = families.first(where: { strongest.contains($0.name) }) ?? families.first
    else { throw parsed.badArgument("game", "no bot plays it") }
    var bots = try parsed.list("against")
    if let level = try level(parsed, families) { bots = [level] }
    if bots.isEmpty { bots = [standard.name] }
    bots = try bots.map { try context.ownBots.checked($0, for: rules) }
    let others = rules.seats - 1
    if bots.count == 1 { bots = [String](repeating: bots[0], count: others) }
    guard bots.count == others else {
      throw parsed.badValue(
        "against", "it takes one bot for all other seats, or \(Room.count(others, "bot"))")
    }
    return bots
  }

  /// The bot of the level that is asked for.
  private static func level(_ parsed: ParsedCommand, _ families: [BotFamily]) throws -> String? {
    guard let number = try parsed.integer("level", in: 1...10) else { return nil }
    guard parsed.text("against") == nil else {
      throw parsed.badValue("level", "--against names the bots; give one of the two")
    }
    guard families.contains(where: { $0.name == "level" }) else {
      throw parsed.badValue(
        "level",
        "this game has no levels; --against takes one of its bots: \(BotError.list(families.map(\.name)))"
      )
    }
    return "level:\(number)"
  }
}

extension Household {
  /// The newest game of this identity against a bot that is not over.
  fileprivate func waitingGame() throws -> RoomID {
    let me = owner.peer
    for listing in try log.rooms(limit: nil) where listing.create.author == me {
      guard case .create(let create) = listing.create.action, create.creatorSeat != Create.noSeat,
        case .games(let tournament, _, _) = create.purpose, !tournament.isSome
      else { continue }
      let state = try log.outline(of: listing.room, games).state
      let isOn = state.phase == .playing || state.phase == .waiting
      if isOn, isAgainstOwnBot(state) { return listing.room }
    }
    throw Failure(
      .noInput, "no game of yours waits to be resumed", hint: "`parlor play GAME` begins one")
  }
}

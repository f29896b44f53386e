import BotKit
import Events
import Platform
import Rules
import Service
import Terminal

/// `parlor bot`: a bot as a peer of its own.
enum BotCommand: Command {
  static let definition = CommandDefinition(
    "bot", group: Group.network, summary: "Let a bot wait for players, as a peer of its own.",
    text: [
      "The bot has a key and a log of its own, in the folder `bots` inside the data folder. It keeps one game open for"
        + " whoever joins, comes when it is invited, and plays any number of games at once. Stopped or killed, it goes"
        + " on with all of them when it is started again.",
      "With --tournament it enters that one, plays its pairings there and nothing else, and ends with it.",
      OwnBots.text + " `parlor bot check` says what it does wrong.",
    ],
    arguments: [.init("bot", "The bot; `parlor bots --game GAME` lists them.", kind: OwnBots.names)],
    options: [
      .value("game", "GAME", "The game that it plays.", isRequired: true, kind: GameOptions.gameNames),
      .value("name", "N", "how it is shown; the bot's name when not given"),
      .value("seed", "N", "the seed of the first game's random numbers; drawn when not given"),
      .value(
        "scope", "SCOPE", "Who may hold its games: local (peers nearby) or public (everybody).",
        standard: "local", kind: .choice(["local", "public"])),
      .value("tournament", "CODE", "Enter the tournament of this code, or of these first digits of its id."),
      GameOptions.settings,
    ] + NetworkOptions.definitions + BotOptions.definitions,
    examples: [
      .init("bot solver --game connect-four", "waits for players nearby until Ctrl-C"),
      .init("bot lookahead:4 --game othello --tournament KTQWXZ", "plays a tournament from here"),
    ],
    objects: [
      NetworkOptions.listeningObject, OwnBots.object,
      .init(
        "opened", "When it opens a game.", ["room": "the room's id", "code": "the code for `parlor join`"]),
      .init(
        "entered", "When it has asked for a seat in a tournament.",
        ["room": "the tournament's room", "code": "its code"]),
      .init("joined", "When it comes to a game.", ["room": "the room's id", "code": "the game's code"]),
      .init("ended", "When a game is over.", ["room": "the room's id", "code": "the game's code"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let rules = try context.games.game(parsed.text("game") ?? "", parsed, option: "game").rules(parsed)
    let specification = try context.ownBots.checked(parsed.argument("bot") ?? "", for: rules)
    let bot = try context.ownBots.catalog.bot(specification, for: rules)
    let shownName = try ProfileWish.typedName(parsed, context.console) ?? specification
    let seed = try parsed.integer("seed", in: 0...UInt64.max) ?? RandomSource.drawnSeed()
    let tournament = parsed.text("tournament")
    if let tournament, !RoomName(tournament).isCodeOrDigits {
      throw parsed.badValue(
        "tournament", "it is no code of a room, and not the first hexadecimal digits of an id")
    }
    let program = specification.hasPrefix("./") ? String(specification.dropFirst(2)) : specification
    let name = "\(program)-\(rules.definition.name)"
    var own = context
    own.store = context.store.inside("bots", named: name)
    let service = try await own.peerService(parsed, policy: .bot)
    return try await service.untilDone {
      let keeper = BotKeeper(
        service, bot: bot, rules: rules, name: shownName,
        scope: parsed.text("scope") == "public" ? .open : .local, seed: seed,
        limitThinking: max(1, CurrentProcess.processors - 1), tournament: tournament
      ) { report in tell(report, context) }
      while true {
        let playing = Task { () throws in try await keeper.run() }
        let stopping = Task {
          try await context.interrupts.requested()
          await service.close()
        }
        defer { stopping.cancel() }
        try await playing.value
        guard !context.interrupts.isStopRequested else { return .interrupted }
        // Without a tournament it plays until it is stopped.
        guard let tournament, let room = try await service.room(named: tournament),
          let found = try service.tournament(room)
        else { return .ok }
        stopping.cancel()
        if let status = try await FollowedTournament.leave(found, service, context) { return status }
      }
    }
  }

  /// Tells what a bot does; whoever does not read it any more does not stop it.
  private static func tell(_ report: BotKeeper.Report, _ context: Context) {
    do throws(ConsoleError) {
      switch report {
      case .opened(let room): try tell("opened", "opens game", room, context)
      case .entered(let room): try tell("entered", "asks for a seat in tournament", room, context)
      case .joined(let room): try tell("joined", "comes to game", room, context)
      case .ended(let room): try tell("ended", "has ended game", room, context)
      case .failed(let room, let words):
        context.console.report(error: "the game \(room.short) cannot go on: \(words)", hint: nil)
      }
    } catch { return }
  }

  private static func tell(
    _ type: String, _ words: String, _ room: RoomID, _ context: Context
  ) throws(ConsoleError) {
    let code = GameCode.of(room)
    if context.isJSON {
      return try context.object(type, ["room": .string(room.description), "code": .string(code)])
    }
    try context.console.line("\(words) \(code)")
  }
}

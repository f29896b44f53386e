import BotKit
import Events
import Games
import NATS
import Peer
import Platform
import Projection
import Queue
import Rules
import Terminal
import Tournaments

/// `parlor tournament run`.
enum TournamentRunCommand: Command {
  static let definition = CommandDefinition(
    "tournament run", group: Group.tournaments, summary: "Create a tournament of bots and play it.",
    text: [
      "Entrants are bots as `parlor bots` lists them, best seed first unless --seeding says otherwise; a bot may enter"
        + " more than once. Each is a peer with a key and feeds of its own. Ctrl-C stops after the current moves;"
        + " `parlor tournament resume` goes on, also after a crash or a kill, and ends with the same standings."
        + " At a terminal Enter shows the standings so far.",
      "Formats: "
        + TournamentFormat.allCases.map { "\($0.name) (\($0.summary))" }.joined(separator: "; ") + ".",
      OwnBots.text + " To resume is to start them from the same folder.",
      "--entrants-file FILE has the bots as a JSON list of objects: `bot`, and what is wanted of `label`, `rating`"
        + " (for --seeding rating), `seed` (its place in the seeding, from 1), and for a command alone `moveTime` in"
        + " milliseconds, `memory`, `processes`, `folder` and `env`, which win over the options for all. Settings do"
        + " not stand in the log: who goes on gives the file again. Such as",
      "[" + #"{"bot": "solver", "label": "Deep", "seed": 1}, "#
        + #"{"bot": "./mybot.py --fast", "rating": 1650, "moveTime": 500}"# + "]",
      "With --queue games are given out through NATS to every `parlor worker` there, and what comes back is checked"
        + " before it counts: games of bots that can be computed are played again here, and moves of others are taken"
        + " on the worker's word, which is said (Docs/SCALING.md).",
      "Level knock-out pairings go to decider games with seats swapped, then to the better seed.",
      "With openings each pairing goes on in their list where the one before it ends, and each is played twice in it,"
        + " from both sides, where --games is even. They are for games of two that move in turn, without chance.",
      "A swiss ranks by points (one for a pairing won or a bye, half for a level one), then Buchholz without the least"
        + " opponent, Buchholz, Sonneborn-Berger, direct encounter and pairings won; what is equal then is shared."
        + " It ends early when nobody is left to be paired anew.",
    ],
    options: [
      game,
      .value(
        "entrants", "A,B,…",
        "The bots, best seed first: 2 to 4,096, in a round robin to 256; `parlor bots` has lists"
          + " of them too.",
        kind: OwnBots.lists),
      EntrantsInput.option,
    ] + pairingOptions + [
      OpenRoundsOption.definition, Seeding.option,
      .value("seed", "N", "The seed of all random numbers.", standard: "0"),
      .value("title", "TEXT", "A name for the tournament."),
      concurrency,
      GameOptions.settings,
    ] + QueueOptions.definitions + BotOptions.definitions,
    examples: [
      .init(
        "tournament run --game connect-four --entrants solver,lookahead:4,greedy,random --seed 7",
        "A bracket of four."),
      .init(
        "tournament run --game prisoners-dilemma --format round-robin --entrants "
          + "tit-for-tat,grudger,joss,defector,random --set rounds=200 --set payoffs=5,3,1,0",
        "Everybody against everybody."),
      .init(
        "tournament run --game othello --format swiss --rounds 3 --entrants greedy,random,greedy,random,lookahead:2",
        "Three rounds among equals."),
      .init(
        "tournament run --game connect-four --format round-robin --entrants greedy,random,random --opening-plies 2",
        "Each pairing from two random moves, with both sides."),
      .init(
        "tournament run --game othello --entrants-file bots.json --seeding rating",
        "Bots with labels, ratings and settings of their own."),
    ], exitStatuses: [.init(.interrupted, "It was stopped; `parlor tournament resume` goes on.")],
    objects: [TournamentObjects.decided, TournamentObjects.finished, OwnBots.object])

  static let game = OptionDefinition.value(
    "game", "GAME", "The game; `parlor games` lists them.", isRequired: true, kind: GameOptions.gameNames)

  /// How entrants are paired, and what a pairing is.
  static let pairingOptions: [OptionDefinition] =
    [
      .value(
        "format", "FORMAT", "How entrants are paired.", standard: "single-elimination",
        kind: .choice(TournamentFormat.names)),
      .value(
        "games", "N", "Games of each pairing: 2 in a round robin or gauntlet and 1 elsewhere when not given."),
    ] + TournamentFormat.options.map(\.definition) + OpeningInput.options

  static let concurrency = OptionDefinition.value(
    "concurrency", "N", "How many pairings are played at once; one for each processor when not given.")

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let settings = try NATSOptions.queue.settings(parsed)
    let file = try EntrantsInput(parsed, context)
    let plan = try plan(parsed, file, context)
    let concurrency = try parsed.integer("concurrency", in: 1...256) ?? CurrentProcess.processors
    let household = try await context.household()
    let organizer = Organizer(household)
    let room = try await organizer.create(plan)
    let option = file?.optionToResume ?? ""
    if !context.isJSON {
      context.console.note(
        "Tournament \(room.short) begins; it is stored in \(try context.store.folder().shown).")
    }
    if !option.isEmpty {
      context.console.note(
        "Its bots' settings stand in the file alone. If it stops, `parlor tournament resume \(room.short)\(option)`"
          + " goes on.")
    }
    let tournament = try await organizer.open(room)
    return try await play(
      tournament, organizer, concurrency: concurrency, queue: settings, option: option, context)
  }

  /// The longest title that a tournament's room takes, in bytes.
  private static let limitTitleBytes = 64

  private static func plan(
    _ parsed: ParsedCommand, _ file: EntrantsInput?, _ context: Context
  ) throws -> Organizer.Plan {
    let rules = try rules(parsed, context)
    let seed = try parsed.integer("seed", in: 0...UInt64.max) ?? 0
    let format = try TournamentFormat(name: parsed.text("format") ?? "")
    let entrants = try candidates(parsed, file, format, rules, context)
    let seeding = Seeding(rawValue: parsed.text("seeding") ?? "") ?? .order
    if seeding != .rating, entrants.contains(where: { $0.rating != nil }) {
      context.console.note("The entrants' ratings are for --seeding rating alone.")
    }
    let title = title(parsed, context)
    let settings = try TournamentSettings(
      format: format, entrants: entrants.count,
      games: try parsed.integer("games", in: TournamentSettings.gameLimits),
      options: try chosen(parsed),
      ranking: rules.definition.ranksByScore ? .score : .points)
    let seeded = try seeding.seeded(entrants, rules, seed: seed, context)
    let labels = Organizer.labels(of: seeded.map(\.specification))
    let pairs = entrants.count * (entrants.count - 1) / 2 * ((settings.games + 1) / 2)
    let openings = try OpeningInput.openings(parsed, for: rules, pairs: pairs, seed: seed, context)
    var plan = Organizer.Plan(
      rules: rules, settings: settings,
      entrants: zip(seeded, labels).map { .init(label: $0.label ?? $1, specification: $0.specification) },
      seed: seed, title: title)
    plan.openings = openings
    plan.hasOpenRounds = try OpenRoundsOption.value(parsed, for: rules)
    return plan
  }

  /// The entrants of the file, or those of the command line.
  private static func candidates(
    _ parsed: ParsedCommand, _ file: EntrantsInput?, _ format: TournamentFormat, _ rules: any GameRules,
    _ context: Context
  ) throws -> [Candidate] {
    let typed = try parsed.list("entrants")
    guard let file else {
      guard !typed.isEmpty else {
        throw UsageError(.missingOption("--entrants A,B,… or --entrants-file FILE"), path: definition.path)
      }
      let bots = typed.flatMap { context.bots.members($0, playing: rules.definition.name) }
      return try bots.map { Candidate(specification: try context.ownBots.checked($0, for: rules)) }
    }
    guard typed.isEmpty else {
      throw parsed.badValue(EntrantsInput.option.name, "--entrants has them already; give one of both")
    }
    try file.check(format)
    return try file.candidates(for: rules, context)
  }

  /// The rules of the game, which is of two.
  static func rules(_ parsed: ParsedCommand, _ context: Context) throws -> any GameRules {
    let rules = try context.games.game(parsed.text("game") ?? "", parsed, option: "game").rules(parsed)
    guard rules.seats == 2 else {
      throw parsed.badValue(
        "game",
        "pairings are of two players, and \(rules.definition.name) has \(rules.seats) seats with these settings"
      )
    }
    return rules
  }

  /// The title that was given, of which a room may take less.
  static func title(_ parsed: ParsedCommand, _ context: Context) -> String {
    let title = parsed.text("title") ?? ""
    if title.utf8.count > limitTitleBytes {
      context.console.note("The title is cut to \(limitTitleBytes) bytes.")
    }
    return title
  }

  /// What was chosen of the formats' options.
  static func chosen(_ parsed: ParsedCommand) throws -> [String: Int] {
    var chosen: [String: Int] = [:]
    for option in TournamentFormat.options {
      let isFlag = option.placeholder == nil
      let value = isFlag ? (parsed.has(option.name) ? 1 : nil) : try parsed.integer(option.name, in: 0...255)
      if let value { chosen[option.name] = value }
    }
    return chosen
  }

  /// Plays what is left of a tournament and tells the end.
  /// - Parameter option: what the command that goes on is to be given.
  static func play(
    _ known: TournamentRoom, _ organizer: Organizer, concurrency: Int, queue: NATSSettings?, option: String,
    _ context: Context
  ) async throws -> ExitStatus {
    let times = ThinkingTimes(known.entrants.count)
    let progress = TournamentProgress(try await organizer.fold(of: known.room), times, context)
    let fault = OutputFault()
    if Asking.isWanted(context) { context.console.note("Enter shows the standings so far.") }
    let asking = try Asking(context) {
      fault.attempt { () throws(ConsoleError) in try progress.tellStandings() }
    }
    let isCancelled: @Sendable () -> Bool = { [interrupts = context.interrupts] in
      interrupts.isStopRequested || fault.isThere
    }
    let end: Result<TournamentRoom, any Error>
    do {
      let report: @Sendable (Organizer.Report) -> Void = { report in
        progress.take(report)
        if context.isJSON, case .decided(let attempt, .result(let result, event: _)) = report {
          fault.attempt { () throws(ConsoleError) in
            try TournamentObjects.tell(attempt, result.games, in: result.room, known, context)
          }
        }
      }
      let run = { (elsewhere: Elsewhere?) async throws(PeerError) in
        try await organizer.run(
          known.room, concurrency: concurrency, elsewhere: elsewhere, timed: times.timed,
          isCancelled: isCancelled, report: report)
      }
      if let queue {
        let queue = try await QueueRun(queue, known.room, context)
        end = .success(try await queue.use(isCancelled: isCancelled, run))
      } else {
        end = .success(try await run(nil))
      }
    } catch { end = .failure(error) }
    await asking.stop()
    progress.finish()
    try fault.check()
    return try tell(end.get(), option, context)
  }

  private static func tell(_ end: TournamentRoom, _ option: String, _ context: Context) throws -> ExitStatus {
    let view = TournamentView(tournament: end, context: context)
    guard end.state.isComplete else {
      context.console.note(
        "Stopped after \(end.state.decidedCount) of \(end.state.pairingCount) pairings: "
          + "`parlor tournament resume \(end.room.short)\(option)` goes on.")
      return .interrupted
    }
    if context.isJSON {
      try context.object("finished", try view.summary())
      return .ok
    }
    try context.console.lines([view.heading, ""] + view.bracket() + [""] + view.standings() + [""])
    try context.console.paragraph(view.champion)
    if let remark = end.state.remark { try context.console.paragraph(remark) }
    try context.console.line("Standings digest \(try end.standingsDigest())")
    try context.console.paragraph(
      "Log: \(try context.store.folder().shown); `parlor tournament show \(end.room.short)` lists its games,"
        + " `parlor replay ID` shows one.")
    return .ok
  }
}

extension FormatOption {
  /// The option as the command line has it.
  var definition: OptionDefinition {
    if let placeholder { .value(name, placeholder, summary) } else { .flag(name, summary) }
  }
}

/// What tournament commands print with `--json`.
enum TournamentObjects {
  static let decided = ObjectDefinition(
    "decided", "When the result of a pairing's room stands in the log.",
    [
      "pairing": "the pairing, `M1` and on", "attempt": "1, or more for a decider",
      "room": "the room of its games; null for a walkover without one",
      "players": "the two entrants, by seat", "scores": "the seats' scores of each game",
    ])
  static let finished = standing("finished", "At the end.")
  static let standings = standing("standings", "Once.")

  /// The members of `TournamentView.summary` under a name.
  private static func standing(_ type: String, _ summary: String) -> ObjectDefinition {
    ObjectDefinition(
      type, summary,
      [
        "id": "the tournament's room", "complete": "whether all pairings are decided",
        "champion": "the winner; null until complete, and where the first rank is shared",
        "standings":
          "objects with `rank`, `entrant`, `seed`, `halfPoints`, `wins`, `draws`, `losses`, `score`, `out` (withdrawn,"
          + " disqualified or null), the `reason` of a disqualification, and what a swiss"
          + " ranks by: `pairingHalfPoints`, `buchholzCut1HalfPoints`, `buchholzHalfPoints`,"
          + " `sonnebornBergerQuarterPoints`, `directHalfPoints`, `pairingsWon`",
        "findings": "the organizer's results that do not simply hold, as `log verify` tells them",
        "standingsDigest": "a hash of entrants, rules and results, equal for equal runs",
      ])
  }

  /// Prints one decided room.
  static func tell(
    _ attempt: PairingAttempt, _ games: [[Int32]], in room: RoomID, _ tournament: TournamentRoom,
    _ context: Context
  ) throws(ConsoleError) {
    let players = attempt.entrants.map { tournament.entrants[$0.index].profile.name }
    let members: [JSONMember] = [
      JSONMember("pairing", .string("\(attempt.pairing.number)")),
      JSONMember("attempt", .integer(Int64(attempt.attempt) + 1)),
      JSONMember("room", .optional(room.isSome ? room.description : nil)),
      JSONMember("players", .array(players.map(JSONValue.string))),
      JSONMember("scores", .array(games.map { .array($0.map { .integer(Int64($0)) }) })),
    ]
    try context.object("decided", members)
  }
}

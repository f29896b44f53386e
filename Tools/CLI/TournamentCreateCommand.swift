import Events
import Games
import Peer
import Projection
import Rules
import Service
import Terminal
import Tournaments

/// `parlor tournament create`.
enum TournamentCreateCommand: Command {
  static let definition = CommandDefinition(
    "tournament create", group: Group.tournaments,
    summary: "Create a tournament that people and bots enter from elsewhere.",
    text: [
      "Makes the tournament and prints its code; `parlor tournament open` then lets entrants come, and"
        + " `parlor tournament start` starts it with those that are there. People enter with"
        + " `parlor tournament join CODE`, bots with `parlor bot BOT --game GAME --tournament CODE`, from any machine.",
      "Games are played between the entrants' own peers, and a result that both have signed counts by itself. This peer"
        + " is the organizer: it rules on time limits, writes down what the games give, and decides what the players do"
        + " not: `parlor tournament rule`.",
      "Seeds are the order of entry, or with --seeding draw those of a draw to which all entrants and the organizer"
        + " contribute, so that nobody can choose them. Who is not there when it is drawn stays out.",
      "With --play the organizer has a seat, the first one; then nobody rules on its own games, which count when both"
        + " sides have signed them.",
      "Formats: "
        + TournamentFormat.allCases.map { "\($0.name) (\($0.summary))" }.joined(separator: "; ") + ".",
    ],
    options: [
      TournamentRunCommand.game,
      .value("places", "N", "The most entrants: 2 to 4,096.", standard: "16"),
    ] + TournamentRunCommand.pairingOptions + [
      .value("seed", "N", "The seed of openings that are drawn.", standard: "0"),
      .value(
        "seeding", "HOW", "Which entrants are seeded best: in the `order` of entry, or by a joint `draw`.",
        standard: Seeding.order.rawValue, kind: .choice([Seeding.order, .draw].map(\.rawValue))),
      .value("title", "TEXT", "A name for the tournament."),
      .value(
        "scope", "SCOPE", "Who may hold it and its games: local (peers nearby) or public (everybody).",
        standard: "local", kind: .choice(["local", "public"])),
      .value(
        "bots", "POLICY", "Whether bots may enter: allowed, excluded, or required of all.",
        standard: "allowed", kind: .choice(["allowed", "excluded", "required"])),
      .flag(
        "recomputable",
        "Admit bots only that declare a budget of nodes, so that their moves can be audited; of bots that are commands"
          + " those that declare themselves recomputable."),
      .value("node-limit", "N", "Admit bots only that declare a budget of at most so many nodes."),
      .value("move-limit", "SECONDS", "The time for each move."),
      .value(
        "clock", "MINUTES+SECONDS", "The time for all of a player's moves in a game, and what each move adds."
      ),
      .flag(
        "play",
        "Enter it oneself; not in a swiss or ladder or with groups, where pairings rest on the organizer's word."
      ),
      GameOptions.settings,
    ] + ProfileWish.options,
    examples: [
      .init(
        "tournament create --game connect-four --places 8 --clock 5+3 --title Friday",
        "A bracket for up to eight, on the clock."),
      .init(
        "tournament create --game tic-tac-toe --format round-robin --play --name Ada",
        "Everybody against everybody, the organizer too."),
    ],
    objects: [
      .init(
        "created", "When it is stored.",
        ["id": "the tournament's room", "code": "the code with which others enter"])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    var plan = try plan(parsed, context)
    let wish = try ProfileWish(parsed, context.console)
    let household = try await context.household()
    plan.admission?.profile = wish.profile(of: household.owner.peer)
    let room = try await Organizer(household).create(plan)
    let code = GameCode.of(room)
    if context.isJSON {
      try context.object("created", ["id": .string(room.description), "code": .string(code)])
    } else {
      try context.console.line("Tournament \(code)")
      context.console.note(
        "`parlor tournament open \(code)` lets entrants come; they join it by its code, \(code).")
    }
    return .ok
  }

  private static func plan(_ parsed: ParsedCommand, _ context: Context) throws -> Organizer.Plan {
    let rules = try TournamentRunCommand.rules(parsed, context)
    let seed = try parsed.integer("seed", in: 0...UInt64.max) ?? 0
    let format = try TournamentFormat(name: parsed.text("format") ?? "")
    let places = try parsed.integer("places", in: 2...Int(Create.limitEntrants)) ?? 16
    let settings = try TournamentSettings(
      format: format, entrants: places,
      games: try parsed.integer("games", in: TournamentSettings.gameLimits),
      options: try TournamentRunCommand.chosen(parsed),
      ranking: rules.definition.ranksByScore ? .score : .points)
    var plan = Organizer.Plan(
      rules: rules, settings: settings, entrants: [Organizer.PlannedEntrant](), seed: seed,
      title: TournamentRunCommand.title(parsed, context))
    let pairs = places * (places - 1) / 2 * ((settings.games + 1) / 2)
    plan.openings = try OpeningInput.openings(parsed, for: rules, pairs: pairs, seed: seed, context)
    var admission = Organizer.Admission(Profile(name: ""))
    admission.scope = Scope(parsed)
    admission.bots = try policy(parsed)
    admission.plays = parsed.has("play")
    admission.drawsSeeds = parsed.text("seeding") == Seeding.draw.rawValue
    guard !admission.plays || !format.followsWords else {
      throw parsed.badValue(
        "play", "pairings of a \(format.name) tournament rest on the organizer's word on others")
    }
    let terms = try Terms(parsed, referee: .none)
    admission.moveLimitMilliseconds = terms.moveLimitMilliseconds
    admission.clockMilliseconds = terms.clockMilliseconds
    admission.incrementMilliseconds = terms.incrementMilliseconds
    plan.admission = admission
    return plan
  }

  private static func policy(_ parsed: ParsedCommand) throws -> Create.BotPolicy {
    let admission: Create.BotPolicy.Admission =
      switch parsed.text("bots") {
      case "excluded"?: .excluded
      case "required"?: .required
      default: .allowed
      }
    return Create.BotPolicy(
      admission: admission, isRecomputableOnly: parsed.has("recomputable"),
      nodeLimit: try parsed.integer("node-limit", in: 1...UInt64.max) ?? 0)
  }
}

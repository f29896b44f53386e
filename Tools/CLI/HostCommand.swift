import Events
import Games
import Peer
import Rules
import Service
import Terminal

/// `parlor host`: a game that others may join.
enum HostCommand: Command {
  static let definition = CommandDefinition(
    "host", group: Group.network,
    summary: "Open a game that somebody may join, and play it; or host a quiz, a tap race or a drawing game.",
    text: [
      "Others nearby see the game in `parlor lobby` while this runs, and join it by its code or id. A side that loses"
        + " the connection, stops or is killed goes on with `parlor join ID`; the game waits.",
      "Without a referee nothing follows from silence: the game waits, `parlor log list` says for whom and since when,"
        + " and it goes on when the other side's step comes. With one, `claim` asks it to rule when a time limit is"
        + " over.",
      "With --games the room has a series, in which the seats take turns at moving first, and with --wins until "
        + "somebody has won that many games; draws count for nobody.",
      "A game of more than two begins when its seats are full, or with fewer when the host types `start`.",
      "Type `help` at the table for what can be typed. Moves may also come from a pipe, one a line: each is played"
        + " when it is this side's turn.",
      "`host quiz` asks the questions of a file; the host does not play. Players join by the room's code with the join"
        + " code behind it. Answers stay sealed until a question is closed, and the host is bound to the right one"
        + " before. However this process ends, --resume goes on.",
      "`host tap-race` opens races in which players tap the space bar; the host does not play. Players join it as they"
        + " join a quiz. Taps are counted by the host's clock alone, and of nobody more than 20 a second.",
      "`host drawing` has the players draw words in turn, and the others guess; the host does not play. It is bound to"
        + " each word before, tells it to the one who draws alone, and says of each guess whether it is right. At the"
        + " end everything is opened, and everybody can check that.",
    ],
    arguments: [.init("game", "The game; `parlor games` lists them.", kind: GameOptions.tableNames)],
    options: options,
    examples: [
      .init("host tic-tac-toe", "who starts is drawn by both sides"),
      .init(
        "host tic-tac-toe --clock 5+3 --referee 3fa2…",
        "five minutes and three seconds a move, and a peer that rules on them, named by its whole key"),
      .init("host connect-four --wins 3", "first with three wins"),
      .init("host quiz --questions party.json", "a quiz; Enter asks the next question"),
      .init(
        "host tap-race --seconds 10 --races 5", "five races for most taps in ten seconds; Enter starts one"),
      .init(
        "host drawing --words words.txt --drawings 8", "eight words of a file; Enter starts each drawing"),
      .init(
        "host tic-tac-toe --scope public --relay nats://relay.example.org",
        "a game that peers behind the relay may join too"),
      .init("host connect-four --seat first --listen 0.0.0.0:4141", "you start; others connect to port 4141"),
    ],
    exitStatuses: [.init(.ok, "The game is over, or waits to be resumed.")],
    objects: [NetworkOptions.listeningObject, EarlierGames.object] + PlayView.remoteObjects
      + RoundsView.liveObjects)

  private static let options: [OptionDefinition] = {
    let options: [OptionDefinition] =
      [
        .value(
          "seat", "SEAT", "whether you are the first or the second seat", standard: "random",
          kind: .choice(Household.PlayPlan.Order.allCases.map(\.rawValue)))
      ] + SeriesLength.options(standard: 1, side: "player") + [
        .flag("code", "Print the game's code first, in a line of its own."),
        .value(
          "scope", "SCOPE",
          "Who may hold the game: local (peers nearby), invited (the peers of --invite), or public (everybody). With"
            + " --invite the standard is invited, else local.", kind: .choice(["local", "invited", "public"])),
        .value("invite", "PEER", "Invite the peer with this key.", repeats: true),
        GameOptions.settings, Context.noBell, Context.plain, Context.verbose,
        EarlierGames.option(mayGoOn: true),
      ] + RoundsHost.options.map { $0.for("a quiz, a tap race or a drawing game") } + Terms.limitOptions
      + ProfileWish.options
      + NetworkOptions.definitions
    return options.map { optionsOfGames.contains($0.name) ? $0.for("games") : $0 }
  }()

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = parsed.argument("game") ?? ""
    if let definition = context.games.newestHosted(name) {
      try refuse(optionsOfGames, parsed, "it is for games, and \(name) has hosted rounds")
      for (game, plan) in HostedPlans.all where game != name {
        try refuse(
          plan.options.map(\.name), parsed, "it is for a \(RoundWords(context.games.newestHosted(game)).game)"
        )
      }
      return try await RoundsHost.run(definition, parsed, context)
    }
    try refuse(RoundsHost.options.map(\.name), parsed, "it is for a quiz, a tap race or a drawing game")
    var new = try room(parsed, context)
    let wish = try ProfileWish(parsed, context.console)
    return try await Sitting.open(parsed, context) { sitting in
      let rematches = Rematches(sitting: sitting)
      switch try await EarlierGames(sitting: sitting).settle(mayGoOn: true) {
      case .asAsked: break
      case .at(let earlier): return try await rematches.play(at: earlier)
      case .interrupted: return .interrupted
      }
      new.profile = wish.profile(of: sitting.service.peer)
      let room = try await sitting.service.perform(.create(new))
      if parsed.has("code"), !context.isJSON { try context.console.line(GameCode.of(room)) }
      return try await rematches.play(at: room)
    }
  }

  /// What has no meaning where rounds are hosted.
  private static let optionsOfGames =
    ["seat", "games", "wins", "invite", "emoji", "earlier"] + Terms.limitOptions.map(\.name)

  private static func refuse(_ options: [String], _ parsed: ParsedCommand, _ words: String) throws {
    for option in options where parsed.givenOptions.contains(option) {
      throw parsed.badValue(option, words)
    }
  }

  private static func room(_ parsed: ParsedCommand, _ context: Context) throws -> Intent.NewRoom {
    let rules = try context.games.game(parsed.argument("game") ?? "", parsed).rules(parsed)
    let order = Household.PlayPlan.Order(rawValue: parsed.text("seat") ?? "random") ?? .random
    let invited = try parsed.texts("invite").map { text in
      guard let peer = PeerID(hex: text) else {
        throw parsed.badValue("invite", "a peer is named by its key of 64 hexadecimal digits")
      }
      return peer
    }
    var new = Intent.NewRoom(
      rules: rules, seat: order == .second ? 1 : 0, starter: order == .random ? .jointDraw : .firstSeat,
      scope: Scope(parsed, standard: invited.isEmpty ? .local : .invited),
      profile: Profile(name: ""), invited: invited)
    let length = try SeriesLength(parsed, standard: 1, limit: Int(Create.limitGames))
    new.games = UInt16(clamping: length.games)
    new.target = UInt32(clamping: length.wins ?? 0)
    try new.setLimits(parsed)
    RelayOptions.note(new.scope, parsed, context.console)
    return new
  }
}

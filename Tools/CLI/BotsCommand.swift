import BotKit
import Rules
import Terminal

/// `parlor bots [--game G]`.
enum BotsCommand: Command {
  static let definition = CommandDefinition(
    "bots", group: Group.about, summary: "List the bots and the games that they play.",
    text: [
      "A name stands for the newest version of a bot, and `lookahead@1:4` for its version 1. What is stored goes on,"
        + " and is audited, in the version that it began with."
    ],
    options: [.value("game", "GAME", "Only those that play this game.", kind: GameOptions.gameNames)],
    examples: [
      .init("bots --game connect-four", "Who can be played against in Connect Four.")
    ],
    objects: [
      .init(
        "bot", "For each kind of bot.",
        [
          "name": "the name on the command line", "argument": "what follows a colon after the name, or null",
          "summary": "the bot in one line", "games": "the names of the games that it plays",
        ]),
      .init(
        "botList", "For each name that stands for several bots where several may be named.",
        [
          "name": "the name on the command line", "summary": "the list in one line",
          "game": "the game of its bots",
          "bots": "the bots, the best seed first",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let game = try parsed.text("game").map { try context.games.game($0, parsed, option: "game").name }
    if game == nil, !context.isJSON { return try overview(context) }
    let families = game.map { context.bots.families(playing: $0) } ?? context.bots.families
    let names = context.games.definitions.map(\.name)
    var table = columns
    for family in families {
      let games = names.filter { family.plays($0) }
      if context.isJSON {
        try context.object(
          "bot",
          [
            "name": .string(family.name), "argument": .optional(family.argument),
            "summary": .string(family.summary), "games": .array(games.map { .string($0) }),
          ])
      }
      table.append([usage(of: family), games.joined(separator: ", "), family.summary])
    }
    if !context.isJSON {
      try context.pages(context.lines(of: table) + lists(of: game, context))
      return .ok
    }
    for list in context.bots.collections where game == nil || list.game == game {
      try context.object(
        "botList",
        [
          "name": .string(list.name), "summary": .string(list.summary), "game": .string(list.game),
          "bots": .array(list.members.map { .string($0) }),
        ])
    }
    return .ok
  }

  /// The names that stand for several bots, of one game or of all.
  private static func lists(of game: String?, _ context: Context) -> [String] {
    let lists = context.bots.collections.filter { game == nil || $0.game == game }
    guard !lists.isEmpty else { return [] }
    var table = TextTable([.text("LIST", shrinks: false), .prose("STANDS FOR"), .prose("WHAT IT IS")])
    for list in lists { table.append([list.name, list.members.joined(separator: ", "), list.summary]) }
    return [""] + context.lines(of: table)
  }

  /// All bots, but for a game that has very many of its own one line.
  private static func overview(_ context: Context) throws -> ExitStatus {
    let names = context.games.definitions.map(\.name)
    let plays = context.bots.families.map { family in names.filter { family.plays($0) } }
    var table = columns
    var shortened: Set<String> = []
    for (family, games) in zip(context.bots.families, plays) {
      let all = games.count == 1 ? plays.count { $0 == games } : 1
      if all <= 16 {
        table.append([usage(of: family), games.joined(separator: ", "), family.summary])
      } else if let game = games.first, shortened.insert(game).inserted {
        table.append([
          "\(family.name), …", game,
          "\(all) bots of this game alone; `parlor bots --game \(game)` lists them",
        ])
      }
    }
    try context.pages(context.lines(of: table) + lists(of: nil, context))
    return .ok
  }

  private static var columns: TextTable {
    TextTable([.text("BOT", shrinks: false), .prose("PLAYS"), .prose("WHAT IT DOES")])
  }

  /// The bot's name as it is typed, with what may follow it.
  private static func usage(of family: BotFamily) -> String {
    guard let argument = family.argument else { return family.name }
    // An argument in brackets may be left out, and the colon with it.
    return argument.hasPrefix("[")
      ? "\(family.name)[:\(argument.dropFirst())" : "\(family.name):\(argument)"
  }
}

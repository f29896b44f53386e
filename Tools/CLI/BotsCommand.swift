import BotKit
import Rules
import Terminal

/// `parlor bots [--game G]`.
enum BotsCommand: Command {
  static let definition = CommandDefinition(
    "bots", group: Group.about, summary: "List the bots and the games that they play.",
    options: [.value("game", "GAME", "Only those that play this game.", kind: Context.gameNames)],
    examples: [
      .init("bots --game connect-four", "Who can be played against in Connect Four.")
    ],
    objects: [
      .init(
        "bot", "For each kind of bot.",
        [
          "name": "the name on the command line", "argument": "what follows a colon after the name, or null",
          "summary": "the bot in one line", "games": "the names of the games that it plays",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let game = try parsed.text("game").map { try context.game($0, parsed, option: "game").name }
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
    if !context.isJSON { try context.pages(context.lines(of: table)) }
    return .ok
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
    try context.pages(context.lines(of: table))
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

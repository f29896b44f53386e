import BotKit
import Games
import Rules
import Terminal

/// `parlor games [NAME]`.
enum GamesCommand: Command {
  static let definition = CommandDefinition(
    "games", group: Group.about, summary: "List the games, or show one with its settings and bots.",
    arguments: [.init("name", "A game, to see its settings.", isOptional: true)],
    examples: [
      .init("games", "All games."),
      .init("games prisoners-dilemma", "What `--set` changes in the prisoner's dilemma."),
    ],
    objects: [
      .init(
        "game", "For each game.",
        [
          "name": "the name on the command line", "version": "the version of its rules",
          "title": "the name for people", "summary": "the game in one line",
          "seats": "how many play; null where a host says so",
          "settings": "what `--set` takes: objects with `name`, `summary`, `standard`",
          "bots": "the names of the bots that play it",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = parsed.argument("name")
    if let name, let hosted = context.games.newestHosted(name) {
      if context.isJSON { return try show(hosted, context) }
      try context.console.lines(
        try details(
          hosted.title, hosted.summary, "\(hosted.name), version \(hosted.version)",
          HostedPlans.bots(hosted.name).isEmpty ? ["none"] : [], hosted.settings,
          context))
      return .ok
    }
    let chosen =
      try name.map { [try context.games.game($0, parsed, place: "name")] } ?? context.games.definitions
    if context.isJSON {
      for game in chosen { try context.object("game", try members(of: game, context)) }
      if name == nil { for game in context.games.hosted { _ = try show(game, context) } }
    } else if name != nil, let game = chosen.first {
      let bots = context.bots.families(playing: game.name).map(\.name)
      try context.console.lines(
        try details(
          game.title, game.summary, "\(game.name), version \(game.version)", bots, game.settings, context))
    } else {
      try list(chosen, context)
    }
    return .ok
  }

  private static func list(_ games: [GameDefinition], _ context: Context) throws {
    var table = TextTable([
      .text("NAME", shrinks: false), .prose("SETTINGS"), .prose("WHAT IT IS"),
    ])
    for game in games {
      table.append([game.name, game.settings.map(\.name).joined(separator: ", "), game.summary])
    }
    for game in context.games.hosted {
      table.append([game.name, game.settings.map(\.name).joined(separator: ", "), game.summary])
    }
    try context.pages(context.lines(of: table))
  }

  private static func details(
    _ title: String, _ summary: String, _ rules: String, _ bots: [String], _ settings: [ParameterDefinition],
    _ context: Context
  ) throws -> [String] {
    let drawing = context.console.output.drawing
    let columns = context.console.output.limitColumns ?? .max
    var lines = [drawing.paint(title, .bold)] + WrappedText.lines(summary, columns: columns) + [""]
    if !bots.isEmpty {
      lines += WrappedText.lines(BotError.list(bots), columns: columns, indent: 10, first: "Bots:")
    }
    lines.append("Rules:    \(rules)")
    guard !settings.isEmpty else { return lines + ["Settings: none"] }
    var table = TextTable([
      .text("SETTING", shrinks: false), .text("STANDARD", shrinks: false), .prose("MEANING"),
    ])
    for setting in settings { table.append([setting.name, setting.standard, setting.summary]) }
    return lines + [""]
      + table.lines(limitColumns: context.console.output.limitColumns, drawing: drawing)
  }

  private static func show(_ game: HostedDefinition, _ context: Context) throws -> ExitStatus {
    try context.object(
      "game",
      [
        "name": .string(game.name), "version": .integer(Int64(game.version)), "title": .string(game.title),
        "summary": .string(game.summary), "seats": .null, "settings": settings(game.settings),
        "bots": .array(HostedPlans.bots(game.name).map { .string($0) }),
      ])
    return .ok
  }

  private static func settings(_ settings: [ParameterDefinition]) -> JSONValue {
    .array(
      settings.map { setting in
        .object([
          "name": .string(setting.name), "summary": .string(setting.summary),
          "standard": .string(setting.standard),
        ])
      })
  }

  private static func members(of game: GameDefinition, _ context: Context) throws -> [JSONMember] {
    [

      JSONMember("name", .string(game.name)), JSONMember("version", .integer(Int64(game.version))),
      JSONMember("title", .string(game.title)), JSONMember("summary", .string(game.summary)),
      JSONMember("seats", .integer(Int64(try game.rules().seats))),
      JSONMember("settings", settings(game.settings)),
      JSONMember("bots", .array(context.bots.families(playing: game.name).map { .string($0.name) })),
    ]
  }
}

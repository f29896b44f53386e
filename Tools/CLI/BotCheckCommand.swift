import BotKit
import LineBots
import Platform
import Rules
import Terminal

/// `parlor bot check`: puts a bot that is a command through the protocol.
enum BotCheckCommand: Command {
  static let definition = CommandDefinition(
    "bot check", group: Group.about, summary: "Check a bot that is a command, and say what it does wrong.",
    text: [
      "Starts the bot and has it say hello, play a game of each seat against random moves, move once with a second's "
        + "time, go on in the middle of a game, and end. What it does wrong is shown with the lines before it. "
        + "Docs/LINE-PROTOCOL.md is the protocol; engines of other protocols are checked too, as in gtp:COMMAND "
        + "(Docs/ENGINES.md).",
      "A bot that declares itself recomputable is asked for up to 40 moves of a game again, in a second process, from "
        + "the last to the first and with half the time, and must play the same.",
    ],
    arguments: [.init("command", "The bot's command, such as ./mybot.py.", kind: .file)],
    options: [
      .value(
        "game", "GAME", "Only this game; those that its hello names, or all, when not given.",
        kind: GameOptions.gameNames),
      .value("seed", "N", "The seed of all random numbers.", standard: "0"),
      GameOptions.settings,
    ] + BotOptions.definitions,
    examples: [
      .init("bot check ./mybot.py", "all games that it plays"),
      .init("bot check './mybot.py --depth 3' --game gomoku", "one game"),
    ],
    exitStatuses: [.init(.negative, "The bot does something wrong.")],
    objects: [
      .init(
        "check", "For each part of the check.",
        [
          "part":
            "`hello`, `game`, `hurry` (little time), `again` (started in the middle of a game, or asked for its moves "
            + "again), `quit` or `end of input`",
          "game": "the game, or null", "finding": "`right`, `wrong` or `remark`", "words": "what it did",
          "lines": "the last lines before what is wrong: `>` read by the bot, `<` written by it",
          "errors": "the last lines that it wrote to standard error",
        ]),
      .init("finished", "At the end.", ["right": "whether nothing was wrong"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let text = parsed.argument("command") ?? ""
    guard let command = BotCommandLine(text, home: CurrentProcess.variable("HOME")) else {
      throw parsed.badArgument("command", "a quote is not closed, or no word stands there")
    }
    let seed = try parsed.integer("seed", in: 0...UInt64.max) ?? 0
    let games: [any GameRules]
    if let name = parsed.text("game") {
      games = [try context.games.game(name, parsed, option: "game").rules(parsed)]
    } else {
      guard parsed.texts("set").isEmpty else { throw parsed.badValue("set", "it needs --game") }
      var newest: [any GameRules] = []
      for definition in context.games.definitions
      where context.games.newest(definition.name)?.version == definition.version {
        newest.append(try definition.rules())
      }
      games = newest
    }
    let fault = OutputFault()
    let isCancelled: @Sendable () -> Bool = { [interrupts = context.interrupts] in
      interrupts.isStopRequested || fault.isThere
    }
    let limits = try BotOptions.settings(parsed).limits(over: LineBotLimits())
    let check = LineBotCheck(command, limits: limits, isCancelled: isCancelled) { finding in
      fault.attempt { () throws(ConsoleError) in try tell(finding, context) }
    }
    let isRight = check.run(games, seed: seed)
    try fault.check()
    try context.checkStop()
    if context.isJSON {
      try context.object("finished", ["right": .bool(isRight)])
    } else {
      try context.console.line(isRight ? "Nothing is wrong." : "Something is wrong.")
    }
    return isRight ? .ok : .negative
  }

  private static func tell(_ finding: LineBotCheck.Finding, _ context: Context) throws(ConsoleError) {
    let errors = Console.lastLines(of: finding.errors)
    if context.isJSON {
      return try context.object(
        "check",
        [
          "part": .string(finding.part), "game": .optional(finding.game),
          "finding": .string(finding.kind.rawValue), "words": .string(finding.words),
          "lines": .array(finding.lines.map { .string($0) }), "errors": .array(errors.map { .string($0) }),
        ])
    }
    let place = finding.game.map { "\(finding.part), \($0)" } ?? finding.part
    try context.console.line("\(finding.kind.rawValue): \(place): \(SafeText(finding.words).text)")
    for line in finding.lines { try context.console.line("    \(SafeText(line).text)") }
    for line in errors { try context.console.line("    standard error: \(SafeText(line).text)") }
  }
}

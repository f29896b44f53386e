import Terminal

/// A small program's commands, with one of everything that a table can hold.
enum Sample {
  static let play = CommandDefinition(
    "play", group: "Play", summary: "Play a game against a bot, move by move, on this terminal.",
    text: [
      "Type the number of a square: it's that easy. `undo` takes your last move back, `resign` gives up."
    ],
    arguments: [
      ArgumentDefinition("game", "The game to play.", kind: .proposal(["tic-tac-toe", "connect-four"]))
    ],
    options: [
      .value(
        "against", "BOT", "Who plays against you.", standard: "solver", kind: .proposal(["solver", "random"])),
      .value(
        "seat", "SEAT", "Where you sit.", standard: "first", kind: .choice(["first", "second", "random"])),
      .value("seed", "N", "The seed of the bot's random numbers."),
      .value("set", "PARAMETER=VALUE", "A setting of the game.", repeats: true),
    ],
    examples: [.init("play tic-tac-toe --seat second", "Lets the bot begin.")],
    exitStatuses: [.init(.temporary, "Another process writes this log.")])

  static let match = CommandDefinition(
    "match", group: "Play", summary: "Let bots play.",
    arguments: [ArgumentDefinition("game", "The game.")],
    options: [
      .value("players", "A,B", "The bots, in the order of seats.", isRequired: true),
      .value("games", "N", "How many games.", standard: "1"),
    ])

  static let list = CommandDefinition("log list", group: "Log", summary: "List the rooms.")
  static let export = CommandDefinition(
    "log export", group: "Log", summary: "Write rooms into a file.",
    arguments: [
      ArgumentDefinition("file", "Where to write: it's created.", kind: .file),
      ArgumentDefinition("id", "The rooms.", isOptional: true, repeats: true),
    ], options: [.flag("force", "Overwrite the file.")])

  static let table = CommandTable(
    program: "parlor", summary: "Play games with people and bots, peer to peer.",
    commands: [play, match, list, export],
    globals: [
      .flag("json", "Print one JSON object a line."),
      .value("data", "DIR", "The data folder.", kind: .folder),
      .flag("no-color", "Print without colour."),
    ])
}

import LineBots
import Platform
import Terminal

/// What bots that are commands may have, as options of each command that starts some.
enum BotOptions {
  static let definitions: [OptionDefinition] = [
    .value(
      "move-time", "MS",
      "How long a bot that is a command has for a move, in milliseconds, where no clock of the game gives it "
        + "less: 10000 when not given."),
    .value(
      "bot-memory", "SIZE",
      "How much memory each process of such a bot may write to, such as 500M: 4G when not given."),
    .value(
      "bot-processes", "N",
      "How many processes and threads such a bot may have more than the machine has at its start: 512 when not "
        + "given."),
    .value(
      "bot-folder", "DIR",
      "The folder in which such bots run and their commands begin; this one when not given.",
      kind: .folder),
    .value("bot-env", "NAME=VALUE", "A variable of such bots' environment.", repeats: true),
  ]

  /// The names of these options.
  static let names = Set(definitions.map(\.name))

  /// What the command line says; the standard limits for a command that starts no bots.
  static func limits(_ parsed: ParsedCommand) throws(UsageError) -> LineBotLimits {
    var limits = LineBotLimits()
    guard parsed.definition.options.contains(where: { names.contains($0.name) }) else { return limits }
    if let milliseconds = try parsed.integer("move-time", in: 1...86_400_000) {
      limits.moveMilliseconds = milliseconds
      // Who is given long for a move is given as long for what it reads at its start.
      limits.startMilliseconds = max(limits.startMilliseconds, milliseconds)
    }
    if let text = parsed.text("bot-memory") {
      guard let bytes = SizeText.bytes(text), bytes >= leastMemoryBytes else {
        throw parsed.badValue(
          "bot-memory", "a size is a number of bytes, or with K, M or G behind it, and at least 1M")
      }
      limits.memoryBytes = UInt64(bytes)
    }
    if let count = try parsed.integer("bot-processes", in: 1...UInt64(1_000_000)) { limits.processes = count }
    if let folder = parsed.text("bot-folder") {
      guard FileSystem.isFolder(folder) else {
        throw parsed.badValue("bot-folder", "there is no such folder")
      }
      limits.folder = folder
    }
    for variable in parsed.texts("bot-env") {
      guard let equals = variable.firstIndex(of: "="), equals > variable.startIndex else {
        throw parsed.badValue("bot-env", "a variable is NAME=VALUE")
      }
      limits.variables.append(variable)
    }
    return limits
  }

  private static let leastMemoryBytes = 1 << 20
}

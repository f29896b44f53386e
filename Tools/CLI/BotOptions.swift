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

  /// What the command line says; nothing for a command that starts no bots.
  static func settings(_ parsed: ParsedCommand) throws(UsageError) -> LineBotSettings {
    var settings = LineBotSettings()
    guard parsed.definition.options.contains(where: { names.contains($0.name) }) else { return settings }
    settings.moveMilliseconds = try parsed.integer("move-time", in: LineBotSettings.moveTimes)
    if let text = parsed.text("bot-memory") {
      guard let bytes = SizeText.bytes(text), bytes >= LineBotSettings.leastMemoryBytes else {
        throw parsed.badValue(
          "bot-memory", "a size is a number of bytes, or with K, M or G behind it, and at least 1M")
      }
      settings.memoryBytes = UInt64(bytes)
    }
    settings.processes = try parsed.integer("bot-processes", in: LineBotSettings.processCounts)
    if let folder = parsed.text("bot-folder") {
      guard FileSystem.isFolder(folder) else {
        throw parsed.badValue("bot-folder", "there is no such folder")
      }
      settings.folder = folder
    }
    for text in parsed.texts("bot-env") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let variable = LineBotSettings.variable(parts[0], parts[1]) else {
        throw parsed.badValue("bot-env", "a variable is NAME=VALUE")
      }
      settings.variables.append(variable)
    }
    return settings
  }
}

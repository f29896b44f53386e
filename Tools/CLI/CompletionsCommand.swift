import Terminal

/// `parlor completions SHELL`.
enum CompletionsCommand: Command {
  static let definition = CommandDefinition(
    "completions", group: Group.program,
    summary: "Print a script that completes commands and options in a shell.",
    text: [
      "The script knows commands, options, games and bots. Rooms, tournaments and codes are those of the data folder:"
        + " it has this program list them when Tab is pressed, where the line says with --data and --network. Games of"
        + " tournaments, of which there may be thousands, are left out: `parlor tournament show` lists them."
        + " Where nothing can be read nothing is proposed."
    ],
    arguments: [.init("shell", "The shell.", kind: .choice(Shell.allCases.map(\.rawValue)))],
    options: [
      .value(
        "list", "WORDS", "Print instead what is stored of this kind, as the script reads it.",
        kind: .choice(StoredWords.allCases.map(\.rawValue)))
    ],
    examples: [
      .init("completions bash > ~/.local/share/bash-completion/completions/parlor", "For bash, for good."),
      .init("completions fish | source", "For fish, in this session."),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let shell = parsed.argument("shell").flatMap(Shell.init(rawValue:)) else {
      preconditionFailure("the parser lets only known shells through to \(parsed.name)")
    }
    if let kind = parsed.text("list").flatMap(StoredWords.init(rawValue:)) {
      try context.console.data(CommandTable.listing(words(kind, context), for: shell))
      return .ok
    }
    try context.console.data(Commands.table.completions(for: shell))
    return .ok
  }

  /// What is stored. Whoever pressed Tab is typing: what goes wrong is told when the command runs, not now.
  private static func words(_ kind: StoredWords, _ context: Context) -> [DescribedWord] {
    do { return try StoredListing(context).words(kind) } catch { return [] }
  }
}

import Terminal

/// `parlor help`: listed so that help and completions show it; the parser answers it before any command runs.
enum HelpCommand: Command {
  static let definition = CommandDefinition(
    "help", group: Group.program, summary: "Show help on a command, or this overview.",
    arguments: [.init("command", "The command, in one or two words.", isOptional: true, repeats: true)],
    examples: [.init("help log verify", "What `log verify` checks and what its exit status means.")])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    preconditionFailure("the parser answers `help` itself, not by \(parsed.name)")
  }
}

import Terminal

/// `parlor completions SHELL`.
enum CompletionsCommand: Command {
  static let definition = CommandDefinition(
    "completions", group: Group.program,
    summary: "Print a script that completes commands and options in a shell.",
    arguments: [.init("shell", "The shell.", kind: .choice(Shell.allCases.map(\.rawValue)))],
    examples: [
      .init("completions bash > ~/.local/share/bash-completion/completions/parlor", "For bash, for good."),
      .init("completions fish | source", "For fish, in this session."),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let shell = parsed.argument("shell").flatMap(Shell.init(rawValue:)) else {
      preconditionFailure("the parser lets only known shells through to \(parsed.name)")
    }
    try context.console.lines(Commands.table.completions(for: shell))
    return .ok
  }
}

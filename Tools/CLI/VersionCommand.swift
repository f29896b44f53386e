import Terminal

/// `parlor version`.
enum VersionCommand: Command {
  static let definition = CommandDefinition(
    "version", group: Group.program, summary: "Show the version of the program and of its protocol.",
    objects: [
      .init(
        "version", "Once.",
        ["version": "the program's version", "protocol": "the version of the protocol, a number"])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    if context.isJSON {
      try context.object(
        "version",
        ["version": .string(Parlor.version), "protocol": .integer(Int64(Parlor.protocolVersion))])
    } else {
      try context.console.line("parlor \(Parlor.version), protocol \(Parlor.protocolVersion)")
    }
    return .ok
  }
}

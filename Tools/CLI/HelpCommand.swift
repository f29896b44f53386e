import Terminal

/// `parlor help`: listed so that help and completions show it; the parser answers it before any command runs.
enum HelpCommand: Command {
  static let definition = CommandDefinition(
    "help", group: Group.program, summary: "Show help on a command, or this overview.",
    text: ["With --json all commands are described whose names begin with what is given, for programs."],
    arguments: [.init("command", "The command, in one or two words.", isOptional: true, repeats: true)],
    examples: [
      .init("help log verify", "What `log verify` checks and what its exit status means."),
      .init("help --json", "All commands with all that they take, for programs."),
    ],
    objects: [
      .init(
        "command", "For each command.",
        [
          "name": "the words that name it", "group": "the heading that it stands under",
          "summary": "what it does",
          "text": "what else there is to know, in paragraphs",
          "arguments":
            "objects with `name`, `summary`, `optional`, `repeats` and `choices` (the words that may stand there, or"
            + " null)",
          "options":
            "objects with `name`, `short` (one letter or null), `value` (what stands for it, or null for a switch),"
            + " `summary`, `standard` (or null), `required`, `repeats` and `choices`",
          "exit-statuses": "objects with `status` and `meaning`, where they are particular to it",
          "objects": "what it prints with --json: objects with `type`, `summary` and `members`",
          "examples": "objects with `command` and `effect`",
        ]),
      .init("options", "Last: the options of every command.", ["options": "as in `command`"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    preconditionFailure("the parser answers `help` itself, not by \(parsed.name)")
  }

  /// Prints one object for each command whose name begins with these words, and one for the options of all.
  static func describe(_ path: [String], _ console: Console) throws(ConsoleError) {
    for command in Commands.table.commands where command.path.starts(with: path) {
      try console.json(JSONLine([JSONMember("type", "command")] + command.description))
    }
    let options = Commands.table.globals.map(\.description)
    try console.json(JSONLine([JSONMember("type", "options"), JSONMember("options", .array(options))]))
  }
}

extension CommandDefinition {
  fileprivate var description: [JSONMember] {
    [
      JSONMember("name", .string(path.joined(separator: " "))), JSONMember("group", .string(group)),
      JSONMember("summary", .string(summary)), JSONMember("text", .array(text.map { .string($0) })),
      JSONMember("arguments", .array(arguments.map(\.description))),
      JSONMember("options", .array(options.map(\.description))),
      JSONMember(
        "exit-statuses",
        .array(
          exitStatuses.map {
            .object(["status": .integer(Int64($0.status.rawValue)), "meaning": .string($0.meaning)])
          })),
      JSONMember("objects", .array(objects.map(\.description))),
      JSONMember(
        "examples",
        .array(examples.map { .object(["command": .string($0.command), "effect": .string($0.effect)]) })),
    ]
  }
}

extension ObjectDefinition {
  fileprivate var description: JSONValue {
    .object([
      "type": .string(type), "summary": .string(summary),
      "members": .array(fields.map { .object(["name": .string($0.name), "summary": .string($0.summary)]) }),
    ])
  }
}

extension ArgumentDefinition {
  fileprivate var description: JSONValue {
    .object([
      "name": .string(name), "summary": .string(summary), "optional": .bool(isOptional),
      "repeats": .bool(repeats), "choices": kind.choices,
    ])
  }
}

extension OptionDefinition {
  fileprivate var description: JSONValue {
    .object([
      "name": .string(name), "short": .optional(short.map { String($0) }), "value": .optional(value),
      "summary": .string(summary), "standard": .optional(standard), "required": .bool(isRequired),
      "repeats": .bool(repeats), "choices": kind.choices,
    ])
  }
}

extension ValueKind {
  fileprivate var choices: JSONValue {
    guard case .choice(let words) = self else { return .null }
    return .array(words.map { .string($0) })
  }
}

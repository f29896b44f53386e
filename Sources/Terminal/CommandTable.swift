/// All commands of the program, from which parsing, help and completions are made.
package struct CommandTable: Hashable, Sendable {
  /// The program's name.
  package let program: String
  /// What the program is, in one line.
  package let summary: String
  /// The commands in the order of the overview.
  package let commands: [CommandDefinition]
  /// Options that every command takes, `--help` among them.
  package let globals: [OptionDefinition]

  /// `--help`, which the parser knows by name.
  package static let help = OptionDefinition.flag(
    "help", short: "h", "Show help and what else the command takes.")

  /// A table; `--help` is added to the options of every command.
  package init(program: String, summary: String, commands: [CommandDefinition], globals: [OptionDefinition]) {
    self.program = program
    self.summary = summary
    self.commands = commands
    self.globals = globals + [Self.help]
  }

  /// The command with exactly this path.
  package func command(_ path: [String]) -> CommandDefinition? { commands.first { $0.path == path } }

  /// The words that can follow this path, each once, in the table's order.
  package func words(after path: [String]) -> [String] {
    var words: [String] = []
    for command in commands where command.path.count > path.count && command.path.starts(with: path) {
      let word = command.path[path.count]
      if !words.contains(word) { words.append(word) }
    }
    return words
  }

  /// All paths that have commands below them, the empty one first.
  var inner: [[String]] {
    var paths: [[String]] = []
    for command in commands {
      for length in 0..<command.path.count {
        let path = Array(command.path.prefix(length))
        if !paths.contains(path) { paths.append(path) }
      }
    }
    return paths
  }

  /// The names of commands below another command, which its arguments must not have.
  var namesBelowCommands: [String] {
    commands.filter { command in
      (1..<max(1, command.path.count)).contains { self.command(Array(command.path.prefix($0))) != nil }
    }
    .map { $0.path.joined(separator: " ") }
  }

  /// What a command takes: its own options, then those of every command.
  func options(of command: CommandDefinition?) -> [OptionDefinition] { (command?.options ?? []) + globals }

  /// What is wrong with the table itself, for a test: doubled names, arguments in an order that cannot be
  /// parsed, standard values that are not among the choices.
  package var faults: [String] {
    var faults: [String] = []
    for (index, command) in commands.enumerated() {
      let name = command.path.joined(separator: " ")
      if command.path.isEmpty { faults.append("a command without a name") }
      if commands[..<index].contains(where: { $0.path == command.path }) { faults.append("\(name): twice") }
      faults += Self.faults(ofOptions: options(of: command)).map { "\(name): \($0)" }
      faults += Self.faults(ofArguments: command.arguments).map { "\(name): \($0)" }
    }
    return faults
  }

  private static func faults(ofOptions options: [OptionDefinition]) -> [String] {
    var faults: [String] = []
    for (index, option) in options.enumerated() {
      let earlier = options[..<index]
      if earlier.contains(where: { $0.name == option.name }) { faults.append("--\(option.name) twice") }
      if let short = option.short, earlier.contains(where: { $0.short == short }) {
        faults.append("-\(short) twice")
      }
      if case .choice(let words) = option.kind, let standard = option.standard, !words.contains(standard) {
        faults.append("--\(option.name): the standard value is no choice")
      }
      if option.isRequired, option.standard != nil {
        faults.append("--\(option.name): required, with a standard")
      }
    }
    return faults
  }

  private static func faults(ofArguments arguments: [ArgumentDefinition]) -> [String] {
    var faults: [String] = []
    for (index, argument) in arguments.enumerated() {
      let later = arguments[(index + 1)...]
      if argument.repeats, !later.isEmpty { faults.append("\(argument.name) repeats and is not the last") }
      if argument.isOptional, later.contains(where: { !$0.isOptional }) {
        faults.append("\(argument.name) is optional and a later one is not")
      }
    }
    return faults
  }
}

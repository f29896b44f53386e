/// What a command line asks for.
package enum Invocation: Hashable, Sendable {
  /// To run a command.
  case command(ParsedCommand)
  /// Help on the commands that begin with these words, none for the overview.
  case help([String])
}

extension CommandTable {
  /// Understands the words after the program's name.
  ///
  /// Options may stand anywhere, those of one command after its name; `--` ends them. `help` as the first
  /// word, and
  /// `--help` anywhere before `--`, ask for help, whatever else is wrong.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = CommandParser(table: self, words: words)
    return try parser.parse()
  }
}

/// One pass over a command line.
private struct CommandParser {
  let table: CommandTable
  let words: [String]
  private var position = 0
  private var path: [String] = []
  private var command: CommandDefinition?
  private var values: [ParsedCommand.Given] = []
  private var arguments: [String] = []

  init(table: CommandTable, words: [String]) {
    self.table = table
    self.words = words
  }

  mutating func parse() throws(UsageError) -> Invocation {
    if let helped = try helpRequest() { return .help(helped) }
    var acceptsOptions = true
    while position < words.count {
      let word = words[position]
      position += 1
      if acceptsOptions, word == "--" {
        acceptsOptions = false
      } else if acceptsOptions, isOption(word) {
        try takeOption(word)
      } else {
        try takeWord(word)
      }
    }
    guard let command else { return try unfinished() }
    try checkArguments(command)
    for option in command.options
    where option.isRequired && !values.contains(where: { $0.name == option.name }) {
      throw error(.missingOption(option.usage))
    }
    return .command(
      ParsedCommand(definition: command, globals: table.globals, given: values, arguments: arguments))
  }

  /// The path to show help on, when the line asks for it.
  private func helpRequest() throws(UsageError) -> [String]? {
    let head = words.prefix { $0 != "--" }
    let isAsked = head.contains { $0 == "--help" || $0 == "-h" }
    let names = plainWords(head)
    if names.first == "help" {
      let path = Array(names.dropFirst())
      guard path.isEmpty || table.command(path) != nil || !table.words(after: path).isEmpty else {
        throw unknownCommand(path)
      }
      return path
    }
    guard isAsked else { return nil }
    return (0...names.count).reversed().map { Array(names.prefix($0)) }.first {
      table.command($0) != nil || !table.words(after: $0).isEmpty
    } ?? []
  }

  /// The words that are neither options nor values of options that every command takes.
  private func plainWords(_ words: ArraySlice<String>) -> [String] {
    var names: [String] = []
    var isValue = false
    for word in words {
      if isOption(word) {
        isValue = table.globals.contains { $0.value != nil && word == "--\($0.name)" }
      } else {
        if !isValue { names.append(word) }
        isValue = false
      }
    }
    return names
  }

  /// A single hyphen is a name for standard input; a hyphen and a digit begin a negative number.
  private func isOption(_ word: String) -> Bool {
    let bytes = Array(word.utf8.prefix(2))
    return bytes.count == 2 && bytes[0] == 0x2D && !(0x30...0x39).contains(bytes[1])
  }

  private mutating func takeWord(_ word: String) throws(UsageError) {
    let longer = path + [word]
    let isInner = !table.words(after: longer).isEmpty
    if let found = table.command(longer), command == nil || arguments.isEmpty {
      (command, path) = (found, longer)
    } else if isInner, command == nil {
      path = longer
    } else if command != nil {
      arguments.append(word)
    } else {
      throw unknownCommand(longer)
    }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let shown = String(parts[0])
    guard let option = option(shown) else { throw error(.unknownOption(shown, near: nearOptions(shown))) }
    let name = "--\(option.name)"
    if !option.repeats, values.contains(where: { $0.name == option.name }) {
      throw error(.repeated(option: name))
    }
    guard let placeholder = option.value else {
      guard parts.count == 1 else { throw error(.unwantedValue(option: name)) }
      return values.append(.init(name: option.name, value: nil))
    }
    let value =
      try parts.count == 2 ? String(parts[1]) : nextValue(name, placeholder: placeholder, bare: option.bare)
    guard !value.isEmpty else { throw error(.emptyValue(option: name)) }
    try check(value, kind: option.kind, place: name)
    values.append(.init(name: option.name, value: value))
  }

  private mutating func nextValue(
    _ name: String, placeholder: String, bare: String?
  ) throws(UsageError) -> String {
    let next = position < words.count ? words[position] : nil
    guard let next, !next.hasPrefix("--"), option(next) == nil else {
      if let bare { return bare }
      throw error(.missingValue(option: name, value: placeholder))
    }
    position += 1
    return next
  }

  private func option(_ shown: String) -> OptionDefinition? {
    table.options(of: command).first { option in
      shown == "--\(option.name)" || option.short.map { shown == "-\($0)" } ?? false
    }
  }

  private func nearOptions(_ shown: String) -> [String] {
    let known = table.options(of: command).map { "--\($0.name)" }
    // Hyphens are not letters: two of them in common make no likeness.
    let typed = String(shown.drop { $0 == "-" })
    return Spelling.near(typed, among: known.map { String($0.dropFirst(2)) }).map { "--\($0)" }
  }

  private func checkArguments(_ command: CommandDefinition) throws(UsageError) {
    let definitions = command.arguments
    for (index, argument) in arguments.enumerated() {
      guard let last = definitions.last, index < definitions.count || last.repeats else {
        throw error(.unexpectedArgument(argument))
      }
      let definition = index < definitions.count ? definitions[index] : last
      guard !argument.isEmpty else { throw error(.emptyValue(option: definition.name.uppercased())) }
      try check(argument, kind: definition.kind, place: definition.name.uppercased())
    }
    for definition in definitions.dropFirst(arguments.count) where !definition.isOptional {
      throw error(.missingArgument(definition.name.uppercased()))
    }
  }

  private func check(_ value: String, kind: ValueKind, place: String) throws(UsageError) {
    guard case .choice(let choices) = kind, !choices.contains(value) else { return }
    throw error(
      .badChoice(place: place, given: value, choices: choices, near: Spelling.near(value, among: choices)))
  }

  private func unfinished() throws(UsageError) -> Invocation {
    guard !path.isEmpty || !values.isEmpty else { return .help([]) }
    throw error(.incompleteCommand(path.joined(separator: " "), next: table.words(after: path)))
  }

  private func unknownCommand(_ words: [String]) -> UsageError {
    var known = words
    while !known.isEmpty, table.words(after: known).isEmpty, table.command(known) == nil {
      known.removeLast()
    }
    let typed = known.count < words.count ? words[known.count] : ""
    let next = table.words(after: known)
    let hasHelp = !known.isEmpty || next.contains("help")
    let near = Spelling.near(typed, among: next + (hasHelp ? [] : ["help"]))
    return UsageError(
      .unknownCommand(
        (known + [typed]).joined(separator: " "), near: near.map { (known + [$0]).joined(separator: " ") }),
      path: next.isEmpty ? [] : known)
  }

  private func error(_ problem: UsageError.Problem) -> UsageError { UsageError(problem, path: path) }
}

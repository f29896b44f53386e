/// Manual pages made from a command table: one for the program and one for each command, in the `man` macros of troff.
package struct ManPages: Sendable {
  private let table: CommandTable
  private let version: String
  private let variables: [(name: String, summary: String)]

  /// Manual pages of this release.
  /// - Parameter variables: what the program reads from its environment.
  package init(_ table: CommandTable, version: String, variables: KeyValuePairs<String, String>) {
    self.table = table
    self.version = version
    self.variables = variables.map { ($0.key, $0.value) }
  }

  /// One page.
  package struct Page: Hashable, Sendable {
    /// The file's name, such as `parlor-log-list.1`.
    package var file: String
    /// The lines of the file.
    package var lines: [String]
  }

  /// All pages, that of the program first.
  package var pages: [Page] { [overview] + table.commands.map(page) }

  private func name(_ path: [String]) -> String { ([table.program] + path).joined(separator: "-") }

  private func head(_ path: [String], _ summary: String) -> [String] {
    let title = name(path)
    // A name line says what the page is about without a full stop, for `apropos`.
    let about = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    return [
      ".TH \(Roff.quoted(title.uppercased())) 1 \"\" \(Roff.quoted("\(table.program) \(version)")) \"\"",
      ".SH NAME", "\(Roff.text(title)) \\- \(Roff.text(about))",
    ]
  }

  private var overview: Page {
    var lines = head([], table.summary)
    lines += [
      ".SH SYNOPSIS", "\(Roff.bold(table.program)) \(Roff.italic("COMMAND")) [\(Roff.italic("OPTIONS"))]",
    ]
    var groups: [String] = []
    for command in table.commands where !groups.contains(command.group) { groups.append(command.group) }
    for group in groups {
      lines.append(".SH \(Roff.quoted(group.uppercased()))")
      for command in table.commands where command.group == group {
        lines += item(Roff.bold(name(command.path)) + "(1)", command.summary)
      }
    }
    lines += section("OPTIONS OF EVERY COMMAND", items(table.globals))
    lines += section("ENVIRONMENT", variables.flatMap { item(Roff.bold($0.name), $0.summary) })
    lines += section(
      "EXIT STATUS",
      ExitStatus.allCases.flatMap { item(Roff.bold("\($0.rawValue)"), $0.meaning) })
    return Page(file: name([]) + ".1", lines: lines)
  }

  private func page(_ command: CommandDefinition) -> Page {
    var lines = head(command.path, command.summary)
    lines += [".SH SYNOPSIS", ".nh", ".ad l", synopsis(of: command), ".ad", ".hy"]
    lines += section("DESCRIPTION", paragraphs([command.summary] + command.text))
    lines += section(
      "ARGUMENTS", command.arguments.flatMap { item(Roff.italic($0.name.uppercased()), $0.description) })
    for topic in command.optionTopics {
      let options = command.options.filter { $0.topic == topic }
      lines += section(topic.map { "OPTIONS FOR \($0.uppercased())" } ?? "OPTIONS", items(options))
    }
    lines += section("OPTIONS OF EVERY COMMAND", items(table.globals))
    lines += section(
      "EXIT STATUS",
      command.exitStatuses.flatMap { item(Roff.bold("\($0.status.rawValue)"), $0.meaning) })
    lines += section("OBJECTS OF \\-\\-JSON", command.objects.flatMap(object))
    lines += section("EXAMPLES", command.examples.flatMap(example))
    lines += section("SEE ALSO", ["\(Roff.bold(name([])))(1)"])
    return Page(file: name(command.path) + ".1", lines: lines)
  }

  private func section(_ heading: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [".SH \"\(heading)\""] + lines
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    texts.enumerated().flatMap { ($0.offset == 0 ? [] : [".PP"]) + [Roff.text($0.element)] }
  }

  private func synopsis(of command: CommandDefinition) -> String {
    let options = command.options.map { option in
      let shown = usage(of: option) + (option.repeats ? "…" : "")
      return option.isRequired ? shown : "[\(shown)]"
    }
    let arguments = command.arguments.map { argument in
      let shown = Roff.italic(argument.name.uppercased()) + (argument.repeats ? "…" : "")
      return argument.isOptional ? "[\(shown)]" : shown
    }
    return ([Roff.bold(([table.program] + command.path).joined(separator: " "))] + arguments + options)
      .joined(separator: " ")
  }

  /// The option's name and what stands for its value, kept on one line.
  private func usage(of option: OptionDefinition) -> String {
    let value = option.value.map { Roff.italic($0) }
    return Roff.bold("--\(option.name)")
      + (value.map { option.bare == nil ? "\\ \($0)" : "\\ [\($0)]" } ?? "")
  }

  private func items(_ options: [OptionDefinition]) -> [String] {
    options.flatMap { option in
      item((option.short.map { Roff.bold("-\($0)") + ", " } ?? "") + usage(of: option), option.description)
    }
  }

  private func item(_ name: String, _ text: String) -> [String] { [".TP", name, Roff.text(text)] }

  private func object(_ object: ObjectDefinition) -> [String] {
    [".SS \(Roff.quoted(object.type))", Roff.text(object.summary)]
      + object.fields.flatMap { item(Roff.bold($0.name), $0.summary) }
  }

  private func example(_ example: CommandDefinition.Example) -> [String] {
    [
      ".PP", Roff.text(example.effect), ".PP", ".RS 4", ".nf",
      Roff.bold("\(table.program) \(example.command)"), ".fi", ".RE",
    ]
  }
}

/// Text as troff reads it.
private enum Roff {
  /// A line that is neither an escape nor a request, and whose hyphens can be pasted into a shell.
  static func text(_ text: String) -> String {
    let line = escaped(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// An argument of a request.
  static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "`": escaped += "\\(ga"
      case "'": escaped += "\\(aq"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case _ where character.isNewline: escaped += " "
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

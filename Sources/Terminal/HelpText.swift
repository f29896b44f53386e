/// Help made from a command table, wrapped to a width.
package struct HelpText: Sendable {
  private let table: CommandTable
  private let columns: Int
  private let drawing: Drawing

  /// Help for a display of this width.
  package init(_ table: CommandTable, columns: Int = 80, drawing: Drawing = Drawing()) {
    self.table = table
    // Longer lines are hard to read, and shorter ones leave no place for two columns.
    self.columns = min(100, max(28, columns))
    self.drawing = drawing
  }

  /// Help on a command, on the commands that begin with these words, or on all of them when there are none.
  package func lines(_ path: [String] = []) -> [String] {
    guard let command = table.command(path) else { return overview(path) }
    return self.command(command)
  }

  private func overview(_ path: [String]) -> [String] {
    let commands = table.commands.filter { $0.path.starts(with: path) }
    let name = ([table.program] + path).joined(separator: " ")
    var lines = path.isEmpty ? WrappedText.lines(table.summary, columns: columns) + [""] : []
    lines += [heading("Usage"), "  \(name) COMMAND [OPTIONS]"]
    var groups: [String] = []
    for command in commands where !groups.contains(command.group) { groups.append(command.group) }
    let indent = indent(for: commands.map { usage($0) })
    for group in groups {
      lines += ["", heading(group)]
      for command in commands where command.group == group {
        lines += item(usage(command), command.summary, indent: indent)
      }
    }
    lines += ["", heading("Options of every command")] + options(table.globals)
    let help = ([table.program, "help"] + path).joined(separator: " ")
    let more = "`\(help) COMMAND` says more and shows examples."
    return lines + [""] + WrappedText.lines(more, columns: columns)
  }

  private func command(_ command: CommandDefinition) -> [String] {
    var lines = WrappedText.lines(command.summary, columns: columns) + [""]
    lines.append(heading("Usage"))
    lines += usageLines(command)
    for paragraph in command.text { lines += [""] + WrappedText.lines(paragraph, columns: columns) }
    if !command.arguments.isEmpty {
      let indent = indent(for: command.arguments.map { $0.name.uppercased() })
      lines += ["", heading("Arguments")]
      for argument in command.arguments {
        lines += item(argument.name.uppercased(), argument.description, indent: indent)
      }
    }
    for topic in command.optionTopics {
      lines += ["", heading(topic.map { "Options for \($0)" } ?? "Options")]
      lines += options(command.options.filter { $0.topic == topic })
    }
    lines += ["", heading("Options of every command")] + options(table.globals)
    if !command.exitStatuses.isEmpty {
      lines += ["", heading("Exit status")] + statuses(command.exitStatuses)
    }
    if !command.objects.isEmpty { lines += ["", heading("Objects of --json")] + objects(command.objects) }
    if !command.examples.isEmpty { lines += ["", heading("Examples")] + examples(command.examples) }
    return lines
  }

  private func heading(_ text: String) -> String { drawing.paint("\(text):", .bold) }

  private func usage(_ command: CommandDefinition) -> String {
    (command.path + command.arguments.map(\.usage)).joined(separator: " ")
  }

  /// All that may be typed: required options as they are, others in brackets, never broken inside one.
  private func usageLines(_ command: CommandDefinition) -> [String] {
    let options = command.options.map { option in
      let shown = option.usage.replacing(" ", with: Self.hardSpace) + (option.repeats ? "…" : "")
      return option.isRequired ? shown : "[\(shown)]"
    }
    let parts = [table.program] + command.path + command.arguments.map(\.usage) + options
    let lines = WrappedText.lines(parts.joined(separator: " "), columns: columns, indent: 6)
    return lines.enumerated().map { index, line in
      (index == 0 ? String(line.dropFirst(4)) : line).replacing(Self.hardSpace, with: " ")
    }
  }

  /// Stands for a space where a line must not break.
  private static let hardSpace = "\u{A0}"

  private func options(_ options: [OptionDefinition]) -> [String] {
    let indent = indent(for: options.map(optionName))
    return options.flatMap { item(optionName($0), $0.description, indent: indent) }
  }

  private func optionName(_ option: OptionDefinition) -> String {
    (option.short.map { "-\($0), " } ?? "") + option.usage
  }

  private func statuses(_ statuses: [CommandDefinition.ExitMeaning]) -> [String] {
    statuses.flatMap { item(String($0.status.rawValue), $0.meaning, indent: 6) }
  }

  private func objects(_ objects: [ObjectDefinition]) -> [String] {
    objects.flatMap { object in
      let names = object.fields.map(\.name)
      return item(object.type, object.summary + " With: \(names.joined(separator: ", ")).", indent: 14)
    }
  }

  private func examples(_ examples: [CommandDefinition.Example]) -> [String] {
    examples.flatMap { example in
      command("\(table.program) \(example.command)")
        + WrappedText.lines(example.effect, columns: columns, indent: 6)
    }
  }

  /// A command that can be pasted: where it is longer than a line, each line but the last ends with a backslash, which
  /// shells take for no end.
  private func command(_ text: String) -> [String] {
    let isShort = DisplayWidth.columns(of: text) + 2 <= columns
    let lines = isShort ? ["  \(text)"] : WrappedText.lines(text, columns: columns - 2, indent: 2)
    return lines.enumerated().map { index, line in
      let end = index + 1 < lines.count ? " \\" : ""
      return "  " + drawing.paint(String(line.dropFirst(2)) + end, .cyan)
    }
  }

  /// Where the second column begins: after the widest name, if that leaves half of the width.
  private func indent(for names: [String]) -> Int {
    let limit = min(columns / 2 - 4, columns - 24)
    return 4 + (names.map { DisplayWidth.columns(of: $0) }.filter { $0 <= limit }.max() ?? 0)
  }

  private func item(_ name: String, _ text: String, indent: Int) -> [String] {
    WrappedText.lines(text, columns: columns, indent: indent, first: "  \(name)")
  }
}

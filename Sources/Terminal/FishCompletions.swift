/// Completion for fish: one `complete` line for every word and option, bound to the command typed so far.
struct FishCompletions {
  let table: CommandTable

  var lines: [String] {
    [
      "# Completion of \(table.program) for fish; save it as \(table.program).fish in ~/.config/fish/completions."
    ] + place + listing + many + ["complete -c \(table.program) -f"] + table.inner.flatMap(inner)
      + table.commands.flatMap(command)
      + table.globals.map { option($0, condition: nil) }
  }

  private var function: String { "_" + table.functionName + "_at" }

  /// A function that says whether the words typed so far name exactly this command.
  private var place: [String] {
    let takesValue = table.valueOptions.joined(separator: " ")
    let whole = table.commands.map { shellQuoted($0.path.joined(separator: " ")) }.joined(separator: " ")
    let below = table.namesBelowCommands.map(shellQuoted).joined(separator: " ")
    return [
      "function \(function)",
      "  set -l place",
      "  set -l skips no",
      "  for word in (commandline -opc)[2..-1]",
      "    if test $skips = yes",
      "      set skips no",
      "    else if contains -- $word \(takesValue)",
      "      set skips yes",
      "    else if string match -q -- '-*' $word",
      "      continue",
    ]
      + (below.isEmpty
        ? [] : ["    else if contains -- \"$place $word\" \(below)", "      set place $place $word"]) + [
        "    else if not contains -- \"$place\" \(whole)",
        "      set place $place $word",
        "    end",
        "  end",
        "  test \"$place\" = \"$argv[1]\"",
        "end",
      ]
  }

  private var lister: String { "_" + table.functionName + "_list" }

  /// A function that has the program list what is stored where the words typed so far say.
  private var listing: [String] {
    let names = table.placeOptions
    guard !names.isEmpty else { return [] }
    return [
      "function \(lister)",
      "  set -l words (commandline -opc)",
      "  set -l given",
      "  set -l waiting",
      "  for word in $words[2..-1]",
      "    if test -n \"$waiting\"",
      "      set -a given $waiting=(string replace -r -- '^~/' \"$HOME/\" $word)",
      "      set waiting",
      "    else if contains -- $word \(names.joined(separator: " "))",
      "      set waiting $word",
      "    else if string match -q \(names.map { "-- '\($0)=*' $word" }.joined(separator: "; or string match -q "))",
      "      set -a given $word",
      "    end",
      "  end",
      "  set -l program (string replace -r -- '^~/' \"$HOME/\" $words[1])",
      "  command -q $program; or return",
      "  command $program completions fish --list $argv[1] $given 2>/dev/null </dev/null |"
        + " string match -r -- '^[0-9A-Za-z]+\\t.*'",
      "end",
    ]
  }

  private var listMaker: String { "_" + table.functionName + "_many" }

  /// A function that proposes words behind what stands before the last comma of the word that is typed.
  private var many: [String] {
    [
      "function \(listMaker)",
      "  set -l word (string replace -r -- '^--[a-z-]*=' '' (commandline -ct))",
      "  set -l before (string match -r -- '^.*,' $word)",
      "  for name in $argv",
      "    echo -- \"$before$name\"",
      "  end",
      "end",
    ]
  }

  private func condition(_ path: [String]) -> String {
    " -n " + shellQuotedForFish("\(function) \(shellQuotedForFish(path.joined(separator: " ")))")
  }

  private func inner(_ path: [String]) -> [String] {
    let words = path.isEmpty ? table.firstWords : table.words(after: path)
    return words.map { word in
      let summary = table.command(path + [word])?.summary ?? (word == "help" ? "Show help." : "")
      return
        "complete -c \(table.program)\(condition(path)) -a \(shellQuotedForFish(word))\(description(summary))"
    }
  }

  private func command(_ command: CommandDefinition) -> [String] {
    let condition = condition(command.path)
    var lines = command.options.map { option($0, condition: condition) }
    if let kind = command.arguments.first?.kind, let value = value(kind) {
      lines.insert("complete -c \(table.program)\(condition)\(value)", at: 0)
    }
    return lines
  }

  private func option(_ option: OptionDefinition, condition: String?) -> String {
    var line = "complete -c \(table.program)\(condition ?? "") -l \(option.name)"
    if let short = option.short { line += " -s \(short)" }
    if option.value != nil { line += " \(takesFiles(option.kind) ? "-r" : "-x")\(value(option.kind) ?? "")" }
    return line + description(option.summary)
  }

  /// Whether a file may stand for a value, also where words are proposed: a bot may be a command.
  private func takesFiles(_ kind: ValueKind) -> Bool {
    switch kind {
    case .stored(_, _, let orFile): orFile
    case .choice: false
    case .text, .proposal, .list, .file, .folder: true
    }
  }

  private func value(_ kind: ValueKind) -> String? {
    switch kind {
    case .choice(let words), .proposal(let words): " -a \(shellQuotedForFish(words.joined(separator: " ")))"
    case .list(let words):
      " -a \(shellQuotedForFish("(\(listMaker) \(words.joined(separator: " ")))"))"
    case .stored(let listed, let words, let orFile):
      " -k -a \(shellQuotedForFish("\(words.joined(separator: " ")) (\(lister) \(listed.rawValue))"))"
        + (orFile ? " -F" : "")
    case .file: " -F"
    case .folder: " -a '(__fish_complete_directories)'"
    case .text: nil
    }
  }

  private func description(_ text: String) -> String { text.isEmpty ? "" : " -d \(shellQuotedForFish(text))" }

  /// A text in fish's single quotes, inside which a backslash escapes itself and the quote.
  private func shellQuotedForFish(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

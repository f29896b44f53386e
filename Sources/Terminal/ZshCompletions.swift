/// Completion for zsh: a function that finds the command among the words, then describes what fits.
struct ZshCompletions {
  let table: CommandTable

  var lines: [String] {
    let name = table.functionName
    return [
      "#compdef \(table.program)",
      "# Completion of \(table.program) for zsh; save it as \(name) in a folder of $fpath.",
      "\(name)() {",
    ] + walk + ["  case \"$place\" in"] + cases + ["  esac"] + answer
      + [
        "}",
        "if [[ $funcstack[1] == \(name) ]]; then \(name) \"$@\"; else compdef \(name) \(table.program); fi",
      ]
  }

  private var walk: [String] {
    let takesValue = table.valueOptions.joined(separator: "|")
    return [
      "  local place= waiting= before",
      "  local -a flags entries",
      "  local kind=words",
      "  for before in \"${(@)words[2,CURRENT-1]}\"; do",
      "    if [[ -n $waiting ]]; then waiting=; continue; fi",
      "    case \"$before\" in",
    ] + (takesValue.isEmpty ? [] : ["      \(takesValue)) waiting=\"$before\" ;;"]) + [
      "      -*) ;;",
      "      *) \(keepWord) ;;",
      "    esac",
      "  done",
    ]
  }

  private var keepWord: String {
    let whole = table.commands.map { shellQuoted($0.path.joined(separator: " ")) }.joined(separator: "|")
    let keep = "case \"$place\" in \(whole)) ;; *) place=\"${place:+$place }$before\" ;; esac"
    let below = table.namesBelowCommands.map(shellQuoted).joined(separator: "|")
    guard !below.isEmpty else { return keep }
    return "case \"$place $before\" in \(below)) place=\"$place $before\" ;; *) \(keep) ;; esac"
  }

  private var cases: [String] {
    let inner = table.inner.filter { table.command($0) == nil }.flatMap { path -> [String] in
      let words = path.isEmpty ? table.firstWords : table.words(after: path)
      return entry(
        path, entries: words.map { described($0, after: path) }, options: table.globals, kind: .text)
    }
    return inner
      + table.commands.flatMap { command -> [String] in
        let kind = command.arguments.first?.kind ?? .text
        let below = table.words(after: command.path).map { described($0, after: command.path) }
        return entry(
          command.path, entries: kind.words + below, options: table.options(of: command), kind: kind)
      }
  }

  /// A word with what it does, as `_describe` reads it.
  private func described(_ word: String, after path: [String]) -> String {
    let summary = table.command(path + [word])?.summary ?? (word == "help" ? "Show help." : "")
    return summary.isEmpty ? word : "\(word):\(escaped(summary))"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  private func entry(_ path: [String], entries: [String], options: [OptionDefinition], kind: ValueKind)
    -> [String]
  {
    let shown = options.map { shellQuoted("--\($0.name):\(escaped($0.summary))") }.joined(separator: " ")
    var lines = ["    \(shellQuoted(path.joined(separator: " "))))", "      flags=(\(shown))"]
    lines.append("      \(assignment(entries, kind: kind))")
    let valued = options.filter { $0.value != nil }
    if !valued.isEmpty {
      lines.append("      case \"$waiting\" in")
      lines += valued.map { "        --\($0.name)) \(assignment($0.kind.words, kind: $0.kind)) ;;" }
      lines.append("      esac")
    }
    return lines + ["      ;;"]
  }

  private func assignment(_ entries: [String], kind: ValueKind) -> String {
    let name =
      switch kind {
      case .file: "files"
      case .folder: "folders"
      case .text, .choice, .proposal: "words"
      }
    return "entries=(\(entries.map(shellQuoted).joined(separator: " "))) kind=\(name)"
  }

  private var answer: [String] {
    [
      "  if [[ -z $waiting && $words[CURRENT] == -* ]]; then",
      "    _describe -o option flags",
      "  elif [[ $kind == files ]]; then",
      "    _files",
      "  elif [[ $kind == folders ]]; then",
      "    _files -/",
      "  else",
      "    _describe \(shellQuoted(table.program)) entries",
      "  fi",
    ]
  }
}

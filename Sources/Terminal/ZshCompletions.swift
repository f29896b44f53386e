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
      "  setopt localoptions extendedglob",
      "  local place= waiting= before list= many=",
      "  local -a flags entries given",
      "  local kind=words",
      "  for before in \"${(@)words[2,CURRENT-1]}\"; do",
    ] + keepPlace + [
      "    if [[ -n $waiting ]]; then waiting=; continue; fi",
      "    case \"$before\" in",
    ] + (takesValue.isEmpty ? [] : ["      \(takesValue)) waiting=\"$before\" ;;"]) + [
      "      -*) ;;",
      "      *) \(keepWord) ;;",
      "    esac",
      "  done",
    ]
  }

  /// Collects where things are stored. The words are as they were typed: quotes go, and nothing else is expanded.
  private var keepPlace: [String] {
    guard !table.placeOptions.isEmpty else { return [] }
    let names = table.placeOptions
    return [
      "    case \"$waiting$before\" in",
      "      \(names.map { "\($0)=*" }.joined(separator: "|"))) given+=(\"${(Q)before}\") ;;",
      "      \(names.map { "\($0)*" }.joined(separator: "|")))",
      "        if [[ -n $waiting ]]; then given+=(\"$waiting=${(Q)before/#\\~\\//$HOME/}\"); fi ;;",
      "    esac",
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
    return summary.isEmpty ? word : "\(word):\(Self.escaped(summary))"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  private func entry(_ path: [String], entries: [String], options: [OptionDefinition], kind: ValueKind)
    -> [String]
  {
    let shown = options.map { shellQuoted("--\($0.name):\(Self.escaped($0.summary))") }.joined(separator: " ")
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
      case .stored(_, _, let orFile): orFile ? "both" : "words"
      case .text, .choice, .proposal, .list: "words"
      }
    return "entries=(\(entries.map(shellQuoted).joined(separator: " "))) kind=\(name)"
      + " list=\(kind.listed?.rawValue ?? "''") many=\(kind.isList ? "yes" : "")"
  }

  private var answer: [String] {
    [
      "  if [[ -z $waiting && $words[CURRENT] == -* ]]; then",
      "    _describe -o option flags",
      "  elif [[ -n $many ]]; then",
      "    compset -P '*,'",
      "    _describe -V \(shellQuoted(table.program)) entries -qS ,",
      "  elif [[ $kind == files ]]; then",
      "    _files",
      "  elif [[ $kind == folders ]]; then",
      "    _files -/",
      "  else",
      "    if [[ -n $list ]]; then",
      "      entries+=(${(M)${(f)\"$(\"${(Q)words[1]/#\\~\\//$HOME/}\" completions zsh --list $list $given \\",
      "        2>/dev/null </dev/null)\"}:#[0-9A-Za-z]##:*})",
      "    fi",
      "    _describe -V \(shellQuoted(table.program)) entries",
      "    if [[ $kind == both ]]; then _files; fi",
      "  fi",
    ]
  }
}

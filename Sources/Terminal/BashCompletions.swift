/// Completion for bash: a function that finds the command among the words, then proposes what fits.
struct BashCompletions {
  let table: CommandTable

  var lines: [String] {
    let name = table.functionName
    return [
      "# Completion of \(table.program) for bash; load it with: source <(\(table.program) completions bash)"
    ]
      + ["\(name)() {"] + walk + ["  case \"$path\" in"] + cases + ["  esac"] + answer
      + ["}", "complete -F \(name) \(table.program)"]
  }

  /// Collects the plain words before the one that is typed into `path`, and the option that waits for a
  /// value.
  private var walk: [String] {
    let takesValue = table.valueOptions.joined(separator: "|")
    return [
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" path= waiting= options= words= files= list= index place",
      "  local many= last= before=",
      "  local program=\"${1:-\(table.program)}\"",
      "  local -a given=()",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    before=\"${COMP_WORDS[index]}\"",
      "    if [[ -n $waiting && $before == '=' ]]; then continue; fi",
      // A colon parts words for bash: the value goes on behind it.
      "    if [[ $before == ':' ]]; then waiting=\"$last\"; continue; fi",
    ] + keepPlace + [
      "    last=\"$waiting\"",
      "    if [[ -n $waiting ]]; then waiting=; continue; fi",
      "    case \"$before\" in",
    ] + (takesValue.isEmpty ? [] : ["      \(takesValue)) waiting=\"$before\" ;;"]) + [
      "      -*) ;;",
      "      *) \(keepWord) ;;",
      "    esac",
      "  done",
      "  if [[ $word == '=' ]]; then word=; fi",
    ]
  }

  /// Collects where things are stored. The words are as they were typed: quotes go, and nothing else is expanded.
  private var keepPlace: [String] {
    guard !table.placeOptions.isEmpty else { return [] }
    return [
      "    case \"$waiting\" in \(table.placeOptions.joined(separator: "|")))",
      "      case \"$before\" in",
      "        \\'*\\') place=\"${before:1:${#before}-2}\" ;;",
      "        \\\"*\\\") place=\"${before:1:${#before}-2}\" ;;",
      "        *) place=\"${before//\\\\/}\" place=\"${place/#\\~\\//$HOME/}\" ;;",
      "      esac",
      "      given+=(\"$waiting=$place\") ;;",
      "    esac",
    ]
  }

  /// Words past a whole command are its arguments and do not belong to the path.
  private var keepWord: String {
    let whole = table.commands.map { shellQuoted($0.path.joined(separator: " ")) }.joined(separator: "|")
    let keep = "case \"$path\" in \(whole)) ;; *) path=\"${path:+$path }$before\" ;; esac"
    let below = table.namesBelowCommands.map(shellQuoted).joined(separator: "|")
    guard !below.isEmpty else { return keep }
    return "case \"$path $before\" in \(below)) path=\"$path $before\" ;; *) \(keep) ;; esac"
  }

  private var cases: [String] {
    let inner = table.inner.filter { table.command($0) == nil }.flatMap { path -> [String] in
      let words = path.isEmpty ? table.firstWords : table.words(after: path)
      return entry(path, words: words, options: table.globals, kind: .text)
    }
    return inner
      + table.commands.flatMap { command -> [String] in
        let kind = command.arguments.first?.kind ?? .text
        let words = kind.words + table.words(after: command.path)
        return entry(command.path, words: words, options: table.options(of: command), kind: kind)
      }
  }

  private func entry(_ path: [String], words: [String], options: [OptionDefinition], kind: ValueKind)
    -> [String]
  {
    var lines = ["    \(shellQuoted(path.joined(separator: " "))))"]
    lines.append("      options=\(shellQuoted(options.map { "--\($0.name)" }.joined(separator: " ")))")
    lines.append("      words=\(shellQuoted(words.joined(separator: " "))) \(sources(kind))")
    let valued = options.filter { $0.value != nil }
    if !valued.isEmpty {
      lines.append("      case \"$waiting\" in")
      for option in valued {
        let words = shellQuoted(option.kind.words.joined(separator: " "))
        lines.append("        --\(option.name)) words=\(words) \(sources(option.kind)) ;;")
      }
      lines.append("      esac")
    }
    return lines + ["      ;;"]
  }

  private func sources(_ kind: ValueKind) -> String {
    let files =
      switch kind {
      case .file, .stored(_, _, orFile: true): "-f"
      case .folder: "-d"
      case .text, .choice, .proposal, .list, .stored: "''"
      }
    return "files=\(files) list=\(kind.listed?.rawValue ?? "''")" + (kind.isList ? " many=yes" : "")
  }

  private var answer: [String] {
    [
      "  if [[ -z $waiting && $word == -* ]]; then words=\"$options\" files= list= many=; fi",
      "  COMPREPLY=()",
      // What stands before the comma is not given to compgen, which would expand it.
      "  if [[ -n $many ]]; then",
      "    if [[ $word == *,* ]]; then before=\"${word%,*},\"; else before=; fi",
      "    for index in $words; do",
      "      if [[ $index == \"${word##*,}\"* ]]; then COMPREPLY+=(\"$before$index\"); fi",
      "    done",
      "    compopt -o nospace 2>/dev/null || :",
      "    return",
      "  fi",
      "  while IFS= read -r index; do COMPREPLY+=(\"$index\"); done < <(",
      "    compgen -W \"$words\" -- \"$word\" || :",
      "    if [[ -n $files ]]; then compgen $files -- \"$word\" || :; fi",
      "  )",
      "  if [[ -n $list ]]; then",
      "    while IFS= read -r index; do",
      "      if [[ $index =~ ^[0-9A-Za-z]+$ && $index == \"$word\"* ]]; then COMPREPLY+=(\"$index\"); fi",
      "    done < <(\"${program/#\\~\\//$HOME/}\" completions bash --list \"$list\" ${given[@]+\"${given[@]}\"} \\",
      "      2>/dev/null </dev/null || :)",
      "  fi",
      "  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null || :; fi",
    ]
  }
}

/// Scripts that complete commands and options in a shell, made from a command table.
package enum Shell: String, Hashable, Sendable, CaseIterable {
  /// The GNU shell.
  case bash
  /// The Z shell.
  case zsh
  /// The friendly interactive shell.
  case fish
}

extension CommandTable {
  /// The script for a shell, a line each.
  package func completions(for shell: Shell) -> [String] {
    switch shell {
    case .bash: BashCompletions(table: self).lines
    case .zsh: ZshCompletions(table: self).lines
    case .fish: FishCompletions(table: self).lines
    }
  }

  /// The program's name as part of a shell function's name.
  var functionName: String {
    "_" + program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }

  /// The names of all options that take a value, each once, so that a script can skip values.
  var valueOptions: [String] {
    var names: [String] = []
    for option in commands.flatMap(\.options) + globals where option.value != nil {
      let name = "--\(option.name)"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The words that may follow `help`, and the help command itself when the table does not list it.
  var firstWords: [String] {
    let words = words(after: [])
    return words.contains("help") ? words : words + ["help"]
  }
}

/// A text as one word for a shell, in single quotes (POSIX.1-2017, Shell Command Language, 2.2.2).
func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

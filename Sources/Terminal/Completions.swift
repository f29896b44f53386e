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

  /// What the scripts have the program print: a line for each word, as the shell's script reads it.
  package static func listing(_ words: [DescribedWord], for shell: Shell) -> [String] {
    words.map { word in
      switch shell {
      case .bash: word.word
      case .zsh: "\(word.word):\(ZshCompletions.escaped(word.description))"
      case .fish: "\(word.word)\t\(word.description)"
      }
    }
  }

  /// The options of every command that say where things are stored, which the scripts hand on.
  var placeOptions: [String] { globals.filter { $0.value != nil }.map { "--\($0.name)" } }

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

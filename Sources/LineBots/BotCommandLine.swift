internal import BotKit
internal import Events

/// A bot that is a program of its own, as it is named on the command line: `./mybot.py --depth 3`, or
/// `gtp:./engine` for an engine that speaks another protocol than Parlor's.
package struct BotCommandLine: Hashable, Sendable {
  /// What the program speaks.
  package enum Speech: Hashable, Sendable {
    /// The line protocol of Docs/LINE-PROTOCOL.md.
    case parlor
    case gtp
    /// How deep the engine is to search.
    case nboard(depth: Int?)
    case gomocup
  }

  /// The program and its arguments.
  package let words: [String]
  /// What it speaks.
  package let speech: Speech

  /// Reads a command: words between spaces, with quotes and backslashes as in a shell, and `~/` for the home folder at
  /// the beginning of the program. No shell is asked, and nothing else is replaced.
  /// - Returns: `nil` where there is no word, or a quote is not closed.
  package init?(_ typed: String, home: String?) {
    let (speech, text) = Self.speech(of: typed)
    self.speech = speech
    guard var words = Self.words(of: text), let program = words.first, !program.isEmpty else { return nil }
    if program.hasPrefix("~/"), let home { words[0] = home + program.dropFirst() }
    self.words = words
  }

  /// What the program speaks, by the words before the command's first colon, and the command after it.
  private static func speech(of typed: String) -> (Speech, String) {
    guard let (name, rest) = EngineProtocol.parse(typed) else { return (.parlor, typed) }
    switch name {
    case .gtp: return (.gtp, rest)
    case .gomocup: return (.gomocup, rest)
    case .nboard:
      let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let depth = Int(parts[0]), NBoardDialect.depths.contains(depth) else {
        return (.nboard(depth: nil), rest)
      }
      return (.nboard(depth: depth), String(parts[1]))
    }
  }

  /// What stands before the command for it to be read again as this one.
  private var prefix: String {
    switch speech {
    case .parlor: ""
    case .gtp: EngineProtocol.gtp.rawValue + ":"
    case .nboard(let depth): EngineProtocol.nboard.rawValue + ":" + (depth.map { "\($0):" } ?? "")
    case .gomocup: EngineProtocol.gomocup.rawValue + ":"
    }
  }

  /// How the program is spoken with.
  package func dialect(_ limits: LineBotLimits) -> any LineDialect {
    switch speech {
    case .parlor: ParlorDialect()
    case .gtp: GTPDialect()
    case .nboard(let depth): NBoardDialect(depth: depth)
    case .gomocup: GomocupDialect(limits)
    }
  }

  private static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        word = (word ?? .init()) + [scalar]
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { word = (word ?? .init()) + [scalar] }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
        word = word ?? .init()
      } else if scalar == " " || scalar == "\t" || scalar == "\n" {
        if let done = word { words.append(String(done)) }
        word = nil
      } else {
        word = (word ?? .init()) + [scalar]
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let done = word { words.append(String(done)) }
    return words
  }

  /// How the bot is called in the log: as it was typed, but of paths that begin at the root only the last parts, so
  /// that others do not read where this user's files lie.
  /// - Parameters:
  ///   - parts: how many parts of such a path are kept.
  ///   - number: tells commands apart that have the same name otherwise, from 2; 1 adds nothing.
  package func specification(parts: Int = 1, number: Int = 1) -> String {
    let shown = words.map { word in
      word.hasPrefix("/") ? "./" + word.split(separator: "/").suffix(parts).joined(separator: "/") : word
    }
    let suffix = number == 1 ? "" : "#\(number)"
    let text = prefix + shown.map(Self.quoted).joined(separator: " ")
    let room = BotEntry.limitSpecificationBytes - suffix.utf8.count
    guard text.utf8.count > room else { return text + suffix }
    return text.prefix(utf8Bytes: room - Self.ellipsis.utf8.count) + Self.ellipsis + suffix
  }

  /// What stands at the end of a command that is longer than the log takes.
  package static let ellipsis = "…"

  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy { $0.value > 0x20 && !["'", "\"", "\\"].contains($0) }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

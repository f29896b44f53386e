/// One command of the program: what help says of it and what the parser takes.
package struct CommandDefinition: Hashable, Sendable {
  /// The words that name it, such as `tournament run`.
  package var path: [String]
  /// The heading that it stands under in the overview.
  package var group: String
  /// What it does, in one line.
  package var summary: String
  /// What else there is to know, in paragraphs.
  package var text: [String]
  /// What follows the name, in order.
  package var arguments: [ArgumentDefinition]
  /// What it takes besides the options of every command.
  package var options: [OptionDefinition]
  /// Ways to use it.
  package var examples: [Example]
  /// What its exit status means, where that is particular to it.
  package var exitStatuses: [ExitMeaning]
  /// The JSON objects that it prints after `--json`, in the order in which they come.
  package var objects: [ObjectDefinition]

  /// A command; the path is written with spaces.
  package init(
    _ path: String, group: String, summary: String, text: [String] = [], arguments: [ArgumentDefinition] = [],
    options: [OptionDefinition] = [], examples: [Example] = [], exitStatuses: [ExitMeaning] = [],
    objects: [ObjectDefinition] = []
  ) {
    self.path = path.split(separator: " ").map(String.init)
    self.group = group
    self.summary = summary
    self.text = text
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.exitStatuses = exitStatuses
    self.objects = objects
  }

  /// What its options are for: that of all first, then by the first option for it.
  var optionTopics: [String?] {
    var topics: [String?] = options.contains { $0.topic == nil } ? [nil] : []
    for option in options where !topics.contains(option.topic) { topics.append(option.topic) }
    return topics
  }

  /// A command line and what it does.
  package struct Example: Hashable, Sendable {
    /// The command line, without the program's name.
    package var command: String
    /// What it does.
    package var effect: String

    /// A command line, without the program's name, and what it does.
    package init(_ command: String, _ effect: String) {
      self.command = command
      self.effect = effect
    }
  }

  /// An exit status and its meaning for one command.
  package struct ExitMeaning: Hashable, Sendable {
    /// The status.
    package var status: ExitStatus
    /// When the command ends with it.
    package var meaning: String

    /// An exit status and when the command ends with it.
    package init(_ status: ExitStatus, _ meaning: String) {
      self.status = status
      self.meaning = meaning
    }
  }
}

/// What may stand for a value, for checking and for completion.
package enum ValueKind: Hashable, Sendable {
  /// Any text.
  case text
  /// One of these words, checked by the parser.
  case choice([String])
  /// Any text; these words are only proposed, as with names of games.
  case proposal([String])
  /// Any text; these words are only proposed, for each part of it between commas.
  case list([String])
  /// Any text; proposed are these words and what the program lists of what is stored, and files where those do too.
  case stored(StoredWords, [String] = ["last"], orFile: Bool = false)
  /// A file's path.
  case file
  /// A folder's path.
  case folder

  /// The words to propose.
  var words: [String] {
    switch self {
    case .choice(let words), .proposal(let words), .list(let words), .stored(_, let words, _): words
    case .text, .file, .folder: []
    }
  }

  /// Whether words are proposed behind each comma.
  var isList: Bool {
    if case .list = self { true } else { false }
  }

  /// What the program lists of what is stored.
  var listed: StoredWords? {
    if case .stored(let listed, _, _) = self { listed } else { nil }
  }
}

/// What the scripts of completion have the program list when Tab is pressed.
package enum StoredWords: String, Hashable, Sendable, CaseIterable {
  /// The first digits of all rooms' ids.
  case rooms
  /// The same of games that are not over.
  case unfinished
  /// The same of tournaments.
  case tournaments
  /// The codes of games that are not over.
  case codes
  /// The codes of games that have a free seat.
  case seats
}

/// A word that completes what is typed, and what it stands for.
package struct DescribedWord: Hashable, Sendable {
  /// ASCII letters and digits: the scripts let nothing else through.
  package var word: String
  /// What it stands for, in one line that is safe to print.
  package var description: String

  /// A word and what it stands for.
  package init(_ word: String, _ description: String) {
    self.word = word
    self.description = description
  }
}

/// Something that stands after a command's name without an option's name before it.
package struct ArgumentDefinition: Hashable, Sendable {
  /// Its name in help, in lower case; shown in capitals.
  package var name: String
  /// What it is, in one line.
  package var summary: String
  /// Whether it may be left out; then all that follow may be too.
  package var isOptional: Bool
  /// Whether it may come more than once; only the last one may.
  package var repeats: Bool
  /// What it may be.
  package var kind: ValueKind

  /// A positional argument.
  package init(
    _ name: String, _ summary: String, isOptional: Bool = false, repeats: Bool = false,
    kind: ValueKind = .text
  ) {
    self.name = name
    self.summary = summary
    self.isOptional = isOptional
    self.repeats = repeats
    self.kind = kind
  }

  /// What it is, with the words that may stand there.
  var description: String {
    guard case .choice(let words) = kind else { return summary }
    return Self.joined(summary, ["One of: \(words.joined(separator: ", "))."])
  }

  /// A summary, which ends as a sentence where others follow.
  static func joined(_ summary: String, _ sentences: [String]) -> String {
    let isWhole = sentences.isEmpty || summary.hasSuffix(".")
    return ([isWhole ? summary : summary + "."] + sentences).joined(separator: " ")
  }

  /// How it stands in a usage line.
  var usage: String {
    let shown = name.uppercased() + (repeats ? "…" : "")
    return isOptional ? "[\(shown)]" : shown
  }
}

/// An option: a switch, or a name with a value.
package struct OptionDefinition: Hashable, Sendable {
  /// Its name without the two hyphens.
  package var name: String
  /// A single letter that stands for it after one hyphen.
  package var short: Character?
  /// What stands for the value in help, in capitals; `nil` for a switch.
  package var value: String?
  /// What it does, in one line.
  package var summary: String
  /// The value when it is not given.
  package var standard: String?
  /// The value when its name stands alone; `nil` where a value must follow.
  package var bare: String?
  /// Whether the command cannot do without it.
  package var isRequired: Bool
  /// Whether it may be given more than once.
  package var repeats: Bool
  /// What its value may be.
  package var kind: ValueKind
  /// What it alone is for, such as one of several games: it stands under a heading with this in help. `nil` for all.
  package var topic: String?

  /// The same option, for this alone.
  package func `for`(_ topic: String) -> OptionDefinition {
    var option = self
    option.topic = topic
    return option
  }

  /// An option with a value.
  package static func value(
    _ name: String, _ value: String, _ summary: String, standard: String? = nil, bare: String? = nil,
    isRequired: Bool = false, repeats: Bool = false, kind: ValueKind = .text
  ) -> OptionDefinition {
    OptionDefinition(
      name: name, short: nil, value: value, summary: summary, standard: standard, bare: bare,
      isRequired: isRequired, repeats: repeats, kind: kind)
  }

  /// An option that is given or not.
  package static func flag(_ name: String, short: Character? = nil, _ summary: String) -> OptionDefinition {
    OptionDefinition(
      name: name, short: short, value: nil, summary: summary, standard: nil, bare: nil,
      isRequired: false, repeats: false, kind: .text)
  }

  /// What it does, with what its value may be.
  var description: String {
    var sentences: [String] = []
    if case .choice(let words) = kind { sentences.append("One of: \(words.joined(separator: ", ")).") }
    if repeats { sentences.append("May be given more than once.") }
    if isRequired { sentences.append("Required.") }
    if let standard { sentences.append("Default: \(standard).") }
    return ArgumentDefinition.joined(summary, sentences)
  }

  /// How it stands in a usage line or a list of options.
  var usage: String { "--\(name)" + (value.map { bare == nil ? " \($0)" : " [\($0)]" } ?? "") }
}

internal import Events

/// How entrants are paired with each other: a format's code, its words, its options and what makes it work.
///
/// A format is one file, with its ``PairingSystem`` and a constant of this type, and one line in ``allCases``.
package struct TournamentFormat: Sendable {
  /// The code in events. It never changes its meaning.
  package let rawValue: UInt8
  /// How many entrants it may have with those that come in after the start; 0 where nobody may.
  package var mostLateEntrants: Int { Int(Create.limitLateEntrants[rawValue] ?? 0) }
  /// The name on the command line: lower-case letters and hyphens.
  package let name: String
  /// The format in one line, for help texts.
  package let summary: String
  /// The games of each pairing when nothing is said.
  package let standardGames: Int
  /// The most entrants.
  package let mostEntrants: Int
  /// What can be chosen besides.
  package let options: [FormatOption]
  /// Whether its pairings are drawn as a tree.
  package let isTree: Bool
  /// Whether pairings follow from results in another way than that winners and losers go to places fixed before. The
  /// organizer's words alone open the rounds then (Docs/PROTOCOL.md §1.9).
  package let followsWords: Bool
  /// What its results are best shown as.
  package let results: Results
  /// Which system a tournament report file of it tells of; `nil` where there is none for it.
  package let report: SwissReport.System?
  /// The format at work.
  let system: @Sendable (TournamentSettings) -> any PairingSystem

  init(
    code: UInt8, name: String, summary: String, standardGames: Int = 1,
    mostEntrants: Int = Int(Create.limitEntrants),
    options: [FormatOption] = [], isTree: Bool = false, followsWords: Bool = false,
    results: Results, report: SwissReport.System? = nil,
    system: @escaping @Sendable (TournamentSettings) -> any PairingSystem
  ) {
    rawValue = code
    self.name = name
    self.summary = summary
    self.standardGames = standardGames
    self.mostEntrants = mostEntrants
    self.options = options
    self.isTree = isTree
    self.followsWords = followsWords
    self.results = results
    self.report = report
    self.system = system
  }
}

extension TournamentFormat {
  /// What results are best shown as.
  package enum Results: Hashable, Sendable {
    /// Brackets, as winners and losers of places go to other places.
    case tree
    /// A table of everybody against everybody.
    case againstAll
    /// A table of everybody against the first entrant.
    case againstFirst
    /// A table of everybody's rounds.
    case byRound
  }

  /// Every format, in the order of help texts.
  package static let allCases: [TournamentFormat] = [
    .singleElimination,
    .roundRobin,
    .swiss,
    .doubleElimination,
    .gauntlet,
    .ladder,
    .groups,
  ]

  /// The format with this code; `nil` when it is not known here.
  package init?(rawValue: UInt8) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// The format with this name, compared byte by byte.
  /// - Throws: ``TournamentError/unknownFormat(_:)``, whose words list the names.
  package init(name: String) throws(TournamentError) {
    let bytes = Array(name.utf8)
    guard let format = Self.allCases.first(where: { Array($0.name.utf8) == bytes }) else {
      throw .unknownFormat(name)
    }
    self = format
  }

  /// Every name, in the order of help texts.
  package static var names: [String] { allCases.map(\.name) }

  /// The options of all formats, each once, in the order of help texts.
  package static var options: [FormatOption] {
    allCases.flatMap(\.options).reduce(into: []) { options, option in
      if !options.contains(where: { $0.name == option.name }) { options.append(option) }
    }
  }
}

extension TournamentFormat: Hashable, CustomStringConvertible {
  /// Formats of one code are one.
  package static func == (a: TournamentFormat, b: TournamentFormat) -> Bool { a.rawValue == b.rawValue }

  /// Hashes the code.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The name.
  package var description: String { name }
}

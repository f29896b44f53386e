/// How entrants are paired with each other.
///
/// Raw values are the codes in events and never change their meaning.
package enum TournamentFormat: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Who loses a pairing is out.
  case singleElimination = 1
  /// Everybody is paired with everybody once.
  case roundRobin = 2

  /// The name on the command line: lower-case letters and hyphens.
  package var name: String {
    switch self {
    case .singleElimination: "single-elimination"
    case .roundRobin: "round-robin"
    }
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

  /// The format in one line, for help texts.
  package var summary: String {
    switch self {
    case .singleElimination:
      "the loser of a pairing is out; level pairings go to decider games, then to the better seed"
    case .roundRobin:
      "everybody is paired with everybody once, both colours"
    }
  }

  /// The games of each pairing when nothing is said.
  ///
  /// A round robin plays both colours. A knock-out pairing is one game, and deciders when it is level.
  package var standardGames: Int {
    switch self {
    case .singleElimination: 1
    case .roundRobin: 2
    }
  }

  /// The most decider games of a level pairing when nothing is said: each entrant moves first in one.
  package var standardDeciders: Int {
    switch self {
    case .singleElimination: 2
    case .roundRobin: 0
    }
  }

  /// The name.
  package var description: String { name }
}

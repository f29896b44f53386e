/// Why a tournament cannot be set up or its standings cannot be written.
package enum TournamentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No format has this name.
  case unknownFormat(String)
  /// So many entrants are too few or too many.
  case entrants(Int)
  /// So many games are too few or too many for a pairing.
  case games(Int)
  /// So many decider games are too few or too many.
  case deciders(Int)
  /// Decider games were asked for in a format where pairings may end level.
  case decidersWithoutKnockOut(TournamentFormat)
  /// There is not one label for each entrant.
  case labels(Int, entrants: Int)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .unknownFormat(let name):
      "no tournament format “\(name)” is known here; there are: "
        + TournamentFormat.names.joined(separator: ", ")
    case .entrants(let count):
      "a tournament takes \(Self.text(TournamentSettings.entrantLimits)) entrants, not \(count)"
    case .games(let count):
      "a pairing takes \(Self.text(TournamentSettings.gameLimits)) games, not \(count)"
    case .deciders(let count):
      "a pairing takes \(Self.text(TournamentSettings.deciderLimits)) decider games, not \(count)"
    case .decidersWithoutKnockOut(let format):
      "a \(format) has no decider games, its pairings may end level; leave them out"
    case .labels(let count, let entrants):
      "\(count) labels were given for \(entrants) entrants; give one for each"
    }
  }

  private static func text(_ limits: ClosedRange<Int>) -> String {
    "\(limits.lowerBound) to \(limits.upperBound)"
  }
}

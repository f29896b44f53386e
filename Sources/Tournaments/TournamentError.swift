/// Why a tournament cannot be set up or its standings cannot be written.
package enum TournamentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No format has this name.
  case unknownFormat(String)
  /// A tournament's room names a format that is not known here.
  case unknownFormatCode(UInt8)
  /// So many entrants are too few or too many.
  case entrants(Int, ClosedRange<Int>)
  /// So many games are too few or too many for a pairing.
  case games(Int)
  /// An option of the format is too small or too large.
  case option(String, Int, ClosedRange<Int>)
  /// The format has no such option.
  case optionOfOthers(String, TournamentFormat)
  /// A tournament's room has options that the format does not have.
  case unknownOptions(UInt8, TournamentFormat)
  /// There is not one label for each entrant.
  case labels(Int, entrants: Int)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .unknownFormat(let name):
      "no tournament format “\(name)” is known here; there are: "
        + TournamentFormat.names.joined(separator: ", ")
    case .unknownFormatCode(let code):
      "the tournament's format, \(code), is not known here; a newer program may know it"
    case .entrants(let count, let limits):
      "such a tournament takes \(Self.text(limits)) entrants, not \(count)"
    case .games(let count):
      "a pairing takes \(Self.text(TournamentSettings.gameLimits)) games, not \(count)"
    case .option(let name, let value, let limits):
      "--\(name) takes \(Self.text(limits)) in this tournament, not \(value)"
    case .optionOfOthers(let name, let format):
      "a \(format) tournament has no --\(name); leave it out"
    case .unknownOptions(let byte, let format):
      "a \(format) tournament has no options \(byte); a newer program may know them"
    case .labels(let count, let entrants):
      "\(count) labels were given for \(entrants) entrants; give one for each"
    }
  }

  private static func text(_ limits: ClosedRange<Int>) -> String {
    "\(limits.lowerBound) to \(limits.upperBound)"
  }
}

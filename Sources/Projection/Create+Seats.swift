package import Events
import Rules

extension Create {
  /// The fewest seats of a room that is played by fewer than it was made for.
  private static let fewestSeats = 2
  /// The setting of rules that take several numbers of players.
  private static let playersSetting = "players"

  /// How many entrants a tournament may have with those that come after its start; 0 where nobody may.
  package var placesAfterStart: Int {
    guard case .tournament(let format, _, _, _) = purpose, let limit = Self.limitLateEntrants[format] else {
      return 0
    }
    return Int(min(seats, limit))
  }

  /// The room as if it had been made for fewer seats; `nil` where it cannot be played so: it is no tournament and has
  /// no setting `players` that says how many seats it has, or the number is not below that, or below two
  /// (Docs/PROTOCOL.md §1.2, start).
  package func played(by number: Int) -> Create? {
    guard isReadable, number >= Self.fewestSeats, number < Int(seats) else { return nil }
    if isTournament {
      var fewer = self
      fewer.seats = UInt16(truncatingIfNeeded: number)
      return fewer
    }
    guard isGames, var settings = Parameters(encoded: parameters), settings[Self.playersSetting] == "\(seats)"
    else { return nil }
    settings[Self.playersSetting] = "\(number)"
    var fewer = self
    fewer.parameters = settings.encoded
    fewer.seats = UInt16(truncatingIfNeeded: number)
    return fewer
  }
}

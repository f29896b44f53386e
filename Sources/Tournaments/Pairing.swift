package import Rules

/// A pairing's number in its tournament: from 0 without a gap, in order of round, then position.
///
/// Byes have no number. The numbers depend on the settings alone, not on results.
package struct PairingNumber: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, from 0.
  package var rawValue: UInt32

  /// The pairing with this number.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The pairing with this number.
  package init(_ number: UInt32) { self.rawValue = number }

  /// The pairing at this place of a tournament's pairings, of which there are at most 2,016.
  init(index: Int) { self.rawValue = UInt32(index) }

  /// The number as an array index.
  package var index: Int { Int(rawValue) }

  /// Orders pairings by number.
  package static func < (a: PairingNumber, b: PairingNumber) -> Bool { a.rawValue < b.rawValue }

  /// The number as people count: the first pairing is M1.
  package var description: String { "M\(UInt64(rawValue) + 1)" }
}

/// Two entrants who are to play each other, with the seats they take.
///
/// A pairing's games are played in one room or, in a knock-out, in several: see ``PairingAttempt``.
package struct Pairing: Hashable, Sendable {
  /// The pairing's number.
  package var number: PairingNumber
  /// The round, from 0.
  package var round: Int
  /// The place in the round, from 0, byes included.
  package var position: Int
  /// Who has seat 0 in the first room.
  package var first: EntrantIndex
  /// Who has seat 1 in the first room.
  package var second: EntrantIndex
  /// The games of the first room.
  package var games: Int
  /// The most decider games when the pairing must have a winner; `nil` when it may end level.
  package var deciders: Int?

  /// Both entrants, by seat in the first room.
  package var entrants: [EntrantIndex] { [first, second] }

  /// The entrant with the better seed.
  package var betterSeed: EntrantIndex { min(first, second) }

  /// What is to be played as this attempt; `nil` when the pairing never has so many.
  package func attempt(_ number: Int) -> PairingAttempt? {
    guard number >= 0, number <= deciders ?? 0 else { return nil }
    return PairingAttempt(pairing: self, attempt: UInt8(number))
  }
}

/// One room of a pairing: attempt 0 is the pairing's games, later ones are deciders of one game each.
///
/// How a level knock-out pairing is decided: attempt 0 has the tournament's number of games. While the
/// attempts so far are level on points, another room of a single game follows, with the seats of the room
/// before swapped, up to the tournament's number of deciders. When the last one is level too, the better seed
/// goes through. A room's number of games is thus fixed when it is created, and every room has one result.
///
///     attempt 0   seat 0 first, seat 1 second    `games` games
///     attempt 1   seat 0 second, seat 1 first    1 game, when attempt 0 was level
///     attempt 2   seat 0 first, seat 1 second    1 game, when attempt 1 was level too, and so on
package struct PairingAttempt: Hashable, Sendable {
  /// The pairing that is played.
  package let pairing: Pairing
  /// The attempt, from 0.
  package let attempt: UInt8

  /// A room of this pairing; ``Pairing/attempt(_:)`` checks that there is such a room.
  init(pairing: Pairing, attempt: UInt8) {
    self.pairing = pairing
    self.attempt = attempt
  }

  /// Whether the pairing's second entrant has seat 0.
  package var isSwapped: Bool { attempt % 2 == 1 }

  /// The two entrants by the number of their seat in this room.
  package var entrants: [EntrantIndex] {
    isSwapped ? [pairing.second, pairing.first] : [pairing.first, pairing.second]
  }

  /// The room's games.
  package var games: Int { attempt == 0 ? pairing.games : 1 }

  /// Who moves first in a game of the room, counted from 0: seat 0 in even games, seat 1 in odd ones.
  package func firstSeat(game: Int) -> Seat { Seat(game.isMultiple(of: 2) ? 0 : 1) }
}

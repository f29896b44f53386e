/// What an entrant gained in some games.
package struct GameTally: Hashable, Sendable {
  /// Games won, those that the opponent did not play included.
  package var wins = 0
  /// Games drawn.
  package var draws = 0
  /// Games lost, those that the entrant did not play included.
  package var losses = 0
  /// The sum of the games' scores; games that were not played add nothing.
  package var score: Int64 = 0

  /// Nothing gained yet.
  package init() {}

  /// Points in half points: 2 for a win, 1 for a draw.
  package var halfPoints: Int { 2 * wins + draws }

  /// The number of games.
  package var games: Int { wins + draws + losses }

  /// Adds a game that was played.
  mutating func count(_ own: Int32, against other: Int32) {
    score += Int64(own)
    if own > other {
      wins += 1
    } else if own < other {
      losses += 1
    } else {
      draws += 1
    }
  }

  /// Adds games that were not played: lost by who was absent, won by who was there.
  mutating func forfeit(_ games: Int, isLost: Bool) {
    if isLost { losses += games } else { wins += games }
  }

  /// Adds another tally.
  static func += (a: inout GameTally, b: GameTally) {
    a.wins += b.wins
    a.draws += b.draws
    a.losses += b.losses
    a.score += b.score
  }
}

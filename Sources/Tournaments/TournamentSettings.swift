/// What a tournament fixes before its first pairing.
package struct TournamentSettings: Hashable, Sendable {
  /// How many entrants a tournament takes.
  package static let entrantLimits = 2...64
  /// How many games a pairing takes; they are one room, which has the same limits.
  package static let gameLimits = 1...256
  /// How many decider games a level knock-out pairing may take.
  package static let deciderLimits = 0...16

  /// How entrants are paired.
  package let format: TournamentFormat
  /// How many entrants there are.
  package let entrants: Int
  /// The games of a pairing's first room.
  package let games: Int
  /// The most decider games of a level pairing, each a room of its own. Always 0 in a round robin.
  package let deciders: Int
  /// What a round robin ranks by first.
  package let ranking: Ranking

  /// What a round robin ranks by first.
  package enum Ranking: Hashable, Sendable {
    /// Games won and drawn, as in board games.
    case points
    /// The sum of the games' scores, as in the literature of the prisoner's dilemma.
    case score
  }

  /// Checks and keeps the settings.
  /// - Parameters:
  ///   - format: how entrants are paired.
  ///   - entrants: how many there are, 2 to 64.
  ///   - games: the games of a pairing, 1 to 256; `nil` for the format's standard.
  ///   - deciders: the most decider games of a level pairing, 0 to 16; `nil` for the format's standard.
  ///   - ranking: what a round robin ranks by first; it follows from the game's rules.
  /// - Throws: ``TournamentError`` naming the value that is out of its limits.
  package init(
    format: TournamentFormat, entrants: Int, games: Int? = nil, deciders: Int? = nil,
    ranking: Ranking = .points
  ) throws(TournamentError) {
    let games = games ?? format.standardGames
    let deciders = deciders ?? format.standardDeciders
    guard Self.entrantLimits.contains(entrants) else { throw .entrants(entrants) }
    guard Self.gameLimits.contains(games) else { throw .games(games) }
    guard Self.deciderLimits.contains(deciders) else { throw .deciders(deciders) }
    guard format == .singleElimination || deciders == 0 else { throw .decidersWithoutKnockOut(format) }
    self.format = format
    self.entrants = entrants
    self.games = games
    self.deciders = deciders
    self.ranking = ranking
  }

  /// Every entrant, by seed.
  package var seeds: [EntrantIndex] { (0..<entrants).map(EntrantIndex.init(index:)) }
}

/// What a tournament fixes before its first pairing.
package struct TournamentSettings: Hashable, Sendable {
  /// The fewest entrants; the most are the format's.
  package static let fewestEntrants = 2
  /// How many games a pairing takes; they are one room, which has the same limits.
  package static let gameLimits = 1...256

  /// How entrants are paired.
  package let format: TournamentFormat
  /// How many entrants there are at the start.
  package let entrants: Int
  /// The games of a pairing's first room.
  package let games: Int
  /// The format's options as they stand in the tournament's `create`.
  package let options: UInt8
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
  ///   - entrants: how many there are, 2 to the format's most.
  ///   - games: the games of a pairing, 1 to 256; `nil` for the format's standard.
  ///   - chosen: the format's options by name; the standard of those that are not there.
  ///   - ranking: what a round robin ranks by first; it follows from the game's rules.
  /// - Throws: ``TournamentError`` naming the value that is out of its limits.
  package init(
    format: TournamentFormat, entrants: Int, games: Int? = nil, options chosen: [String: Int] = [:],
    ranking: Ranking = .points
  ) throws(TournamentError) {
    let limits = Self.fewestEntrants...format.mostEntrants
    guard limits.contains(entrants) else { throw .entrants(entrants, limits) }
    if let other = chosen.keys.sorted().first(where: { name in !format.options.contains { $0.name == name } }
    ) {
      throw .optionOfOthers(other, format)
    }
    var byte: UInt8 = 0
    for option in format.options {
      let value = chosen[option.name] ?? option.standard(entrants)
      let limits = option.limits(entrants)
      guard limits.contains(value) else { throw .option(option.name, value, limits) }
      byte |= option.byte(of: value)
    }
    try self.init(format: format, entrants: entrants, games: games, byte: byte, ranking: ranking)
  }

  /// Settings as a tournament's `create` has them.
  /// - Parameter byte: the format's options.
  package init(
    format: TournamentFormat, entrants: Int, games: Int?, byte: UInt8, ranking: Ranking
  ) throws(TournamentError) {
    let games = games ?? format.standardGames
    let limits = Self.fewestEntrants...format.mostEntrants
    guard limits.contains(entrants) else { throw .entrants(entrants, limits) }
    guard Self.gameLimits.contains(games) else { throw .games(games) }
    var known: UInt8 = 0
    for option in format.options {
      let value = option.value(in: byte)
      let limits = option.limits(entrants)
      guard limits.contains(value) else { throw .option(option.name, value, limits) }
      known |= option.byte(of: value)
    }
    guard known == byte else { throw .unknownOptions(byte, format) }
    self.format = format
    self.entrants = entrants
    self.games = games
    options = byte
    self.ranking = ranking
  }

  /// What was chosen; `nil` when the format has no such option.
  func value(of option: FormatOption) -> Int? {
    format.options.first { $0.name == option.name }?.value(in: options)
  }

  /// Every entrant of the start, by seed.
  package var seeds: [EntrantIndex] { (0..<entrants).map(EntrantIndex.init(index:)) }

  /// The format at work with these settings.
  package var system: any PairingSystem { format.system(self) }

  /// A pairing with the games of these settings.
  /// - Parameter mustHaveWinner: whether a level one goes to decider games, then to the better seed.
  func pairing(
    _ place: ScheduledPairing, _ number: PairingNumber, first: EntrantIndex, second: EntrantIndex,
    mustHaveWinner: Bool = false
  ) -> Pairing {
    Pairing(
      number: number, round: place.round, position: place.position, first: first, second: second,
      games: games, deciders: mustHaveWinner ? deciders : nil)
  }
}

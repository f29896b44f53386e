import BotKit
import Peer
import Ratings
import Rules
import Terminal

/// In which order entrants are seeded.
enum Seeding: String, CaseIterable {
  /// As they were given.
  case order
  /// By the ratings of their file, or else from the games that are stored, the best first.
  case rating
  /// By lot.
  case draw

  static let option = OptionDefinition.value(
    "seeding", "HOW",
    "Which entrants are seeded best: in the `order` given, by `rating` (that of --entrants-file, else from the stored"
      + " games of this game as `parlor ratings` tells it), or by a `draw` that follows from --seed.",
    standard: Seeding.order.rawValue,
    kind: .choice(Seeding.allCases.map(\.rawValue)))

  /// The entrants, best seed first. Who has a fixed place is there; the others fill the places that are left.
  /// - Parameters:
  ///   - entrants: bots as they are named.
  ///   - seed: what a draw follows from.
  /// - Throws: where no game connects the ratings of two entrants.
  func seeded(
    _ entrants: [Candidate], _ rules: any GameRules, seed: UInt64, _ context: Context
  ) throws -> [Candidate] {
    var ordered = entrants
    switch self {
    case .order: break
    case .draw: ordered = Self.drawn(entrants, seed: seed)
    case .rating: ordered = try Self.rated(entrants, rules, context)
    }
    var others = ordered.filter { $0.seed == nil }.makeIterator()
    return entrants.indices.compactMap { place in
      ordered.first { $0.seed == place + 1 } ?? others.next()
    }
  }

  private static func drawn(_ entrants: [Candidate], seed: UInt64) -> [Candidate] {
    var (drawn, random) = (entrants, RandomSource(seed: seed, round: .max, seat: Seat(0), ply: 0).generator())
    for left in stride(from: drawn.count, to: 1, by: -1) {
      drawn.swapAt(left - 1, Int(random.below(UInt64(left))))
    }
    return drawn
  }

  /// By rating, equal ones in their own order, and those without one behind all.
  private static func rated(
    _ entrants: [Candidate], _ rules: any GameRules, _ context: Context
  ) throws -> [Candidate] {
    let unrated = entrants.filter { $0.rating == nil }
    let stored =
      unrated.isEmpty
      ? [:] : try storedRatings(of: unrated, rules, context, isNeeded: unrated.count == entrants.count)
    func points(_ entrant: Candidate) -> Double? {
      entrant.rating.map(Double.init) ?? stored[entrant.specification]
    }
    for entrant in entrants where points(entrant) == nil {
      let name = SafeText(entrant.label ?? entrant.specification).text
      context.console.note("\(name) has no rating here, and is seeded behind the others.")
    }
    return entrants.indices.sorted { first, second in
      let (one, other) = (points(entrants[first]), points(entrants[second]))
      return (-(one ?? -.infinity), first) < (-(other ?? -.infinity), second)
    }.map { entrants[$0] }
  }

  /// The ratings of bots from the games that are stored, on the scale of `parlor ratings`, by what the log calls them.
  /// - Parameter isNeeded: whether there are no others.
  private static func storedRatings(
    of entrants: [Candidate], _ rules: any GameRules, _ context: Context, isNeeded: Bool
  ) throws -> [String: Double] {
    let game = rules.definition.name
    let games = try context.store.readerIfAny(tells: isNeeded)?
      .ratedGames(of: game, context.games) { try context.checkStop() }.first
    guard let games, !games.duels.isEmpty else {
      if !isNeeded { return [:] }
      throw Failure(
        .noInput, "no rating of \(game) is known here, so entrants cannot be seeded by rating",
        hint: "`parlor match` plays games that rate bots, and `parlor ratings` shows what they make")
    }
    var ratings: [RatedPlayer: (points: Double, group: Int)] = [:]
    for (number, group) in try RatingTable.pool(Crosstable(games.duels)).groups.enumerated() {
      for standing in group.standings {
        let points = Double(RatingTable.standardAverage) + standing.rating.points
        ratings[games.players[standing.player]] = (points, number)
      }
    }
    var known: [(entrant: String, points: Double, group: Int)] = []
    for entrant in entrants.map(\.specification) {
      let declared = try context.ownBots.catalog.bot(entrant, for: rules).declaration
      let player = RatedPlayer.bot(
        specification: Array(declared.specification.utf8), version: declared.version)
      if let rating = ratings[player] { known.append((entrant, rating.points, rating.group)) }
    }
    if let first = known.first, let other = known.first(where: { $0.group != first.group }) {
      throw Failure(
        .unavailable,
        "no game connects \(first.entrant) and \(other.entrant): their ratings cannot be compared",
        hint: "`parlor match \(game) --players \(first.entrant),\(other.entrant)` would connect them")
    }
    return Dictionary(known.map { ($0.entrant, $0.points) }) { first, _ in first }
  }
}

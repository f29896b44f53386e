import BotKit
import Peer
import Ratings
import Rules
import Terminal

/// In which order entrants are seeded.
enum Seeding: String, CaseIterable {
  /// As they were given.
  case order
  /// By their ratings from the games that are stored, the best first.
  case rating
  /// By lot.
  case draw

  static let option = OptionDefinition.value(
    "seeding", "HOW",
    "Which entrants are seeded best: in the `order` given, by `rating` from the stored games of this game as `parlor"
      + " ratings` tells them, or by a `draw` that follows from --seed.", standard: Seeding.order.rawValue,
    kind: .choice(Seeding.allCases.map(\.rawValue)))

  /// The entrants, best seed first.
  /// - Parameters:
  ///   - entrants: bots as they are named.
  ///   - seed: what a draw follows from.
  /// - Throws: where no game connects the ratings of two entrants.
  func seeded(
    _ entrants: [String], _ rules: any GameRules, seed: UInt64, _ context: Context
  ) throws -> [String] {
    switch self {
    case .order: return entrants
    case .draw: return Self.drawn(entrants, seed: seed)
    case .rating: return try Self.rated(entrants, rules, context)
    }
  }

  private static func drawn(_ entrants: [String], seed: UInt64) -> [String] {
    var (drawn, random) = (entrants, RandomSource(seed: seed, round: .max, seat: Seat(0), ply: 0).generator())
    for left in stride(from: drawn.count, to: 1, by: -1) {
      drawn.swapAt(left - 1, Int(random.below(UInt64(left))))
    }
    return drawn
  }

  private static func rated(
    _ entrants: [String], _ rules: any GameRules, _ context: Context
  ) throws -> [String] {
    let game = rules.definition.name
    let games = try context.readerIfAny()?
      .ratedGames(of: game, context.games) { try context.checkStop() }.first
    guard let games, !games.duels.isEmpty else {
      throw Failure(
        .noInput, "no rating of \(game) is known here, so entrants cannot be seeded by rating",
        hint: "`parlor match` plays games that rate bots, and `parlor ratings` shows what they make")
    }
    var ratings: [RatedPlayer: (points: Double, group: Int)] = [:]
    for (number, group) in try RatingTable.pool(Crosstable(games.duels)).groups.enumerated() {
      for standing in group.standings {
        ratings[games.players[standing.player]] = (standing.rating.points, number)
      }
    }
    var (known, unknown) = ([(entrant: String, points: Double, group: Int)](), [String]())
    for entrant in entrants {
      let declared = try context.ownBots.bot(entrant, for: rules).declaration
      let player = RatedPlayer.bot(
        specification: Array(declared.specification.utf8), version: declared.version)
      if let rating = ratings[player] {
        known.append((entrant, rating.points, rating.group))
      } else {
        unknown.append(entrant)
      }
    }
    if let first = known.first, let other = known.first(where: { $0.group != first.group }) {
      throw Failure(
        .unavailable,
        "no game connects \(first.entrant) and \(other.entrant): their ratings cannot be compared",
        hint: "`parlor match \(game) --players \(first.entrant),\(other.entrant)` would connect them")
    }
    for entrant in unknown {
      context.console.note("\(entrant) has no rating here, and is seeded behind the others.")
    }
    let order = known.indices.sorted { (-known[$0].points, $0) < (-known[$1].points, $1) }
    return order.map { known[$0].entrant } + unknown
  }
}

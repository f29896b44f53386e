/// The results of games between two players, as the first of them sees them: game by game, or in pairs.
///
/// Where the same two players play with seats swapped, both games of a pair share what the seats are worth. Their sum
/// varies less than two games that have nothing in common, and the counts of pairs say by how much.
package struct MatchStatistics: Hashable, Sendable {
  /// What is counted: a game with three scores, or a pair of games with five.
  package enum Unit: Hashable, Sendable {
    /// Lost, drawn, won.
    case game
    /// No point, half a point, one, one and a half, two.
    case pair
  }

  package let unit: Unit
  /// How often each score came, the lowest first: three counts or five.
  package let counts: [Int]

  /// Counts of single games; negative ones are taken for none.
  package init(wins: Int, draws: Int, losses: Int) {
    unit = .game
    counts = [losses, draws, wins].map { max(0, $0) }
  }

  /// Counts of pairs by half points of the first player, from none to four; negative ones are taken for none.
  package init(pairs: (Int, Int, Int, Int, Int)) {
    unit = .pair
    counts = [pairs.0, pairs.1, pairs.2, pairs.3, pairs.4].map { max(0, $0) }
  }

  /// How many games or pairs there are.
  package var total: Double { counts.reduce(0) { $0 + Double($1) } }

  /// The mean score of a game, from 0 to 1; one half without games.
  package var score: Double { total > 0 ? mean(of: shares(counts.map { Double($0) })) : 0.5 }

  /// The variance of the scores of games or pairs around their mean.
  package var variance: Double {
    guard total > 0 else { return 0 }
    let shares = shares(counts.map { Double($0) })
    return variance(of: shares, around: mean(of: shares))
  }

  /// The scores that a game or the mean of a pair can have, the lowest first.
  var scores: [Double] { unit == .game ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1] }

  /// How many games each counted thing has.
  var gamesPerUnit: Double { unit == .game ? 1 : 2 }

  func mean(of shares: [Double]) -> Double {
    zip(scores, shares).reduce(0) { $0 + $1.0 * $1.1 }
  }

  func variance(of shares: [Double], around mean: Double) -> Double {
    zip(scores, shares).reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) }
  }

  func shares(_ weights: [Double]) -> [Double] {
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }
}

// MARK: - What they say of the players

extension MatchStatistics {
  /// How much better the first player is, in points of Elo; infinite when one has won all.
  package var elo: Double { Elo.points(ofScore: score) }

  /// Half the width of the interval that holds the difference with 95 %; `nil` where the counts bound none: no games,
  /// all games alike, or too few.
  package var eloError: Double? {
    guard total > 0, variance > 0 else { return nil }
    let deviation = Elo.deviationsOf95Percent * (variance / total).squareRoot()
    let (low, high) = (score - deviation, score + deviation)
    guard low > 0, high < 1 else { return nil }
    return (Elo.points(ofScore: high) - Elo.points(ofScore: low)) / 2
  }

  /// The likelihood that the first player is the better one, from 0 to 1; one half without games.
  package var superiority: Double {
    guard total > 0 else { return 0.5 }
    guard variance > 0 else { return score > 0.5 ? 1 : score < 0.5 ? 0 : 0.5 }
    return Elementary.normal(below: (score - 0.5) / (variance / total).squareRoot())
  }

  /// The difference in normalized Elo: per standard deviation of a game, so that it says how many games show it.
  /// Source: M. Van den Bergh, “Comments on Normalized Elo”. Infinite when all games are alike.
  package var normalizedElo: Double {
    guard total > 0, score != 0.5 else { return 0 }
    guard variance > 0 else { return score > 0.5 ? .infinity : -.infinity }
    return (score - 0.5) / (variance * gamesPerUnit).squareRoot() * Self.normalizedPoints
  }

  /// Half the width of the interval that holds it with 95 %; `nil` without games.
  package var normalizedEloError: Double? {
    guard total > 0 else { return nil }
    return Elo.deviationsOf95Percent * Self.normalizedPoints / (total * gamesPerUnit).squareRoot()
  }

  /// How many points of normalized Elo a difference of one standard deviation has: 800 / ln 10.
  static let normalizedPoints = 800 / Elementary.ln10
}

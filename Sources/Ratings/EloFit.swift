/// The most likely ratings of one group, by Newton's method, and their errors; in units of the logistic function.
struct EloFit {
  /// The ratings by place in the group; their mean is zero.
  private(set) var ratings: [Double]
  /// What moving first is worth, and the variance of that; `nil` where it is not estimated.
  private(set) var advantage: (units: Double, variance: Double)?
  let hasPrior: Bool
  /// The variances of the ratings around their mean.
  private let variances: [Double]
  /// Their covariances; `nil` for so many players that each one's error is told as if the others' ratings were known.
  private let covariances: SymmetricMatrix?

  /// Where a variance is above this, the likelihood rises without end and the search ended where doubles do.
  private static var limitVariance: Double { 10_000 }

  /// - Returns: `nil` when no finite ratings are found, which is so without prior alone.
  init?<Player>(_ table: Crosstable<Player>, _ group: [Int], advantage: Bool, hasPrior: Bool) {
    var places: [Int: Int] = [:]
    for (place, member) in group.enumerated() { places[member] = place }
    let games: [EloModel.Games] = table.pairs.compactMap { pair in
      guard let first = places[pair.first], let second = places[pair.second] else { return nil }
      return EloModel.Games(
        first: first, second: second, count: pair.games, points: pair.points, draws: Double(pair.draws))
    }
    let model = EloModel(games: games, players: group.count, advantage: advantage, hasPrior: hasPrior)
    guard let unknowns = model.maximum(), let raw = Self.errors(model, at: unknowns) else { return nil }
    guard hasPrior || raw.variances.allSatisfy({ $0 < Self.limitVariance }) else { return nil }
    self.hasPrior = hasPrior
    let mean = unknowns[..<group.count].reduce(0, +) / Double(group.count)
    ratings = unknowns[..<group.count].map { $0 - mean }
    let dispersion = model.dispersion(at: unknowns)
    variances = raw.variances.map { $0 * dispersion }
    covariances = raw.covariances?.times(dispersion)
    if advantage { self.advantage = (unknowns[group.count], variances[group.count]) }
  }

  /// The variances of the unknowns, and the covariances of the ratings.
  private static func errors(
    _ model: EloModel, at unknowns: [Double]
  ) -> (variances: [Double], covariances: SymmetricMatrix?)? {
    guard model.isFactored else { return (model.diagonal(at: unknowns).map { 1 / $0 }, nil) }
    guard let inverse = model.information(at: unknowns).factored()?.inverse() else { return nil }
    let centred = centred(inverse, players: model.players)
    let variances = unknowns.indices.map { $0 < model.players ? centred[$0, $0] : inverse[$0, $0] }
    return (variances, centred)
  }

  /// The covariances of the differences from the mean of all players.
  private static func centred(_ inverse: SymmetricMatrix, players: Int) -> SymmetricMatrix {
    let count = Double(players)
    let means = (0..<players).map { row in (0..<players).reduce(0) { $0 + inverse[row, $1] } / count }
    let mean = means.reduce(0, +) / count
    var centred = SymmetricMatrix(size: players)
    for row in 0..<players {
      for column in 0...row {
        centred[row, column] = inverse[row, column] - means[row] - means[column] + mean
      }
    }
    return centred
  }

  func variance(_ place: Int) -> Double { variances[place] }

  /// Half the width of the interval of 95 %, in points; `nil` where nothing varied.
  func error(variance: Double) -> Double? {
    guard variance > Self.leastVariance, variance.isFinite else { return nil }
    return Elo.deviationsOf95Percent * variance.squareRoot() * Elo.pointsPerUnit
  }

  /// The likelihood that one is better than another.
  func superiority(of one: Int, over other: Int) -> Double {
    let difference = ratings[one] - ratings[other]
    let variance = variance(one) + variance(other) - 2 * (covariances?[one, other] ?? 0)
    guard variance > Self.leastVariance else { return difference > 1e-9 ? 1 : difference < -1e-9 ? 0 : 0.5 }
    return Elementary.normal(below: difference / variance.squareRoot())
  }

  /// What is left of a variance of zero by rounding.
  private static var leastVariance: Double { 1e-15 }
}

/// The most likely ratings of one group, by Newton's method, and the matrix of their errors; in units of the logistic
/// function.
struct EloFit {
  /// The ratings by place in the group; their mean is zero.
  private(set) var ratings: [Double]
  /// What moving first is worth, and the variance of that; `nil` where it is not estimated.
  private(set) var advantage: (units: Double, variance: Double)?
  let hasPrior: Bool
  /// The covariances of the ratings around their mean.
  private var covariances: SymmetricMatrix

  /// Games between two places of the group in which one moved first.
  private struct Games {
    let first: Int
    let second: Int
    let count: Double
    let points: Double
    let draws: Double
  }

  /// Where a variance is above this, the likelihood rises without end and the search ended where doubles do.
  private static var limitVariance: Double { 10_000 }
  private static var limitSteps: Int { 200 }

  /// - Returns: `nil` when no finite ratings are found, which is so without prior alone.
  init?<Player>(_ table: Crosstable<Player>, _ group: [Int], advantage: Bool, hasPrior: Bool) {
    var places: [Int: Int] = [:]
    for (place, member) in group.enumerated() { places[member] = place }
    let games: [Games] = table.pairs.compactMap { pair in
      guard let first = places[pair.first], let second = places[pair.second] else { return nil }
      return Games(
        first: first, second: second, count: pair.games, points: pair.points, draws: Double(pair.draws))
    }
    let model = Model(games: games, players: group.count, advantage: advantage, hasPrior: hasPrior)
    guard let unknowns = model.maximum(), let factor = model.information(at: unknowns).factored() else {
      return nil
    }
    let inverse = factor.inverse()
    let raw = Self.centred(inverse, players: group.count)
    let variances = group.indices.map { raw[$0, $0] } + (advantage ? [inverse[group.count, group.count]] : [])
    guard hasPrior || variances.allSatisfy({ $0 < Self.limitVariance }) else { return nil }
    self.hasPrior = hasPrior
    let mean = unknowns[..<group.count].reduce(0, +) / Double(group.count)
    ratings = unknowns[..<group.count].map { $0 - mean }
    let dispersion = model.dispersion(at: unknowns)
    covariances = raw.times(dispersion)
    if advantage {
      self.advantage = (unknowns[group.count], dispersion * inverse[group.count, group.count])
    }
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

  func variance(_ place: Int) -> Double { covariances[place, place] }

  /// Half the width of the interval of 95 %, in points; `nil` where nothing varied.
  func error(variance: Double) -> Double? {
    guard variance > Self.leastVariance, variance.isFinite else { return nil }
    return Elo.deviationsOf95Percent * variance.squareRoot() * Elo.pointsPerUnit
  }

  /// The likelihood that one is better than another.
  func superiority(of one: Int, over other: Int) -> Double {
    let difference = ratings[one] - ratings[other]
    let variance = variance(one) + variance(other) - 2 * covariances[one, other]
    guard variance > Self.leastVariance else { return difference > 1e-9 ? 1 : difference < -1e-9 ? 0 : 0.5 }
    return Elementary.normal(below: difference / variance.squareRoot())
  }

  /// What is left of a variance of zero by rounding.
  private static var leastVariance: Double { 1e-15 }

  // MARK: - The likelihood

  /// The likelihood as a function of the ratings and, as the last unknown, of what moving first is worth.
  private struct Model {
    let games: [Games]
    let players: Int
    let advantage: Bool
    let hasPrior: Bool

    var size: Int { players + (advantage ? 1 : 0) }

    /// The logistic argument of who moves first.
    private func units(_ games: Games, _ unknowns: [Double]) -> Double {
      unknowns[games.first] - unknowns[games.second] + (advantage ? unknowns[players] : 0)
    }

    /// The unknowns of the largest likelihood; `nil` when there are none.
    func maximum() -> [Double]? {
      var unknowns = [Double](repeating: 0, count: size)
      var likelihood = logLikelihood(at: unknowns)
      for _ in 0..<limitSteps {
        guard let factor = information(at: unknowns).factored() else { return nil }
        var step = factor.solving(gradient(at: unknowns))
        var next = zip(unknowns, step).map { $0 + $1 }
        var nextLikelihood = logLikelihood(at: next)
        for _ in 0..<60 where !(nextLikelihood >= likelihood - 1e-12 * (1 + likelihood.magnitude)) {
          step = step.map { $0 / 2 }
          next = zip(unknowns, step).map { $0 + $1 }
          nextLikelihood = logLikelihood(at: next)
        }
        unknowns = next
        likelihood = nextLikelihood
        if step.allSatisfy({ $0.magnitude < 1e-11 }) { return unknowns }
      }
      return hasPrior ? unknowns : nil
    }

    private func logLikelihood(at unknowns: [Double]) -> Double {
      var sum = 0.0
      for games in games {
        let units = units(games, unknowns)
        sum += games.points * Self.logOfLogistic(units)
        sum += (games.count - games.points) * Self.logOfLogistic(-units)
      }
      guard hasPrior else { return sum }
      for unknown in unknowns {
        sum += (Self.logOfLogistic(unknown) + Self.logOfLogistic(-unknown)) / 2
      }
      return sum
    }

    /// log(1 / (1 + e^−x)), without overflow.
    private static func logOfLogistic(_ x: Double) -> Double {
      min(x, 0) - Elementary.log(1 + Elementary.exp(-x.magnitude))
    }

    private func gradient(at unknowns: [Double]) -> [Double] {
      var gradient = [Double](repeating: 0, count: size)
      for games in games {
        let surplus = games.points - games.count * Elo.logistic(units(games, unknowns))
        gradient[games.first] += surplus
        gradient[games.second] -= surplus
        if advantage { gradient[players] += surplus }
      }
      if hasPrior { for place in unknowns.indices { gradient[place] += 0.5 - Elo.logistic(unknowns[place]) } }
      return gradient
    }

    /// Minus the second derivatives. Without prior a constant holds the mean at zero.
    func information(at unknowns: [Double]) -> SymmetricMatrix {
      var matrix = SymmetricMatrix(size: size)
      for games in games {
        let weight = games.count * Self.slope(units(games, unknowns))
        matrix[games.first, games.first] += weight
        matrix[games.second, games.second] += weight
        matrix[games.first, games.second] -= weight
        guard advantage else { continue }
        matrix[players, players] += weight
        matrix[players, games.first] += weight
        matrix[players, games.second] -= weight
      }
      if hasPrior {
        for place in unknowns.indices { matrix[place, place] += Self.slope(unknowns[place]) }
      } else {
        let hold = (0..<players).reduce(0.0) { $0 + matrix[$1, $1] } / Double(players * players)
        for row in 0..<players {
          for column in 0...row { matrix[row, column] += hold }
        }
      }
      return matrix
    }

    private static func slope(_ x: Double) -> Double { Elo.logistic(x) * Elo.logistic(-x) }

    /// How much the scores of games vary, compared with games that are never drawn.
    func dispersion(at unknowns: [Double]) -> Double {
      var (all, drawn) = (0.0, 0.0)
      for games in games {
        all += games.count * Self.slope(units(games, unknowns))
        drawn += games.draws / 4
      }
      return all > 0 ? max(0, 1 - drawn / all) : 1
    }
  }
}

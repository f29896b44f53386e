/// The sequential probability ratio test between two hypotheses on how much better one player is: after each game the
/// likelihoods of both are compared, and a match is over as soon as one of them is good enough.
///
/// The ratio is that of the generalized test, with the most likely distribution of scores under each hypothesis.
/// Source: M. Van den Bergh, “Comments on Normalized Elo”, propositions 1.1 and 4.1; A. Wald 1945 for the bounds.
/// Scores that never came are taken to have come a thousandth of a time, as fastchess does.
package struct SequentialTest: Hashable, Sendable {
  /// What the points of the hypotheses measure.
  package enum Scale: String, Hashable, Sendable, CaseIterable {
    /// The expected score.
    case logistic
    /// The same per standard deviation of a game.
    case normalized
    /// The parameter of BayesElo's model, with the share of draws that was seen; for single games.
    case bayesian
  }

  /// What the games show.
  package enum Decision: Hashable, Sendable {
    /// The first player is better by no more than `elo0`.
    case lower
    /// The first player is better by `elo1` or more.
    case upper
    /// Neither yet.
    case undecided
  }

  /// How much better the first player is, by the one hypothesis and by the other.
  package let elo0: Double
  package let elo1: Double
  /// How likely `upper` may be decided where `elo0` is true.
  package let alpha: Double
  /// How likely `lower` may be decided where `elo1` is true.
  package let beta: Double
  package let scale: Scale

  /// - Returns: `nil` unless `elo0` < `elo1`, both within ±1000, and `alpha` and `beta` are between 0 and 1, with a sum
  ///   below 1.
  package init?(
    elo0: Double, elo1: Double, alpha: Double = 0.05, beta: Double = 0.05, scale: Scale = .logistic
  ) {
    guard elo0 < elo1, elo0 >= -1000, elo1 <= 1000, alpha > 0, alpha < 1, beta > 0, beta < 1,
      alpha + beta < 1
    else { return nil }
    self.elo0 = elo0
    self.elo1 = elo1
    self.alpha = alpha
    self.beta = beta
    self.scale = scale
  }

  /// At or below this ratio `lower` is decided.
  package var lowerBound: Double { Elementary.log(beta / (1 - alpha)) }
  /// At or above this ratio `upper` is decided.
  package var upperBound: Double { Elementary.log((1 - beta) / alpha) }

  /// What the games show so far.
  package func decision(_ statistics: MatchStatistics) -> Decision {
    let ratio = logLikelihoodRatio(statistics)
    return ratio >= upperBound ? .upper : ratio <= lowerBound ? .lower : .undecided
  }

  /// The natural logarithm of the ratio of the likelihoods of `elo1` and `elo0`; zero without games.
  package func logLikelihoodRatio(_ statistics: MatchStatistics) -> Double {
    guard statistics.total > 0 else { return 0 }
    let weights = statistics.counts.map { $0 == 0 ? 1e-3 : Double($0) }
    let seen = statistics.shares(weights)
    let likely: [[Double]]
    switch scale {
    case .logistic:
      likely = [elo0, elo1].map {
        Self.likely(statistics.scores, seen, mean: Elo.expectedScore(of: $0))
      }
    case .normalized:
      likely = [elo0, elo1].map {
        Self.likely(
          statistics, seen,
          deviations: $0 * statistics.gamesPerUnit.squareRoot() / MatchStatistics.normalizedPoints)
      }
    case .bayesian:
      guard statistics.unit == .game, statistics.counts[0] > 0, statistics.counts[2] > 0 else { return 0 }
      likely = [elo0, elo1].map {
        Self.likely(statistics.scores, seen, mean: Self.bayesianScore(of: $0, seen))
      }
    }
    var sum = 0.0
    for index in seen.indices {
      sum += seen[index] * (Elementary.log(likely[1][index]) - Elementary.log(likely[0][index]))
    }
    let ratio = sum * weights.reduce(0, +)
    return ratio.isNaN ? 0 : ratio
  }

  /// The expected score of so many points in BayesElo's model, where draws are as frequent as seen.
  private static func bayesianScore(of points: Double, _ seen: [Double]) -> Double {
    let (loss, win) = (seen[0], seen[2])
    let drawUnits = Elementary.log((1 - loss) / loss * ((1 - win) / win)) / 2
    let units = points / Elo.pointsPerUnit
    let wins = Elo.logistic(units - drawUnits)
    let losses = Elo.logistic(-units - drawUnits)
    return wins + (1 - wins - losses) / 2
  }

  /// The most likely distribution over the scores with this mean, of what was seen.
  private static func likely(_ scores: [Double], _ seen: [Double], mean: Double) -> [Double] {
    tilted(seen, by: scores.map { $0 - mean })
  }

  /// The most likely distribution whose mean lies so many of its standard deviations above one half.
  private static func likely(
    _ statistics: MatchStatistics, _ seen: [Double], deviations: Double
  ) -> [Double] {
    var shares = seen.map { _ in 1 / Double(seen.count) }
    for _ in 0..<limitRounds {
      let mean = statistics.mean(of: shares)
      let deviation = statistics.variance(of: shares, around: mean).squareRoot()
      guard deviation > 0 else { return shares }
      let next = tilted(
        seen,
        by: statistics.scores.map { score in
          let distance = (score - mean) / deviation
          return score - 0.5 - 0.5 * deviations * deviation * (1 + distance * distance)
        })
      let change = zip(shares, next).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
      shares = next
      if change < 1e-10 { break }
    }
    return shares
  }

  /// How often the distribution is looked for; it is found in about ten rounds.
  private static let limitRounds = 200

  /// The shares pᵢ / (1 + θ fᵢ), with the θ for which Σ pᵢ fᵢ / (1 + θ fᵢ) is zero; by bisection.
  private static func tilted(_ seen: [Double], by forces: [Double]) -> [Double] {
    guard let least = forces.min(), let most = forces.max(), least < 0, most > 0 else { return seen }
    // The sum falls all the way between the two poles.
    var low = -1 / most
    var high = -1 / least
    for _ in 0..<200 {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { break }
      let sum = zip(seen, forces).reduce(0.0) { $0 + $1.0 * $1.1 / (1 + middle * $1.1) }
      if sum > 0 { low = middle } else { high = middle }
    }
    let theta = low + (high - low) / 2
    return zip(seen, forces).map { $0 / (1 + theta * $1) }
  }
}

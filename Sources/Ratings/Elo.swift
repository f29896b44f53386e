/// The scale of Elo: what a difference of ratings says of the expected score.
package enum Elo {
  /// How many points of rating make one unit of the logistic function: 400 / ln 10.
  package static let pointsPerUnit = 400 / Elementary.ln10
  /// How many standard deviations on both sides hold 95 % of a normal distribution.
  package static let deviationsOf95Percent = 1.959963984540054

  /// The expected score of a player who is so many points better, from 0 to 1.
  package static func expectedScore(of points: Double) -> Double { logistic(points / pointsPerUnit) }

  /// The difference of ratings whose expected score this is: infinite at 0 and 1, not a number outside.
  package static func points(ofScore score: Double) -> Double {
    guard score > 0, score < 1 else { return score == 0 ? -.infinity : score == 1 ? .infinity : .nan }
    return pointsPerUnit * Elementary.log(score / (1 - score))
  }

  /// 1 / (1 + e^−x), without overflow.
  static func logistic(_ x: Double) -> Double {
    guard x < 0 else { return 1 / (1 + Elementary.exp(-x)) }
    let power = Elementary.exp(x)
    return power / (1 + power)
  }
}

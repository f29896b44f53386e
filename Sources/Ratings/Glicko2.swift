/// Glicko-2: ratings with a deviation that shrinks with games, and a volatility that says how steady a player is.
///
/// Source: M. E. Glickman, “Example of the Glicko-2 system”, 2022. All games of a period count as if they were
/// played at the same time.
package struct Glicko2<Player: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// How much volatilities change: 0.3 to 1.2 are sensible.
  package let tau: Double
  /// The players so far, ascending, with their ratings.
  package private(set) var standings: [Standing] = []

  /// A player and its rating.
  package struct Standing: Hashable, Sendable {
    package let player: Player
    package var rating: Glicko2Rating
  }

  /// Nobody yet.
  /// - Parameter tau: taken to be 0.5 unless it is above 0 and below 10.
  package init(tau: Double = 0.5) { self.tau = tau > 0 && tau < 10 ? tau : 0.5 }

  /// Takes the games of one period. Who did not play becomes less certain; who is new begins with `Glicko2Rating()`.
  package mutating func take(_ period: Crosstable<Player>) {
    var known: [Player: Glicko2Rating] = [:]
    for standing in standings { known[standing.player] = standing.rating }
    let before = period.players.map { known[$0] ?? Glicko2Rating() }
    var games = period.players.map { _ in [Glicko2Rating.Games]() }
    for pair in period.pairs {
      games[pair.first].append(
        .init(opponent: before[pair.second], count: pair.games, points: pair.points))
      games[pair.second].append(
        .init(opponent: before[pair.first], count: pair.games, points: pair.games - pair.points))
    }
    let played = Set(period.players)
    let absent = standings.filter { !played.contains($0.player) }.map {
      Standing(player: $0.player, rating: $0.rating.after([], tau: tau))
    }
    let present = period.players.indices.map {
      Standing(player: period.players[$0], rating: before[$0].after(games[$0], tau: tau))
    }
    standings = (present + absent).sorted { $0.player < $1.player }
  }
}

/// What Glicko-2 knows of a player.
package struct Glicko2Rating: Hashable, Sendable {
  /// The rating on Glicko's scale, where 1500 is the beginning.
  package var rating: Double
  /// The standard deviation of the rating; 95 % lie within 1.96 of them.
  package var deviation: Double
  package var volatility: Double

  /// A rating; without arguments the one of somebody of whom nothing is known.
  package init(rating: Double = 1500, deviation: Double = 350, volatility: Double = 0.06) {
    self.rating = rating
    self.deviation = deviation
    self.volatility = volatility
  }

  /// Half the width of the interval that holds the rating with 95 %.
  package var error: Double { Elo.deviationsOf95Percent * deviation }

  /// The likelihood of being better than another, from 0 to 1.
  package func superiority(over other: Glicko2Rating) -> Double {
    let variance = deviation * deviation + other.deviation * other.deviation
    return Elementary.normal(below: (rating - other.rating) / variance.squareRoot())
  }

  /// Games against one opponent.
  package struct Games: Hashable, Sendable {
    /// The opponent as it was before the period.
    package let opponent: Glicko2Rating
    package let count: Double
    /// The points that were made.
    package let points: Double

    package init(opponent: Glicko2Rating, count: Double, points: Double) {
      self.opponent = opponent
      self.count = count
      self.points = points
    }
  }

  /// One unit of Glicko-2's own scale.
  private static let pointsPerUnit = 173.7178

  /// The rating after a period.
  package func after(_ games: [Games], tau: Double) -> Glicko2Rating {
    let phi = deviation / Self.pointsPerUnit
    let mu = (rating - 1500) / Self.pointsPerUnit
    var (information, surplus) = (0.0, 0.0)
    for games in games {
      let other = games.opponent.deviation / Self.pointsPerUnit
      let weight = 1 / (1 + 3 * other * other / (Double.pi * Double.pi)).squareRoot()
      let expected = Elo.logistic(weight * (mu - (games.opponent.rating - 1500) / Self.pointsPerUnit))
      information += weight * weight * games.count * expected * (1 - expected)
      surplus += weight * (games.points - games.count * expected)
    }
    guard information > 0, information.isFinite, surplus.isFinite else {
      let wider = (phi * phi + volatility * volatility).squareRoot()
      return Glicko2Rating(rating: rating, deviation: wider * Self.pointsPerUnit, volatility: volatility)
    }
    let after = volatility(after: surplus / information, variance: 1 / information, phi: phi, tau: tau)
    let wider = phi * phi + after * after
    let narrower = 1 / (1 / wider + information)
    return Glicko2Rating(
      rating: rating + Self.pointsPerUnit * narrower * surplus,
      deviation: Self.pointsPerUnit * narrower.squareRoot(), volatility: after)
  }

  /// The volatility after a period, by the Illinois method; step 5 of the source.
  private func volatility(after change: Double, variance: Double, phi: Double, tau: Double) -> Double {
    let start = Elementary.log(volatility * volatility)
    let excess = change * change - phi * phi - variance
    func slope(_ x: Double) -> Double {
      let power = Elementary.exp(x)
      let sum = phi * phi + variance + power
      return power * (excess - power) / (2 * sum * sum) - (x - start) / (tau * tau)
    }
    var one = start
    var other: Double
    if excess > 0 {
      other = Elementary.log(excess)
    } else {
      other = start - tau
      for _ in 0..<Self.limitSteps where slope(other) < 0 { other -= tau }
    }
    var (slopeOfOne, slopeOfOther) = (slope(one), slope(other))
    for _ in 0..<Self.limitSteps where (other - one).magnitude > 1e-6 {
      let next = one + (one - other) * slopeOfOne / (slopeOfOther - slopeOfOne)
      let slopeOfNext = slope(next)
      if slopeOfNext * slopeOfOther <= 0 {
        (one, slopeOfOne) = (other, slopeOfOther)
      } else {
        slopeOfOne /= 2
      }
      (other, slopeOfOther) = (next, slopeOfNext)
    }
    let after = Elementary.exp(one / 2)
    return after.isFinite ? after : volatility
  }

  private static let limitSteps = 1000
}

/// The ratings of all players of a table: those under which the results are the most likely, with error bars.
///
/// The model is Elo's: the expected score is a logistic function of the difference of ratings, 400 points for ten to
/// one, and a draw is half a point. Source: E. Zermelo 1929, R. A. Bradley and M. E. Terry 1952; Ordo computes the
/// same. Errors come from the information matrix, scaled to the share of draws that was seen: of two players they are
/// those of ``MatchStatistics``.
///
/// Ratings say something only of players whom games connect, so each group has ratings of its own, whose mean is
/// zero. Where players have taken no points from others, directly or through others, no ratings are the most likely
/// ones: then, in their group alone, each player is given one drawn game more against a player of rating zero.
package struct EloPool<Player: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// The groups, the one with the most players first, then by the least player.
  package let groups: [Group]

  /// Players whom games connect.
  package struct Group: Hashable, Sendable {
    /// From the highest rating to the lowest; of equal ones by player.
    package let standings: [Standing]
    /// Whether each player was given a drawn game, because else no ratings were the most likely ones.
    package let hasPrior: Bool
    /// What moving first is worth; `nil` where it was not asked for.
    package let advantage: Estimate?
  }

  /// A rating or a difference, in points of Elo.
  package struct Estimate: Hashable, Sendable {
    package let points: Double
    /// Half the width of the interval of 95 %; `nil` where the results vary too little to tell one.
    package let error: Double?
  }

  /// A player's place.
  package struct Standing: Hashable, Sendable {
    package let player: Player
    package let rating: Estimate
    package let record: PlayerRecord
    /// The likelihood of being better than the next one, from 0 to 1; `nil` for the last one.
    package let superiority: Double?
  }

  /// The most players of a group. In one of more than 400 each one's error is told as if the others' ratings were
  /// known.
  package static var limitPlayers: Int { 20_000 }

  /// The ratings of a table's players.
  /// - Parameter advantage: whether what moving first is worth is estimated as well; otherwise it is taken for nothing.
  /// - Returns: `nil` when a group has more than ``limitPlayers``.
  package init?(_ table: Crosstable<Player>, advantage: Bool = false) {
    let members = table.groups
    guard members.allSatisfy({ $0.count <= Self.limitPlayers }) else { return nil }
    let records = table.records
    var found: [Group] = []
    for group in members {
      var fit: EloFit?
      if table.isBounded(group) { fit = EloFit(table, group, advantage: advantage, hasPrior: false) }
      guard let fit = fit ?? EloFit(table, group, advantage: advantage, hasPrior: true) else { continue }
      found.append(Group(table, records, group, fit))
    }
    // Stable: those of equal size stay in the order of their least players.
    groups = found.enumerated().sorted {
      ($1.element.standings.count, $0.offset) < ($0.element.standings.count, $1.offset)
    }.map(\.element)
  }
}

extension EloPool.Group {
  fileprivate init(
    _ table: Crosstable<Player>, _ records: [PlayerRecord], _ group: [Int], _ fit: EloFit
  ) {
    // Ratings that differ by what was lost in rounding are equal.
    let ranks = fit.ratings.map { -($0 * 1e9).rounded() }
    let order = group.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    standings = order.enumerated().map { rank, member in
      let next = rank + 1 < order.count ? order[rank + 1] : nil
      return EloPool.Standing(
        player: table.players[group[member]],
        rating: EloPool.Estimate(
          points: fit.ratings[member] * Elo.pointsPerUnit, error: fit.error(variance: fit.variance(member))),
        record: records[group[member]],
        superiority: next.map { fit.superiority(of: member, over: $0) })
    }
    hasPrior = fit.hasPrior
    advantage = fit.advantage.map {
      EloPool.Estimate(points: $0.units * Elo.pointsPerUnit, error: fit.error(variance: $0.variance))
    }
  }
}

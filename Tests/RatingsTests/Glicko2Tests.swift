import Foundation
import Ratings
import TestKit
import Testing

/// Glicko-2.
@Suite struct Glicko2Tests {
  /// The example of Glickman's paper.
  @Test func publishedExample() {
    let opponents = [(1400.0, 30.0, 1.0), (1550, 100, 0), (1700, 300, 0)].map { rating, deviation, points in
      Glicko2Rating.Games(
        opponent: Glicko2Rating(rating: rating, deviation: deviation), count: 1, points: points)
    }
    let after = Glicko2Rating(rating: 1500, deviation: 200).after(opponents, tau: 0.5)
    // The paper's steps are rounded.
    #expect((after.rating - 1464.06).magnitude < 0.011)
    #expect((after.deviation - 151.52).magnitude < 0.0051)
    #expect((after.volatility - 0.05999).magnitude < 0.00001)
  }

  /// Another program's ratings after one period; it ends the search for a volatility sooner.
  @Test(
    .enabled(if: ReferenceData.has("ratings"), "\(ReferenceData.absence)"),
    arguments: ["small4", "gauntlet9"])
  func reference(_ name: String) throws {
    let json = try JSONSerialization.jsonObject(
      with: Data(ReferenceData.lines("ratings/reference_ratings.json").joined(separator: "\n").utf8))
    let theirs = ((json as? [String: Any])?[name] as? [String: Any])?["glicko2_one_period_r_rd_vol"]
    let ratings = try #require(theirs as? [String: [Double]])
    var glicko = Glicko2<String>()
    glicko.take(Crosstable(try Duels.read(name)))
    #expect(glicko.standings.count == ratings.count)
    for standing in glicko.standings {
      let theirs = try #require(ratings[standing.player])
      #expect((standing.rating.rating - theirs[0]).magnitude < 0.001, "\(standing.player)")
      #expect((standing.rating.deviation - theirs[1]).magnitude < 0.001, "\(standing.player)")
      #expect((standing.rating.volatility - theirs[2]).magnitude < 0.0005, "\(standing.player)")
    }
  }

  @Test func absence() {
    var glicko = Glicko2<String>()
    glicko.take(Crosstable(Duels.between("a", "b", wins: 5, losses: 2)))
    let before = glicko.standings
    glicko.take(Crosstable(Duels.between("b", "c", wins: 1)))
    #expect(glicko.standings.map(\.player) == ["a", "b", "c"])
    #expect(glicko.standings[0].rating.rating == before[0].rating.rating)
    #expect(glicko.standings[0].rating.deviation > before[0].rating.deviation)
    #expect(glicko.standings[1].rating.deviation < before[1].rating.deviation)
    #expect(glicko.standings[2].rating.rating < 1500)
  }

  @Test func hostileNumbers() {
    let games = [0, 1, 1e300, .infinity, .nan].flatMap { number in
      [
        Glicko2Rating.Games(opponent: Glicko2Rating(rating: number), count: 1, points: 1),
        Glicko2Rating.Games(opponent: Glicko2Rating(deviation: number), count: 3, points: 1),
        Glicko2Rating.Games(opponent: Glicko2Rating(), count: number, points: number / 2),
      ]
    }
    for game in games {
      for rating in [Glicko2Rating(), Glicko2Rating(deviation: 1e-9), Glicko2Rating(volatility: 1e-12)] {
        let after = rating.after([game], tau: 0.5)
        #expect(after.volatility.isFinite && after.rating.isFinite, "\(game)")
      }
    }
    var much = Glicko2<Int>(tau: .nan)
    #expect(much.tau == 0.5)
    much.take(Crosstable(Array(repeating: Duel(first: 1, second: 2, result: .won), count: 200_000)))
    #expect(much.standings.allSatisfy { $0.rating.rating.isFinite && $0.rating.deviation > 0 })
  }
}

import TestKit
import Testing

@testable import Tournaments

/// What games take, as those that are over tell.
@Suite struct GameCostsTests {
  private func entrant(_ index: Int) -> EntrantIndex { EntrantIndex(UInt16(index)) }

  private func ahead(_ pairs: [(Int, Int, Int)], unknown: Int = 0) -> GameCosts.Ahead {
    .init(pairs: pairs.map { (entrant($0), entrant($1), $2) }, unknown: unknown)
  }

  @Test func nothingIsKnownBeforeAGameIsOver() {
    var costs = GameCosts(entrants: 3)
    #expect(costs.milliseconds(of: ahead([(0, 1, 4)])) == nil)
    costs.add(entrant(0), entrant(1), milliseconds: 50, games: 0)
    #expect(costs.milliseconds(of: ahead([(0, 1, 4)])) == nil)
  }

  /// Pairs that met take what they took; others what their entrants take; unknown ones the mean.
  @Test func slowEntrantsAreSlowAgainstOthersToo() throws {
    var costs = GameCosts(entrants: 4)
    // 0 and 1 take 500 of a game, 2 and 3 take 10.
    for _ in 0..<4 {
      costs.add(entrant(0), entrant(2), milliseconds: 510)
      costs.add(entrant(3), entrant(1), milliseconds: 510)
      costs.add(entrant(2), entrant(3), milliseconds: 20)
    }
    #expect(costs.milliseconds(of: ahead([(2, 0, 3)])) == 1530)
    let slow = try #require(costs.milliseconds(of: ahead([(1, 0, 1)])))
    #expect((800...1100).contains(slow), "\(slow)")
    let mean = (8 * 510 + 4 * 20) / Int64(12)
    #expect(costs.milliseconds(of: ahead([], unknown: 2)) == 2 * mean)
  }

  /// A round robin whose entrants take from 1 to 1,000 of a game: after a tenth of the games, one round or more, the
  /// rest is right within a factor of two in all but few, and within three in all.
  @Test func afterATenthTheRestIsRightWithinAFactorOfTwo() throws {
    var misses = 0
    let seeds = Effort.size(200, quick: 60)
    for seed in 0..<seeds {
      var random = SeededGenerator(state: UInt64(seed))
      let count = 8
      let takes = (0..<count).map { _ in [1, 10, 100, 1000].randomElement(using: &random) ?? 1 }
      var pairs = (0..<count).flatMap { one in (one + 1..<count).map { (one, $0) } }
      pairs.shuffle(using: &random)
      // A round in which all play, then others in any order.
      let first = stride(from: 0, to: count, by: 2).map { ($0, $0 + 1) }
      pairs = first + pairs.filter { pair in !first.contains { $0 == pair } }
      func cost(_ pair: (Int, Int)) -> Int64 {
        Int64(takes[pair.0] + takes[pair.1]) * Int64.random(in: 50...150, using: &random) / 100
      }
      var costs = GameCosts(entrants: count)
      for pair in pairs.prefix(count) {
        costs.add(entrant(pair.0), entrant(pair.1), milliseconds: cost(pair))
        costs.add(entrant(pair.0), entrant(pair.1), milliseconds: cost(pair))
      }
      let rest = pairs.dropFirst(count)
      let truth = rest.reduce(Int64(0)) { $0 + Int64(2 * (takes[$1.0] + takes[$1.1])) }
      let told = try #require(costs.milliseconds(of: ahead(rest.map { ($0.0, $0.1, 2) })))
      if told * 2 < truth || told > 2 * truth { misses += 1 }
      #expect(told * 3 >= truth && told <= 3 * truth, "seed \(seed): \(told) of \(truth)")
    }
    #expect(misses * 20 <= seeds, "\(misses) of \(seeds)")
  }
}

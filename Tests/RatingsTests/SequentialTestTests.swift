import Ratings
import TestKit
import Testing

/// The test that stops a match.
@Suite struct SequentialTestTests {
  @Test func bounds() throws {
    let test = try #require(SequentialTest(elo0: 0, elo1: 5))
    // Wald's: log(19), with both errors at 5 %.
    #expect((test.upperBound - 2.9444389791664403).magnitude < 1e-14)
    #expect(test.lowerBound == -test.upperBound)
  }

  @Test(arguments: [
    (0, 0, 0.05, 0.05), (5, 0, 0.05, 0.05), (0, 5, 0, 0.05), (0, 5, 0.05, 1), (0, 5, 0.5, 0.5),
    (-1001, 5, 0.05, 0.05), (0, .infinity, 0.05, 0.05), (.nan, 5, 0.05, 0.05), (0, 5, .nan, 0.05),
  ])
  func refused(_ settings: (Double, Double, Double, Double)) {
    #expect(
      SequentialTest(elo0: settings.0, elo1: settings.1, alpha: settings.2, beta: settings.3) == nil)
  }

  /// All small counts and hostile ones give a number, on each scale.
  @Test func alwaysANumber() throws {
    for scale in SequentialTest.Scale.allCases {
      for (elo0, elo1) in [(0.0, 5.0), (-1000, 1000), (999, 1000), (-3, -2.5)] {
        let test = try #require(SequentialTest(elo0: elo0, elo1: elo1, scale: scale))
        for number in 0..<64 {
          let counts = [number % 4, number / 4 % 4, number / 16].map { [0, 1, 7, 1_000_000_007][$0] }
          let games = MatchStatistics(wins: counts[0], draws: counts[1], losses: counts[2])
          let pairs = MatchStatistics(pairs: (counts[0], counts[1], 0, counts[2], counts[0]))
          for statistics in [games, pairs] {
            #expect(test.logLikelihoodRatio(statistics).isFinite, "\(scale) \(elo0) \(elo1) \(statistics)")
          }
        }
      }
    }
  }

  /// Matches of players of a known difference are decided falsely as often as was asked for: not much more.
  @Test(arguments: [SequentialTest.Scale.logistic, .normalized])
  func errorRates(_ scale: SequentialTest.Scale) throws {
    let matches = Effort.size(200, quick: 80)
    var random = SeededGenerator(state: 7)
    let test = try #require(SequentialTest(elo0: 0, elo1: 40, alpha: 0.1, beta: 0.1, scale: scale))
    for isUpper in [false, true] {
      var falsely = 0
      var games = 0
      for _ in 0..<matches {
        let decided = play(test, isUpper ? 40 : 0, &random)
        games += decided.games
        if decided.decision != (isUpper ? .upper : .lower) { falsely += 1 }
      }
      let share = Double(falsely) / Double(matches)
      #expect(share > 0.02 && share < 0.16, "\(scale): decided falsely \(share) with elo1 \(isUpper)")
      #expect(games / matches < 1000, "\(games / matches) games a match")
    }
  }

  /// A match of games in which a third is drawn, whose difference on the test's scale is known.
  private func play(
    _ test: SequentialTest, _ points: Double, _ random: inout SeededGenerator
  ) -> (decision: SequentialTest.Decision, games: Int) {
    let drawn = 1.0 / 3
    // On the normalized scale a difference is one of standard deviations, which are 0.41 with so many draws.
    let score =
      test.scale == .logistic
      ? Elo.expectedScore(of: points) : 0.5 + points * ((1 - drawn) / 4).squareRoot() / 347.4355855226014
    let won = score - drawn / 2
    var counts = [0, 0, 0]
    for game in 1...20_000 {
      let number = Double.random(in: 0..<1, using: &random)
      counts[number < won ? 0 : number < won + drawn ? 1 : 2] += 1
      // The test may look whenever it likes; every eighth game is enough.
      guard game % 8 == 0 else { continue }
      let decision = test.decision(
        MatchStatistics(wins: counts[0], draws: counts[1], losses: counts[2]))
      if decision != .undecided { return (decision, game) }
    }
    return (.undecided, 20_000)
  }
}

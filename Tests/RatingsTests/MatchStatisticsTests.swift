import Ratings
import TestKit
import Testing

/// Elo differences, likelihoods and ratios of matches.
@Suite struct MatchStatisticsTests {
  /// What the words of a line of the reference data say the numbers are, compared with ours.
  @Test(.enabled(if: ReferenceData.has("ratings"), "\(ReferenceData.absence)"))
  func referenceValues() throws {
    var compared = 0
    for line in try ReferenceData.lines("ratings/fastchess_elo_sprt_facts.csv").dropFirst() {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 3)
      let statistics = try #require(Self.statistics(parts[1]))
      let fields = parts[2].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init)
      try #require(fields.count == 6)
      for word in fields[5].split(separator: " ") {
        let pair = word.split(separator: "=").map(String.init)
        let theirs = try #require(Double(pair[1].replacing("%", with: "")))
        let ours: Double?
        switch pair[0] {
        case "nElo": ours = statistics.normalizedElo
        case "nEloErr": ours = statistics.normalizedEloError
        case "Elo": ours = statistics.elo
        case "EloErr": ours = statistics.eloError
        case "LOS": ours = statistics.superiority * 100
        case "score": ours = statistics.score
        default: ours = try Self.test(fields).logLikelihoodRatio(statistics)
        }
        // Theirs are rounded; their search for a ratio ends a ten-thousandth before the end.
        let digits = pair[0] == "score" ? 0.0006 : 0.0051
        let tolerance = pair[0] == "LLR" ? max(digits, theirs.magnitude * 2.5e-4) : digits
        #expect((try #require(ours) - theirs).magnitude <= tolerance, "\(line): \(pair[0]) is \(ours ?? 0)")
        compared += 1
      }
    }
    #expect(compared >= 39)
  }

  /// Counts such as `W76 L89 D123`, or of pairs: LL, LD, WL, DD, WD, WW.
  private static func statistics(_ text: String) -> MatchStatistics? {
    let words = text.split(separator: " ")
    let numbers = words.compactMap { Int($0.drop { $0.isLetter }) }
    guard words.first?.first == "W" else {
      guard numbers.count == 6 else { return nil }
      return MatchStatistics(
        pairs: (numbers[0], numbers[1], numbers[2] + numbers[3], numbers[4], numbers[5]))
    }
    return numbers.count == 3 ? MatchStatistics(wins: numbers[0], draws: numbers[2], losses: numbers[1]) : nil
  }

  private static func test(_ fields: [String]) throws -> SequentialTest {
    let numbers = fields[..<4].compactMap { Double($0) }
    try #require(numbers.count == 4)
    let scale = try #require(SequentialTest.Scale(rawValue: fields[4]))
    return try #require(
      SequentialTest(elo0: numbers[2], elo1: numbers[3], alpha: numbers[0], beta: numbers[1], scale: scale))
  }

  @Test func pairsVaryLess() throws {
    // Whoever moves first wins: a hundred games, of which nobody wins more.
    let games = MatchStatistics(wins: 51, draws: 0, losses: 49)
    let pairs = MatchStatistics(pairs: (0, 0, 49, 0, 1))
    #expect(games.score == pairs.score)
    #expect(try #require(pairs.eloError) < (try #require(games.eloError)) / 5)
  }

  @Test func extremes() {
    let none = MatchStatistics(wins: 0, draws: 0, losses: 0)
    #expect(none.elo == 0 && none.eloError == nil && none.superiority == 0.5)
    #expect(none.normalizedElo == 0 && none.normalizedEloError == nil)
    let won = MatchStatistics(wins: 7, draws: 0, losses: 0)
    #expect(won.elo == .infinity && won.eloError == nil && won.superiority == 1)
    #expect(won.normalizedElo == .infinity)
    let lost = MatchStatistics(pairs: (7, 0, 0, 0, 0))
    #expect(lost.elo == -.infinity && lost.eloError == nil && lost.superiority == 0)
    let drawn = MatchStatistics(wins: 0, draws: 9, losses: 0)
    #expect(drawn.elo == 0 && drawn.eloError == nil && drawn.superiority == 0.5)
    #expect(MatchStatistics(wins: -5, draws: 1, losses: .min).counts == [0, 1, 0])
    let huge = MatchStatistics(wins: .max, draws: .max, losses: .max)
    #expect(huge.score == 0.5 && huge.elo == 0)
  }

  /// Which side is called the first changes signs alone.
  @Test func mirrored() {
    for wins in 0...6 {
      for draws in 0...6 {
        for losses in 0...6 {
          let one = MatchStatistics(wins: wins, draws: draws, losses: losses)
          let other = MatchStatistics(wins: losses, draws: draws, losses: wins)
          #expect(one.elo == -other.elo || (one.elo + other.elo).magnitude < 1e-9)
          #expect((one.superiority + other.superiority - 1).magnitude < 1e-12)
          #expect((one.eloError == nil) == (other.eloError == nil))
        }
      }
    }
  }
}

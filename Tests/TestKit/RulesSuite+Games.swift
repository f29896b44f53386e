import BotKit
import Rules

extension RulesSuite {
  /// Random games, each seat moving first in turn.
  static func randomGames<R: Rules>(_ rules: R, extent: Extent, _ findings: inout Findings) -> [RandomGame<R>]
  {
    let seats = rules.allSeats
    guard !seats.isEmpty else {
      findings.expect(false, .firstMover, "nobody plays")
      return []
    }
    return (0..<extent.games).map { number in
      var random = RandomStream(seed: extent.seed ^ UInt64(number) << 32)
      return RandomGame(rules, first: seats[number % seats.count], plyLimit: extent.plyLimit, random: &random)
    }
  }
}

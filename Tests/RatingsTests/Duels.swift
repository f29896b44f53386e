import Ratings
import TestKit

/// Games for tests.
enum Duels {
  /// The games of a file of the reference data: a line of `white,black,result` each.
  static func read(_ name: String) throws -> [Duel<String>] {
    try ReferenceData.lines("ratings/\(name).csv").dropFirst().map { line in
      let fields = line.split(separator: ",").map(String.init)
      let results: [String: Duel<String>.Result] = ["1-0": .won, "0-1": .lost, "1/2-1/2": .drawn]
      guard fields.count == 3, let result = results[fields[2]] else { throw Unreadable(line: String(line)) }
      return Duel(first: fields[0], second: fields[1], result: result)
    }
  }

  struct Unreadable: Error { var line: String }

  /// Games of two players, who take turns at moving first.
  static func between(
    _ one: String, _ other: String, wins: Int = 0, draws: Int = 0, losses: Int = 0
  ) -> [Duel<String>] {
    let results: [Duel<String>.Result] =
      Array(repeating: .won, count: wins) + Array(repeating: .drawn, count: draws)
      + Array(repeating: .lost, count: losses)
    return results.enumerated().map { number, result in
      guard number % 2 == 1 else { return Duel(first: one, second: other, result: result) }
      return Duel(first: other, second: one, result: result == .won ? .lost : result == .lost ? .won : .drawn)
    }
  }

  /// Games of players who are the better the later their letter.
  static func random(players: Int, games: Int, _ random: inout SeededGenerator) -> [Duel<String>] {
    (0..<games).map { _ in
      let one = Int.random(in: 0..<players, using: &random)
      let other = Int.random(in: 0..<players, using: &random)
      let sum = Int.random(in: 0..<(4 * players), using: &random) + 2 * (other - one)
      let result: Duel<String>.Result =
        sum < players * 3 / 2 ? .won : sum < players * 5 / 2 ? .drawn : .lost
      return Duel(first: name(one), second: name(other), result: result)
    }
  }

  private static func name(_ number: Int) -> String { "player \(number)" }
}

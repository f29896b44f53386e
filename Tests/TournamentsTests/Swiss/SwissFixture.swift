import Foundation
import TestKit
import Testing

@testable import Tournaments

/// A tournament of `Tests/Fixtures/swiss-dutch.txt`.
struct SwissFixture: Sendable, CustomTestStringConvertible {
  var name: String
  /// For each player points and rounds, as they stand in the file.
  var players: [[String]]

  var testDescription: String { name }

  static let all: [SwissFixture] = {
    let text: String
    // A test counts them.
    do { text = try PackageFolder.text("Tests/Fixtures/swiss-dutch.txt") } catch { return [] }
    var fixtures: [SwissFixture] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "tournament" {
        fixtures.append(SwissFixture(name: words[1], players: []))
      } else {
        fixtures[fixtures.count - 1].players.append(words)
      }
    }
    return fixtures
  }()

  /// The tournament as a report file.
  var report: String {
    let lines = players.enumerated().map { place, words in
      Self.line(number: place + 1, points: words[0], rounds: Array(words.dropFirst()))
    }
    return (["012 \(name)"] + lines).joined(separator: "\r") + "\r"
  }

  /// A player's line.
  static func line(number: Int, points: String, rounds: [String]) -> String {
    let name = "Player \(number)".padding(toLength: 33, withPad: " ", startingAt: 0)
    var line = "001 \(right(number, 4))      \(name) 2000".padding(toLength: 80, withPad: " ", startingAt: 0)
    line += "\(String(repeating: " ", count: 4 - points.count))\(points) \(right(number, 4))"
    for round in rounds {
      let digits = round.prefix { $0.isNumber && round.count > 1 }
      let end = round.dropFirst(digits.count)
      line +=
        digits.isEmpty
        ? "  0000 - \(end)" : "  \(right(Int(digits) ?? 0, 4)) \(end.prefix(1)) \(end.dropFirst())"
    }
    return line
  }

  private static func right(_ number: Int, _ width: Int) -> String {
    String(repeating: " ", count: width - String(number).count) + String(number)
  }
}

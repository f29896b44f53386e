import BotKit
import Foundation
import PrisonersDilemmaBots
import TestKit
import Testing

/// Games of our strategies against recorded ones.
@Suite struct PrisonersDilemmaReferenceTests {
  private static let ours = [
    "TitForTat": "tit-for-tat", "Grudger": "grudger", "WinStayLoseShift": "win-stay-lose-shift",
    "Defector": "defector", "Cooperator": "cooperator", "Random": "random", "FirstByJoss": "joss",
  ]

  /// All pairings as this program played them when the file was recorded (`PARLOR_RECORD=1`).
  @Test func recordedPairings() throws {
    let names = PrisonersDilemmaBots.families.map(\.name)
    var lines = ["# Games of 200 rounds with payoffs 5,3,1,0 and seed 1, as this program played them."]
    for first in names {
      for second in names {
        let match = try PrisonersDilemmaMatch(.bot(first), .bot(second))
        lines += [
          "\(first) \(match.scores[0]) \(match.letters[0])",
          "\(second) \(match.scores[1]) \(match.letters[1])",
        ]
      }
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/prisoners-dilemma/pairings-200.txt")
    if ProcessInfo.processInfo.environment["PARLOR_RECORD"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(recorded.count == lines.count)
    for (old, new) in zip(recorded, lines) { #expect(old == new) }
  }

  /// Every published pairing of two of our deterministic strategies, move by move.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func publishedPairings() throws {
    var compared = 0
    for line in try ReferenceData.lines("axelrod/deterministic_pairings_200.csv.gz").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 7)
      guard let first = Self.ours[fields[0]], let second = Self.ours[fields[1]] else { continue }
      let match = try PrisonersDilemmaMatch(.bot(first), .bot(second))
      #expect(match.letters == [fields[3], fields[4]], "\(first) against \(second)")
      #expect(match.scores.map { "\($0)" } == [fields[5], fields[6]], "\(first) against \(second)")
      compared += 1
    }
    #expect(compared >= 8)
  }

  /// Every published answer of our deterministic strategies to a fixed sequence of choices.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func publishedAnswersToFixedSequences() throws {
    var compared = 0
    for line in try ReferenceData.lines("axelrod/deterministic_vs_fixed_200.csv.gz").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 4)
      guard let name = Self.ours[fields[0]] else { continue }
      let match = try PrisonersDilemmaMatch(.letters(fields[2]), .bot(name), rounds: fields[2].utf8.count)
      #expect(match.letters[1] == fields[3], "\(name)")
      compared += 1
    }
    #expect(compared >= 30)
  }

  /// Mean scores of `random` and `joss` over 100 games, within five standard errors of the published means.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func publishedMeansOfRandomStrategies() throws {
    var compared = 0
    for line in try ReferenceData.lines("axelrod/stochastic_vs_panel_200x200.csv").dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      guard let name = Self.ours[fields[0]], let opponent = Self.ours[fields[1]] else { continue }
      let totals = try (0..<100 as Range<UInt32>).map { number in
        try PrisonersDilemmaMatch(.bot(name), .bot(opponent), seed: 5, number: number).scores
      }
      for (seat, column) in [(0, 5), (1, 7)] {
        let mean = Double(totals.reduce(0) { $0 + Int($1[seat]) }) / (100 * 200)
        let published = try #require(Double(fields[column]))
        let deviation = try #require(Double(fields[column + 1]))
        let error = 5 * deviation * (1.0 / 100 + 1.0 / 200).squareRoot() + 0.00001
        #expect(
          abs(mean - published) <= error, "\(name) against \(opponent): \(mean), published \(published)")
      }
      compared += 1
    }
    #expect(compared >= 10)
  }
}

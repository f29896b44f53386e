import BotKit
import Foundation
import PrisonersDilemmaBots
import TestKit
import Testing

/// Games of our strategies against recorded ones.
@Suite struct PrisonersDilemmaReferenceTests {
  /// Our name of a strategy in the recorded games; `nil` for those that are not here.
  private static let ours: @Sendable (String) -> String? = { recorded in
    let name = PrisonersDilemmaNames.ours(recorded)
    return known.contains(name) ? name : nil
  }
  private static let known = Set(PrisonersDilemmaBots.families.map(\.name))

  /// All pairings as this program played them when the file was recorded (`PARLOR_RECORD=1`).
  @Test func recordedPairings() throws {
    let names = PrisonersDilemmaBots.families.prefix(7).map(\.name)
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
    try expectRecorded("pairings-200.txt", lines)
  }

  /// Games of each strategy with six that try it in different ways.
  @Test func recordedStrategies() throws {
    let panel = ["tit-for-tat", "alternator", "random", "grudger", "cycler-ccd", "prober"]
    var lines = ["# Games of 60 rounds with payoffs 5,3,1,0 and seed 1, as this program played them."]
    for name in PrisonersDilemmaBots.families.filter({ $0.argument == nil }).map(\.name) {
      for other in panel {
        let match = try PrisonersDilemmaMatch(.bot(name), .bot(other), rounds: 60)
        lines.append("\(name) \(other) \(match.scores[0]) \(match.scores[1]) \(match.letters[0])")
      }
    }
    try expectRecorded("strategies-60.txt", lines)
  }

  /// Compares lines with those of a fixture, or writes it with `PARLOR_RECORD=1`.
  private func expectRecorded(_ name: String, _ lines: [String]) throws {
    let file = PackageFolder.file("Tests/Fixtures/prisoners-dilemma/\(name)")
    if ProcessInfo.processInfo.environment["PARLOR_RECORD"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(recorded.count == lines.count)
    for (old, new) in zip(recorded, lines) { #expect(old == new) }
  }

  /// Every published pairing, move by move: who is not here plays as it did.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"), arguments: 0..<4)
  func publishedPairings(part: Int) throws {
    var compared = 0
    let lines = try ReferenceData.lines("axelrod/deterministic_pairings_200.csv.gz").dropFirst()
    for line in lines.enumerated().filter({ $0.offset % 4 == part }).map(\.element) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 7)
      let players = (0...1).map { seat -> PrisonersDilemmaMatch.Player in
        Self.ours(fields[seat]).map { .bot($0) } ?? .letters(fields[3 + seat])
      }
      let match = try PrisonersDilemmaMatch(players[0], players[1])
      #expect(match.letters == [fields[3], fields[4]], "\(fields[0]) against \(fields[1])")
      #expect(match.scores.map { "\($0)" } == [fields[5], fields[6]], "\(fields[0]) against \(fields[1])")
      compared += 1
    }
    #expect(compared >= 1000)
  }

  /// All recorded deterministic strategies are here.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func strategiesThatAreHere() throws {
    let names = try Set(
      ReferenceData.lines("axelrod/deterministic_pairings_200.csv.gz").dropFirst().flatMap { line in
        line.split(separator: ",").prefix(2).map(String.init)
      })
    #expect(names.count == 120)
    #expect(names.filter { Self.ours($0) == nil } == [])
  }

  /// Every published answer of our deterministic strategies to a fixed sequence of choices.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func publishedAnswersToFixedSequences() throws {
    var compared = 0
    for line in try ReferenceData.lines("axelrod/deterministic_vs_fixed_200.csv.gz").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 4)
      guard let name = Self.ours(fields[0]) else { continue }
      let match = try PrisonersDilemmaMatch(.letters(fields[2]), .bot(name), rounds: fields[2].utf8.count)
      #expect(match.letters[1] == fields[3], "\(name)")
      compared += 1
    }
    #expect(compared >= 1000)
  }

  /// Mean scores of strategies that draw over ten games, within five standard errors of the published means.
  @Test(.enabled(if: ReferenceData.has("axelrod"), "\(ReferenceData.absence)"))
  func publishedMeansOfRandomStrategies() throws {
    var compared = 0
    for line in try ReferenceData.lines("axelrod/stochastic_vs_panel_200x200.csv").dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      guard let name = Self.ours(fields[0]), let opponent = Self.ours(fields[1]) else { continue }
      let totals = try (0..<10 as Range<UInt32>).map { number in
        try PrisonersDilemmaMatch(.bot(name), .bot(opponent), seed: 5, number: number).scores
      }
      for (seat, column) in [(0, 5), (1, 7)] {
        let mean = Double(totals.reduce(0) { $0 + Int($1[seat]) }) / (10 * 200)
        let published = try #require(Double(fields[column]))
        let deviation = try #require(Double(fields[column + 1]))
        let error = 5 * deviation * (1.0 / 10 + 1.0 / 200).squareRoot() + 0.00001
        #expect(
          abs(mean - published) <= error, "\(name) against \(opponent): \(mean), published \(published)")
      }
      compared += 1
    }
    #expect(compared >= 200)
  }
}

import BotKit
import Foundation
package import Rules
package import Testing

extension Playthrough {
  /// The folder of the golden files, `GAME-N.txt` from N = 1.
  package static let folder = PackageFolder.file("Tests/Fixtures/playthroughs").path

  /// Plays the golden games again and records an issue for each that differs from its file in any byte.
  ///
  /// With `PARLOR_RECORD=1` in the environment the files are written instead: with the moves of the old file
  /// where there is one, else with random moves.
  /// - Parameter settings: the settings of each golden game, as lists of `name=value`.
  package static func check<R: Rules>(
    _ rules: R.Type, settings: [[String]], folder: String = Playthrough.folder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let records = ProcessInfo.processInfo.environment["PARLOR_RECORD"] == "1"
    for (index, setting) in settings.enumerated() {
      let path = folder + "/\(R.name)-\(index + 1).txt"
      var findings = RulesSuite.Findings()
      guard let rules = RulesSuite.rules(rules, setting, &findings) else {
        Issue.record("\(path): \(findings.list)", sourceLocation: sourceLocation)
        continue
      }
      if records { try record(rules, number: index, path: path) }
      let golden = try String(contentsOfFile: path, encoding: .utf8)
      if let difference = difference(rules, golden: golden) {
        Issue.record("\(path) \(difference)", sourceLocation: sourceLocation)
      }
    }
  }

  /// The first line in which a golden text differs from the game played again, `nil` for none.
  package static func difference<R: Rules>(_ rules: R, golden: String) -> String? {
    guard let game = moves(rules, golden: golden) else { return "names a move that the game does not have" }
    let again = text(rules, first: game.first, steps: game.steps)
    guard !again.utf8.elementsEqual(golden.utf8) else { return nil }
    let (old, new) = (lines(golden), lines(again))
    let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    let was = line < old.count ? old[line] : "the end"
    let isNow = line < new.count ? new[line] : "the end"
    return "differs in line \(line + 1): “\(was)” is now “\(isNow)”"
  }

  private static func record<R: Rules>(_ rules: R, number: Int, path: String) throws {
    var first = Seat(UInt16(truncatingIfNeeded: number % rules.seats))
    var random = RandomStream(seed: UInt64(number))
    var steps = RandomGame(rules, first: first, plyLimit: 10_000, random: &random).steps
    if FileManager.default.fileExists(atPath: path),
      let old = moves(rules, golden: try String(contentsOfFile: path, encoding: .utf8))
    {
      (first, steps) = old
    }
    try Data(text(rules, first: first, steps: steps).utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// The first mover and the moves of a golden text.
  private static func moves<R: Rules>(_ rules: R, golden: String) -> (first: Seat, steps: [[MoveCode]])? {
    var first = Seat(0)
    var steps: [[MoveCode]] = []
    for line in lines(golden) {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "first", words.count == 2, let number = UInt16(words[1]),
        (1...rules.seats).contains(Int(number))
      {
        first = Seat(number - 1)
      }
      guard words.first == "play" else { continue }
      let codes = words.dropFirst().compactMap { word in
        word == noChoice ? MoveCode.none : rules.move(text: word).map { rules.code(of: $0) }
      }
      guard codes.count == words.count - 1, !codes.isEmpty else { return nil }
      steps.append(codes)
    }
    return (first, steps)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

import Foundation
import LineBots
import Platform
import Projection
import Rules
import TestKit
import Testing

/// The transcripts of Docs/LINE-PROTOCOL.md, played by a bot that expects each line.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct TranscriptTests {
  private static let document = PackageFolder.file("Docs/LINE-PROTOCOL.md").path

  /// The first lines of the transcripts, after the fence: a game and its settings.
  private static func heads(_ document: String) throws -> [[Substring]] {
    try String(contentsOfFile: document, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("```parlor-bot.1 ") }.map { Array($0.split(separator: " ").dropFirst()) }
  }

  /// Plays a transcript against the bot that plays the first legal move.
  /// - Returns: what was wrong.
  private func play(_ document: String, _ number: Int, _ head: [Substring]) async throws -> [LineBot.Report] {
    let reports = Reports()
    let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
    var parameters = Parameters()
    for setting in head.dropFirst() {
      let parts = setting.split(separator: "=")
      parameters[String(parts[0])] = String(parts[1])
    }
    let rules = try TestBots.rules(String(head[0])).definition.rules(parameters)
    let scripted = "\(TestBots.python) \(TestBots.folder)/Bots/transcript.py \(document) \(number)"
    let played = try await TestBots.match(rules, [scripted, TestBots.command("none")], games: 1, bots)
    #expect(played.games.count == 1)
    bots.close()
    return reports.all
  }

  @Test func theTranscriptsAreTrue() async throws {
    let heads = try Self.heads(Self.document)
    #expect(heads.count >= 3)
    for (number, head) in heads.enumerated() {
      for report in try await play(Self.document, number, head) {
        Issue.record("\(head): \(report.fault.words)\n\(String(decoding: report.errors, as: UTF8.self))")
      }
    }
  }

  @Test func aWrongTranscriptIsFound() async throws {
    let folder = try ScratchFolder()
    let document = folder.file("wrong.md")
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let wrong = text.replacingOccurrences(of: #""number":1"#, with: #""number":2"#)
    #expect(wrong != text)
    try wrong.write(toFile: document, atomically: false, encoding: .utf8)
    let reports = try await play(document, 0, Self.heads(document)[0])
    #expect(reports.map(\.fault) == [.ended(.exited(1))])
    let errors = String(decoding: reports.first?.errors ?? [], as: UTF8.self)
    #expect(errors.contains("expected"))
  }
}

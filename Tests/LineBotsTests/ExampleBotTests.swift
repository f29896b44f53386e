import Foundation
import LineBots
import Projection
import Rules
import TestKit
import Testing

/// The bots of `Bots/Examples`: one bot in three languages, which plays the same games in each.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct ExampleBotTests {
  enum Language: CaseIterable {
    case python, c, swift
  }

  /// The command; the programs in C and Swift are built beside the tests.
  private func command(_ language: Language) throws -> String {
    switch language {
    case .python: "\(TestBots.python) \(PackageFolder.file("Bots/Examples/seeded.py").path)"
    case .c: try #require(BuiltProgram.path("ExampleBotC"))
    case .swift: try #require(BuiltProgram.path("ExampleBotSwift"))
    }
  }

  @Test(arguments: ["tic-tac-toe", "connect-four", "othello", "ultimate-tic-tac-toe", "prisoners-dilemma"])
  func allPlayTheSameGames(_ game: String) async throws {
    var played: [[[MoveCode]]] = []
    for language in Language.allCases {
      let reports = Reports()
      let bots = LineBots(limits: TestBots.patient) { reports.note($0) }
      let players = [try command(language), TestBots.command("none")]
      let match = try await TestBots.match(try TestBots.rules(game), players, games: 2, bots)
      bots.close()
      #expect(reports.all.isEmpty, "\(reports.all.map(\.fault.words))")
      #expect(match.games.allSatisfy { $0.ending?.cause == .rules })
      played.append(match.games.map { $0.plies.flatMap(\.codes) })
    }
    #expect(played[0].count == 2)
    #expect(played[1] == played[0] && played[2] == played[0])
  }

  @Test(arguments: Language.allCases)
  func theCheckFindsNothingWrong(_ language: Language) throws {
    let command = try #require(BotCommandLine(try command(language), home: nil))
    var wrong: [String] = []
    let check = LineBotCheck(command, limits: TestBots.patient, isCancelled: { false }) { finding in
      if finding.kind != .right { wrong.append(finding.words) }
    }
    let games = try ["tic-tac-toe", "gomoku", "prisoners-dilemma", "memory-match"].map {
      try TestBots.rules($0)
    }
    #expect(check.run(games, seed: 3))
    #expect(wrong.isEmpty)
  }

  @Test func eachIsShort() throws {
    for name in ["seeded.py", "C/seeded.c", "Swift/main.swift"] {
      let text = try PackageFolder.text("Bots/Examples/\(name)")
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(name)")
    }
  }
}

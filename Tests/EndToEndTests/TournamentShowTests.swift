import TestKit
import Testing

/// What `tournament show` and `tournament standings` say of a tournament whose end is known.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentShowTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String...) throws -> String {
    let run = try Program.start(words + ["--data", "data"], home: home).finish()
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// The bracket has the winner of the first pairing above; the room has the better seed on the first seat.
  @Test func resultsStandInTheOrderOfTheNames() throws {
    _ = try run(
      "tournament", "run", "--game", "prisoners-dilemma", "--entrants",
      "tit-for-tat,cooperator,grudger,defector",
      "--set", "rounds=3")
    let lines = try run("tournament", "show").split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("M1 tit-for-tat – defector") && $0.contains("0 : 1") })
    #expect(lines.contains { $0.contains("M3 cooperator – defector") && $0.contains("0 : 1") })
  }

  /// Scored games: what the ranks go by is the first measure, and the most cooperative are not behind.
  @Test func scoredGamesRankByScore() throws {
    _ = try run(
      "tournament", "run", "--game", "prisoners-dilemma", "--format", "round-robin", "--entrants",
      "tit-for-tat,grudger,defector", "--set", "rounds=20")
    let lines = try run("tournament", "standings").split(separator: "\n").map(String.init)
    let head = try #require(lines.first { $0.contains("RANK") })
    #expect(head.split(separator: " ").prefix(3) == ["RANK", "ENTRANT", "SCORE"])
    #expect(lines.last { $0.contains("defector") }?.hasPrefix("   3") == true)
  }
}

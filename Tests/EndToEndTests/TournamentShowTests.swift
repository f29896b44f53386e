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

  private func objects(_ words: String...) throws -> [[String: Any]] {
    try Program.start(words + ["--data", "data"], home: home).finish().objects()
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

  /// The first tournament's entries play each other, and both matrices tell what came of it.
  @Test func aListOfEntrantsPlaysAndHasItsMatrix() throws {
    _ = try run(
      "tournament", "run", "--game", "prisoners-dilemma", "--format", "round-robin", "--entrants",
      "axelrod-first",
      "--set", "rounds=2", "--set", "payoffs=axelrod")
    let text = try run("tournament", "matrix").split(separator: "\n").map(String.init)
    #expect(text.count { $0.contains("tideman-and-chieruzzi") } == 2)
    let csv = try run("tournament", "matrix", "--of", "cooperation", "--format", "csv").split(separator: "\n")
    #expect(
      csv.count == 16
        && csv.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 16 })
    #expect(csv[1].hasPrefix("tit-for-tat,,"))
  }

  /// Means of a round against each, nobody against itself, in text, CSV and JSON.
  @Test func theMatrixHasMeansOfARound() throws {
    _ = try run(
      "tournament", "run", "--game", "prisoners-dilemma", "--format", "round-robin", "--entrants",
      "tit-for-tat,cooperator,defector", "--set", "rounds=5", "--set", "payoffs=axelrod")
    #expect(
      try run("tournament", "matrix", "--format", "csv")
        == "entrant,tit-for-tat,cooperator,defector\ntit-for-tat,,3.000,0.800\n"
        + "cooperator,3.000,,0.000\ndefector,1.800,5.000,\n")
    #expect(
      try run("tournament", "matrix", "last", "--of", "cooperation", "--format", "csv")
        == "entrant,tit-for-tat,cooperator,defector\ntit-for-tat,,1.000,0.200\n"
        + "cooperator,1.000,,1.000\ndefector,0.000,0.000,\n")
    let lines = try run("tournament", "matrix", "--of", "payoff").split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.contains(["1", "tit-for-tat", "1.900", "–", "3.000", "0.800"]))
    #expect(
      try run("tournament", "matrix", "--json").contains(
        "\"entrants\":[\"tit-for-tat\",\"cooperator\",\"defector\"]"))
  }

  /// In a decider the seats have changed places: what an entrant gained is in its own row all the same.
  @Test func theMatrixKnowsSwappedSeats() throws {
    for seed in 1...8 {
      _ = try run(
        "tournament", "run", "--game", "prisoners-dilemma", "--entrants", "random,random", "--set",
        "rounds=1",
        "--seed", "\(seed)")
      let line = try #require(try objects("tournament", "standings", "--json").first)
      var gained = [0, 0]
      for entrant in try #require(line["standings"] as? [[String: Any]]) {
        gained[try #require(entrant["seed"] as? Int) - 1] = try #require(entrant["score"] as? Int)
      }
      let matrix = try #require(try objects("tournament", "matrix", "--json").first)
      #expect((matrix["scores"] as? [[Int]])?.map { $0.reduce(0, +) } == gained, "seed \(seed)")
    }
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

import Foundation
import TestKit
import Testing

/// `parlor ratings`, as people and programs read it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct RatingsTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., data: String = "data") throws -> String {
    let run = try Program.start(words + ["--data", data], home: home).finish()
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  private static let gauntlet = "first,second,result\nA,G,1-0\nG,A,1-0\nB,G,1/2-1/2\r\n\nG,B,0-1\nX,Y,1-0\n"

  @Test func aStoreThatGotTheRoomsInAnotherOrder() throws {
    _ = try run("match", "tic-tac-toe", "--players", "greedy,random", "--games", "20")
    _ = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random,solver", "--format",
      "round-robin")
    let moves = Data((1...9).map { "\($0)\n" }.joined().utf8)
    _ = try Program.start(
      ["play", "tic-tac-toe", "--against", "random", "--name", "Ada\u{1B}[2J", "--data", "data"], home: home,
      input: moves
    ).finish()
    let ours = try run("ratings", "--json")
    #expect(ours.contains("Ada"))
    for words in [["ratings"], ["ratings", "--method", "glicko2"], ["ratings", "--tournament", "last"]] {
      let shown = try Program.start(words + ["--data", "data"], home: home).finish()
      #expect(shown.status == 0 && shown.output.contains("RANK") && !shown.output.contains("\u{1B}"))
    }
    let rooms = try Program.run("log", "list", "--all", "--json", "--data", "data", home: home).objects()
    for room in rooms.compactMap({ $0["id"] as? String }) {
      _ = try run("log", "export", room, "--output", "room.parlor", "--force")
      _ = try run("log", "import", "room.parlor", data: "other")
    }
    #expect(try run("ratings", "--json", data: "other") == ours)
  }

  @Test func aFileOfResults() throws {
    try home.write("results.csv", Data(Self.gauntlet.utf8))
    let shown = try run("ratings", "--results", "results.csv", "--average", "0")
    #expect(shown.contains("No game connects those below with those above"))
    #expect(shown.contains("X has won all games."))
    let objects = try Program.run("ratings", "--results", "results.csv", "--json", home: home).objects()
    #expect(objects.map { $0["name"] as? String } == ["B", "A", "G", "X", "Y", nil])
    #expect(objects.last?["bounded"] as? [Int] == [2])
    #expect(objects.last?["games"] as? Int == 5)
    try home.write("results.csv", Data("A,B,1-0\nA,B,2-0\n".utf8))
    let bad = try Program.start(["ratings", "--results", "results.csv"], home: home).finish()
    #expect(bad.status == 65 && bad.errors.contains("line 2"), "\(bad.errors)")
    let both = try Program.start(["ratings", "--results", "a", "--game", "othello"], home: home).finish()
    #expect(both.status == 64)
  }

  @Test func aFolderWithoutGames() throws {
    let nothing = try Program.start(["ratings", "--data", "none"], home: home).finish()
    #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.contains("no store"))
    _ = try run("match", "tic-tac-toe", "--players", "greedy,random", "--games", "2")
    let other = try Program.start(["ratings", "--game", "othello", "--data", "data"], home: home).finish()
    #expect(other.status == 0 && other.output.isEmpty && other.errors.contains("No game of two players"))
  }
}

/// `parlor tournament run --seeding`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SeedingTests {
  let home: TemporaryFolder
  init() throws { home = try TemporaryFolder() }

  private func seeds(_ entrants: String, _ options: String...) throws -> (
    seeds: [String], run: Program.Finished
  ) {
    let run = try Program.start(
      [
        "tournament", "run", "--game", "tic-tac-toe", "--entrants", entrants, "--json", "--data",
        home.file("data"),
      ]
        + options, home: home
    ).finish()
    let finished = try run.objects().last { $0["type"] as? String == "finished" }
    let standings = finished?["standings"] as? [[String: Any]] ?? []
    let sorted = standings.sorted { ($0["seed"] as? Int ?? 0) < ($1["seed"] as? Int ?? 0) }
    return (sorted.compactMap { $0["entrant"] as? String }, run)
  }

  @Test func theBetterRatedAreSeededBetter() throws {
    let without = try seeds("random,greedy", "--seeding", "rating")
    #expect(
      without.run.status == 66 && without.run.errors.contains("no rating of tic-tac-toe"), "\(without.run)")
    for players in ["random,greedy", "greedy,solver"] {
      let match = try Program.run(
        "match", "tic-tac-toe", "--players", players, "--games", "40", "--data", home.file("data"), home: home
      )
      #expect(match.status == 0, "\(match.errors)")
    }
    let rated = try seeds("lookahead:1,random,greedy,solver", "--seeding", "rating")
    #expect(Array(rated.seeds.dropFirst(2)) == ["random", "lookahead:1"], "\(rated)")
    #expect(Set(rated.seeds.prefix(2)) == ["greedy", "solver"])
    #expect(rated.run.errors.contains("lookahead:1 has no rating here"))
    let given = try seeds("random,greedy")
    #expect(given.seeds == ["random", "greedy"])
  }

  @Test func ratingsThatNoGameConnectsAreNotCompared() throws {
    for players in ["random,greedy", "lookahead:1,lookahead:2"] {
      let match = try Program.run(
        "match", "tic-tac-toe", "--players", players, "--games", "4", "--data", home.file("data"), home: home)
      #expect(match.status == 0, "\(match.errors)")
    }
    let refused = try seeds("random,lookahead:2", "--seeding", "rating")
    #expect(
      refused.run.status == 69 && refused.run.errors.contains("no game connects random and lookahead:2"))
  }

  @Test func aDrawFollowsFromTheSeed() throws {
    let entrants = "random,greedy,lookahead:1,lookahead:2,lookahead:3"
    let first = try seeds(entrants, "--seeding", "draw", "--seed", "5")
    #expect(try seeds(entrants, "--seeding", "draw", "--seed", "5").seeds == first.seeds)
    let others = try (6...9).map { try seeds(entrants, "--seeding", "draw", "--seed", "\($0)").seeds }
    #expect(others.contains { $0 != first.seeds })
    for drawn in others + [first.seeds] {
      #expect(drawn.sorted() == entrants.split(separator: ",").map(String.init).sorted())
    }
  }
}

import Foundation
import TestKit
import Testing

/// `branch`, and the openings of `match`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct BranchTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: [String], _ input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", "data"], home: home, input: Data(input.utf8)).finish()
  }

  private func read(_ words: String...) throws -> [[String: Any]] {
    let run = try run(words + ["--json"])
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try run.objects()
  }

  /// A match of Connect Four between bots; the moves of its games.
  private func match(_ words: String...) throws -> [[String]] {
    let run = try run(
      ["match", "connect-four", "--players", "greedy,random", "--seed", "3", "--json"] + words)
    #expect(run.status == 0, "\(run.errors)")
    return try run.objects().compactMap { $0["moves"] as? [String] }
  }

  private func lastRoom() throws -> String { try #require(try read("log", "list")[0]["id"] as? String) }

  @Test func aGameGoesOnFromAPositionOfAnother() throws {
    let moves = try match("--games", "2")[1]
    let old = try lastRoom()
    let branch = try run(["branch", "last", "--at", "5", "--game", "2", "--json"], "resign\nresign\n")
    #expect(branch.status == 0, "\(branch.errors)")
    let objects = try branch.objects()
    let game = try #require(objects.first { $0["type"] as? String == "game" })
    #expect(game["branch-of"] as? String == old && game["opening"] as? [String] == Array(moves.prefix(5)))
    // Five moves were made, so the second one to move is on, and that is whose seat the person has.
    #expect(game["seat"] as? Int == 2 && game["first"] as? Int == 2)
    let position = try #require(objects.first { $0["type"] as? String == "position" })
    #expect(position["moves"] as? [String] == Array(moves.prefix(5)) && position["turn"] as? Int == 2)
    #expect(objects.last?["result"] as? String == "lost")
    let words = try #require(try read("log", "show", "last")[0]["words"] as? String)
    #expect(words.contains("goes on from game 2 of \(old.prefix(10)) after 5 moves"), "\(words)")
    #expect(try run(["replay", "last"]).output.contains("It goes on from game 2 of"))
    let frames = try read("replay", "last").filter { $0["type"] as? String == "position" }
    #expect(frames.map { $0["opening"] as? Bool } == [false] + [Bool](repeating: true, count: 5))
    #expect(frames.allSatisfy { $0["event"] is NSNull })
    let line = try run(["replay", "last", "--format", "moves"]).output
    #expect(line.trimmingCharacters(in: .newlines) == moves.prefix(5).joined())
    #expect(try read("log", "verify").allSatisfy { $0["valid"] as? Bool == true })
  }

  @Test func theOtherSideOfABranchAndABranchOfABranch() throws {
    let moves = try match("--games", "1")[0]
    let first = try run(["branch", "last", "--at", "4", "--seat", "second"])
    #expect(first.status == 0 && first.output.contains("It goes on from game 1 of "), "\(first.errors)")
    #expect(first.output.contains("The game begins after \(moves.prefix(4).joined(separator: " "))."))
    let frames = try read("replay", "last").filter { $0["type"] as? String == "position" }
    #expect(frames.count == 6, "the bot moves, and then the input is at its end")
    let words = try run(["branch", "last", "--at", "5", "--json"])
    #expect(words.status == 0, "\(words.errors)")
    let game = try #require(try words.objects().first)
    #expect((game["opening"] as? [String])?.count == 5 && game["seat"] as? Int == 2)
    let waiting = try run(["play", "--resume", "last", "--json"], "undo\nresign\nresign\n")
    #expect(waiting.status == 0 && waiting.errors.contains("no move of yours"), "\(waiting.errors)")
  }

  @Test func whatCannotBeBranchedIsSaid() throws {
    let moves = try match("--games", "1")[0]
    let played = moves.count
    for (words, status, text) in [
      (["branch", "last"], 64, "--at PLY"), (["branch", "last", "--at", "500"], 64, "has \(played) moves"),
      (["branch", "last", "--at", "\(played)"], 64, "the game is over there"),
      (["branch", "last", "--at", "1", "--game", "2"], 64, "--game"),
      (["branch", "0123abcd", "--at", "1"], 66, "0123abcd"),
      (["branch", "last", "--at", "1", "--against", "nobody"], 64, "nobody"),
    ] {
      let run = try run(words)
      #expect(run.status == status && run.errors.contains(text), "\(words): \(run.errors)")
    }
    #expect(try read("log", "list").filter { $0["id"] != nil }.count == 1)
    let dilemma = try run(["match", "prisoners-dilemma", "--players", "joss,random", "--games", "1"])
    #expect(dilemma.status == 0)
    let secret = try run(["branch", "last", "--at", "1"])
    #expect(secret.status == 64 && secret.errors.contains("has no openings"), "\(secret.errors)")
  }

  @Test func openingsOfAMatchArePlayedFromBothSides() throws {
    try home.write("book.txt", Data("# two openings\n4 4 3\n\n 1,1 # the edge\n".utf8))
    let moves = try match("--games", "6", "--opening", "7", "--openings", "book.txt")
    #expect(moves[0][0] == "7" && moves[1][0] == "7")
    #expect(moves[2].prefix(3) == ["4", "4", "3"] && moves[3].prefix(3) == ["4", "4", "3"])
    #expect(moves[4].prefix(2) == ["1", "1"] && moves[5].prefix(2) == ["1", "1"])
    let drawn = try match("--games", "8", "--opening-plies", "3")
    for pair in 0..<4 { #expect(drawn[2 * pair].prefix(3) == drawn[2 * pair + 1].prefix(3)) }
    #expect(Set(drawn.map { $0.prefix(3).joined() }).count == 4)
    #expect(try match("--games", "8", "--opening-plies", "3") == drawn)
    #expect(try read("log", "verify").allSatisfy { $0["valid"] as? Bool == true })
    let words = try #require(try read("log", "show", "last")[0]["words"] as? String)
    #expect(words.contains("openings ") && words.contains(" and 1 more"), "\(words)")
  }

  @Test func pairingsOfATournamentBeginWithOpenings() throws {
    let words = ["--game", "connect-four", "--format", "round-robin", "--entrants", "greedy,random,random"]
    let played = try run(["tournament", "run", "--opening-plies", "2", "--json"] + words)
    #expect(played.status == 0, "\(played.errors)")
    let rooms = try played.objects().compactMap { $0["room"] as? String }
    #expect(rooms.count == 3)
    var openings: Set<String> = []
    for room in rooms {
      let frames = try read("replay", room).filter { $0["opening"] as? Bool == true }
      #expect(frames.count == 4, "two moves in each of two games")
      let texts = frames.compactMap { ($0["moves"] as? [String])?.first }
      #expect(texts.prefix(2) == texts.suffix(2))
      openings.insert(texts.prefix(2).joined())
    }
    #expect(openings.count == 3)
    #expect(try read("log", "verify").allSatisfy { $0["valid"] as? Bool == true })
  }

  @Test func openingsThatCannotBeAreRefusedBeforeAnythingIsWritten() throws {
    try home.write("book.txt", Data("4 4\n# fine so far\n4 9\n".utf8))
    try home.write("empty.txt", Data("# nothing\n".utf8))
    let four = ["match", "connect-four", "--players", "random,random"]
    for (words, status, text) in [
      (four + ["--opening", "4 x"], 64, "move 2 of the position is no move of this game"),
      (four + ["--opening", ""], 64, "--opening cannot be empty"),
      (four + ["--opening", "1 2 1 2 1 2 1"], 64, "move 7 ends the game"),
      (four + ["--openings", "book.txt"], 65, "book.txt, line 3: move 2"),
      (four + ["--openings", "empty.txt"], 65, "empty.txt has no opening"),
      (four + ["--openings", "missing.txt"], 66, "missing.txt"),
      (four + ["--opening-plies", "2", "--opening", "4"], 64, "--opening-plies"),
      (four + ["--opening-plies", "0"], 64, "--opening-plies"),
      (
        ["match", "tic-tac-toe", "--players", "random,random", "--opening-plies", "9"], 64,
        "no game was found"
      ),
      (["match", "prisoners-dilemma", "--players", "joss,random", "--opening", "c"], 64, "has no openings"),
      (
        ["match", "prisoners-dilemma", "--players", "joss,random", "--opening-plies", "1"], 64, "no openings"
      ),
    ] {
      let run = try run(words)
      #expect(run.status == status && run.errors.contains(text), "\(words): \(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: home.file("data")))
  }
}

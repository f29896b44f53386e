import Foundation
import TestKit
import Testing

/// `parlor analyze` and `parlor replay --analyze`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct AnalyzeTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Finished {
    try Program.start(arguments + ["--data", data], home: home).finish()
  }

  /// Who plays perfectly makes no mistake; of who loses against it one move is the losing one.
  @Test func aLostGameHasItsMistake() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["solver", "random"], games: 6) }
    let objects = try run("analyze", "--json").objects()
    let reviews = objects.filter { $0["type"] as? String == "review" }
    #expect(reviews.count == 6)
    let positions = try run("replay", "--json").objects()
    var lost = 0
    for review in reviews {
      let game = try #require(review["game"] as? Int)
      let moves = objects.filter { $0["type"] as? String == "reviewed" && $0["game"] as? Int == game }
      let ending = positions.first { $0["type"] as? String == "ending" && $0["game"] as? Int == game }
      let winner = ending?["winner"] as? Int
      let seats = try #require(review["seats"] as? [[String: Any]])
      for (index, seat) in seats.enumerated() {
        let own = moves.filter { $0["seat"] as? Int == index + 1 }
        #expect(seat["moves"] as? Int == own.count)
        #expect(seat["mistakes"] as? Int == own.count { $0["mistake"] as? Bool == true })
        #expect(seat["best"] as? Int == own.count { $0["isBest"] as? Bool == true })
        if (seat["name"] as? String)?.hasPrefix("solver") == true { #expect(seat["accuracy"] as? Int == 100) }
      }
      let losing = moves.first { $0["ply"] as? Int == review["losing"] as? Int }
      #expect((losing == nil) == (winner == nil))
      guard let losing else { continue }
      lost += 1
      #expect(losing["mistake"] as? Bool == true && losing["seat"] as? Int != winner)
    }
    #expect(lost > 0)
    let text = try run("analyze", "--game", "1")
    #expect(text.status == 0 && text.output.contains("accuracy 100 %"), "\(text.output)\(text.errors)")
  }

  @Test func aReplayShowsWhatMovesAreWorth() async throws {
    do { _ = try await Samples(data).match("connect-four", ["greedy", "random"], games: 1) }
    let shown = try run("replay", "--analyze", "--nodes", "2000")
    #expect(shown.status == 0 && shown.output.contains("Worth: "), "\(shown.errors)")
    let plain = try run("replay").output
    #expect(!plain.contains("Worth: "))
    let positions = try run("replay", "--analyze", "--nodes", "2000", "--json").objects()
      .filter { $0["type"] as? String == "position" }
    let reviewed = try run("analyze", "--nodes", "2000", "--json").objects()
      .filter { $0["type"] as? String == "reviewed" }
    #expect(positions.count == reviewed.count + 1)
    for (position, move) in zip(positions, reviewed) {
      #expect((position["values"] as? NSArray) == (move["values"] as? NSArray))
    }
    for (position, move) in zip(positions.dropFirst(), reviewed) {
      #expect(position["mistake"] as? Bool == move["mistake"] as? Bool)
    }
    #expect(positions.last?["values"] is NSNull)
    // One position needs the moves before and after it alone, and a wrong one is told before any search.
    let one = try run("replay", "--analyze", "--nodes", "2000", "--at", "3", "--json")
    #expect(try one.objects().first as? NSDictionary == positions[3] as NSDictionary)
    #expect(one.errors.contains("2/2 moves"), "\(one.errors)")
    let wrong = try run("replay", "--analyze", "--at", "300")
    #expect(wrong.status == 64 && !wrong.errors.contains("analyzing"), "\(wrong.errors)")
  }

  @Test func aPositionIsLookedAtWithoutARoom() throws {
    let solved = try run("analyze", "tic-tac-toe", "512", "--json").objects()
    let values = try #require(solved.first?["values"] as? [[String: Any]])
    #expect(values.count == 6 && values.first?["move"] as? String == "8" && solved.first?["depth"] is NSNull)
    #expect(values.allSatisfy { $0["proven"] as? Bool == true })
    let text = try run("analyze", "othello", "f5d6", "--nodes", "500")
    #expect(text.output.contains("plies ahead"), "\(text.output)\(text.errors)")
  }

  @Test(arguments: [
    (["tic-tac-toe", "55"], Int32(65), "not legal"), (["tic-tac-toe", "5x"], 65, "no move of this game"),
    (["tic-tac-toe", "14253"], 65, "the game is over"),
    (["prisoners-dilemma"], 64, "no search knows"), (["chess", "e4"], 64, "chess"),
    (["tic-tac-toe", "--game", "1"], 64, "it is for rooms"), (["tic-tac-toe", "--nodes", "0"], 64, "nodes"),
    (["nothing-there"], 66, "nothing-there"),
  ]) func whatCannotBeLookedAtIsSaid(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let run = try Program.start(["analyze"] + arguments + ["--data", data], home: home).finish()
    #expect(run.status == status && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func roomsThatNoSearchKnowsAreNamed() async throws {
    do { _ = try await Samples(data).match("prisoners-dilemma", ["tit-for-tat", "joss"], games: 1) }
    let run = try run("analyze")
    #expect(run.status == 64 && run.errors.contains("cannot be analyzed"), "\(run.errors)")
    let replay = try Program.run("replay", "--analyze", "--data", data, home: home)
    #expect(replay.status == 64, "\(replay.errors)")
  }
}

import Foundation
import TestKit
import Testing

/// What `match` says of two bots' strength, and when that ends it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct MatchStrengthTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func strength(_ words: String...) throws -> [String: Any] {
    let objects = try Program.start(words + ["--json", "--data", "data"], home: home).finish().objects()
    return try #require(objects.last?["elo"] as? [String: Any])
  }

  @Test func aMatchIsCountedInPairs() throws {
    let found = try strength("match", "tic-tac-toe", "--players", "greedy,random", "--games", "41")
    #expect(found["unit"] as? String == "pair" && found["games"] as? Int == 41)
    #expect((found["counts"] as? [Int])?.reduce(0, +) == 20)
    #expect(found["difference"] as? Double ?? 0 > 100 && found["superiority"] as? Double ?? 0 > 0.99)
    #expect(found["sprt"] is NSNull)
    let one = try strength("match", "tic-tac-toe", "--players", "solver,random", "--games", "1")
    #expect(one["unit"] as? String == "game" && one["error"] is NSNull)
  }

  /// The same games decide at any concurrency.
  @Test func aTestEndsTheMatch() throws {
    var decided: [NSDictionary] = []
    for concurrency in ["1", "3"] {
      let found = try strength(
        "match", "tic-tac-toe", "--players", "greedy,random", "--sprt", "elo0=0,elo1=50", "--concurrency",
        concurrency)
      #expect((found["sprt"] as? [String: Any])?["accepted"] as? String == "elo1")
      decided.append(found as NSDictionary)
    }
    #expect(decided[0] == decided[1])
    let shown = try Program.start(
      [
        "match", "tic-tac-toe", "--players", "random,greedy", "--sprt", "elo0=0,elo1=50,model=normalized",
        "--data", "data",
      ], home: home
    ).finish()
    #expect(shown.status == 0)
    #expect(shown.output.contains("elo0 is accepted: random is better by no more than 0.0"))
    let few = try Program.start(
      [
        "match", "tic-tac-toe", "--players", "random,random", "--sprt", "elo0=0,elo1=1", "--games", "6",
        "--data", "data",
      ], home: home
    ).finish()
    #expect(few.status == 0 && few.output.contains("after 6 games") && few.output.contains("undecided"))
  }

  @Test(arguments: [
    "elo0=0", "elo0=0,elo1=0", "elo0=0,elo1=nan", "elo0=0,elo1=1,alpha=2", "elo0=0,,elo1=1", "x",
    "elo0=0,elo1=1,model=none",
  ])
  func refused(_ words: String) throws {
    let run = try Program.start(
      ["match", "tic-tac-toe", "--players", "random,random", "--sprt", words, "--data", "data"], home: home
    ).finish()
    #expect(run.status == 64 && run.errors.contains("--sprt"), "\(run.errors)")
  }
}

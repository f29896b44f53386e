import Foundation
import Terminal
import TestKit
import Testing

/// Gomoku as a person plays it: the opening by words, and a board that fits.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct GomokuPlayTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: [String], _ input: String = "") throws -> Program.Finished {
    let run = try Program.start(words + ["--data", "data"], home: home, input: Data(input.utf8)).finish()
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// A bot opens near the middle; the person adds two stones in a corner, and the bot takes a colour.
  @Test func theOpeningIsPlayedByWords() throws {
    let game = [
      "play", "gomoku", "--set", "opening=swap2", "--against", "lookahead:1", "--seat", "second",
      "--name", "Ada",
    ]
    let played = try run(game, "black or white\ntwo\na1\na2\nwhite\nquit\n")
    for words in [
      "lookahead:1  vs  ⚪ You", "To choose white, black or two: You", "⚪ You played two", "⚪ You played a1",
      "To put a stone of each colour: You; next: black", "To choose white or black: lookahead:1",
    ] {
      #expect(played.output.contains(words), "\(words): \(played.output)")
    }
    #expect(played.errors.contains("“black or white” is no move here"))
    let end = try #require(played.output.split(separator: "\n").last { $0.contains("lack: ") })
    #expect(
      end == "  Black: lookahead:1; white: You" && played.output.contains("⚫ lookahead:1 played black")
        || end == "  Black: You; white: lookahead:1" && played.output.contains("⚪ lookahead:1 played white"))
    #expect(played.output.split(separator: "\n").allSatisfy { DisplayWidth.columns(of: $0) <= 80 })
    let replay = try run(["replay", "last"])
    #expect(replay.output.contains("⚪ Ada") && replay.output.contains("plays two"))
    _ = try run(["log", "verify"])
  }

  @Test func botsPlayItToTheEnd() throws {
    let match = ["match", "gomoku", "--players", "lookahead:1,greedy", "--games", "2", "--json"]
    let games = try run(match + ["--set", "opening=swap2", "--set", "line=exact"]).objects()
      .filter { $0["type"] as? String == "game" }
    #expect(games.count == 2)
  }
}

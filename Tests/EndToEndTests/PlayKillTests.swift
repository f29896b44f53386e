import BotKit
import Foundation
import Testing

/// `kill -9` in the middle of a game: what was shown is stored, and the game goes on.
@Suite(.enabled(if: Program.isThere, Program.missing)) struct PlayKillTests {
  struct Table: Sendable {
    let words: [String]
    let moves: [String]
  }

  static let tables = [
    Table(
      words: ["tic-tac-toe", "--against", "greedy", "--seat", "first"], moves: (1...9).map { "\($0)" }),
    Table(
      words: ["connect-four", "--against", "lookahead:3", "--seat", "second"], moves: (1...7).map { "\($0)" }),
    Table(
      words: ["prisoners-dilemma", "--against", "random", "--set", "rounds=30"], moves: ["C", "D"]),
  ]

  @Test(arguments: 0..<9)
  func everythingShownIsStoredAndTheGameGoesOn(_ seed: Int) throws {
    let table = Self.tables[seed % 3]
    let home = try TemporaryFolder()
    var random = RandomStream(seed: UInt64(seed))
    var shown: [String] = []
    var words = table.words
    for attempt in 0..<8 {
      let run = try Dialogue(["play", "--json", "--data", "data"] + words, home: home)
      let input = (0..<30).map { _ in table.moves.randomElement(using: &random) ?? "" }
      run.typeIfItListens(input.joined(separator: "\n") + "\n")
      if attempt == 7 {
        run.typeIfItListens("resign\n")
      } else {
        try run.wait(for: "a position") { try !run.objects("position").isEmpty }
        usleep(UInt32.random(in: 0...4000, using: &random))
        run.kill9()
      }
      let end = try run.finish()
      let positions = try run.objects("position").compactMap { $0["moves"] as? [String] }
      if let first = positions.first, first.count < shown.count || !first.starts(with: shown) {
        Issue.record("attempt \(attempt): shown \(shown), and after the kill \(first)")
      }
      shown = positions.last ?? shown
      if try !run.objects("result").isEmpty { break }
      if attempt == 7 { #expect(end.status == 0, "\(end.errors)") }
      let events = try Self.read(home, "log", "show", "last")
      #expect(Self.moves(in: events) >= shown.count, "a move that was shown is not in the log")
      guard try Self.read(home, "log", "list")[0]["status"] as? String == "playing" else { break }
      words = ["--resume", "last"]
    }
    try Self.check(home)
  }

  /// How many moves and choices stand in a log, of a game without take-backs.
  private static func moves(in events: [[String: Any]]) -> Int {
    events.count { ["move", "reveal"].contains($0["kind"] as? String) }
  }

  private static func read(_ home: TemporaryFolder, _ words: String...) throws -> [[String: Any]] {
    let run = try Program.start(words + ["--json", "--data", "data"], home: home).finish()
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try run.objects()
  }

  /// One room, two feeds without a gap or a fork, every event with its effect.
  private static func check(_ home: TemporaryFolder) throws {
    let rooms = try read(home, "log", "list", "--all")
    #expect(rooms.count == 1)
    #expect(rooms[0]["status"] as? String == "finished")
    let events = try read(home, "log", "show", "last")
    #expect(events.allSatisfy { $0["verdict"] as? String == "effective" })
    let feeds = Dictionary(grouping: events) { $0["author"] as? String ?? "" }
    #expect(feeds.count == 2)
    for feed in feeds.values {
      #expect(feed.compactMap { $0["sequence"] as? Int } == Array(1...feed.count))
    }
    let verified = try read(home, "log", "verify")
    #expect(verified[0]["valid"] as? Bool == true)
    #expect((verified[0]["forks"] as? [Any])?.isEmpty == true)
  }
}

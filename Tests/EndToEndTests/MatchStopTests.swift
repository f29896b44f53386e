import Foundation
import TestKit
import Testing

/// `match` when it is stopped or nobody reads on.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct MatchStopTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func whatWasPlayedIsCountedAndStored() throws {
    let players = Effort.isQuick ? "lookahead:5,lookahead:5" : "lookahead:6,lookahead:6"
    let run = try Dialogue(
      [
        "match", "connect-four", "--players", players, "--games", "200", "--json", "--data",
        "data",
      ], home: home)
    // A line of progress in the midst of the one room says that games are counted as they end.
    try run.wait(for: "a quarter of the games") { try run.errors().contains("25 %") }
    run.send(SIGINT)
    let end = try run.finish()
    #expect(end.status == 130)
    let words = try #require(
      end.errors.firstMatch(of: #/Stopped after (\d+) of 200 games: those are stored/#))
    let games = try #require(Int(words.output.1))
    #expect(games >= 50)
    let objects = try run.objects()
    #expect(objects.last?["games"] as? Int == games)
    #expect(objects.count == games + 1)
    let replayed = try Program.run("replay", "last", "--json", "--data", "data", home: home).objects()
    #expect(replayed.count { $0["type"] as? String == "ending" } == games)
  }

  @Test func aReaderThatLeavesEndsTheWork() throws {
    let program = try #require(Program.path)
    let match = "'\(program)' match tic-tac-toe --players random,greedy --games 10000000 --json --data data"
    let run = try Dialogue(
      ["-c", "{ \(match); echo $? > status; } | head -n 1"], home: home, program: "/bin/sh"
    ).finish()
    #expect(run.output.hasPrefix("{\"type\":\"game\""))
    #expect(String(decoding: try home.bytes("status"), as: UTF8.self) == "0\n")
  }

  @Test func aFullDiskEndsATournamentWithItsWords() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let program = try #require(Program.path)
    let tournament = "'\(program)' tournament run --game tic-tac-toe --entrants random,greedy,random --json"
    let run = try Dialogue(["-c", "\(tournament) --data data > /dev/full"], home: home, program: "/bin/sh")
      .finish()
    #expect(run.status == 74)
    #expect(run.errors.contains("cannot write the output"), "\(run.errors)")
  }
}

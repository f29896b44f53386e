import Foundation
import TestKit
import Testing

/// Three people turn up cards over the loopback, each with the real program; one of them leaves.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct MemoryMatchTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ players: Int) throws -> NetworkRun {
    try NetworkRun(
      [
        "host", "memory-match", "--set", "players=\(players)", "--set", "cards=8", "--seat", "first",
        "--name",
        "Ann",
      ], data: "a", home: home)
  }

  private func join(_ host: NetworkRun, _ name: String) throws -> NetworkRun {
    try NetworkRun(["join", try host.room(), "--name", name], data: name, home: home, connect: [host])
  }

  private func run(_ words: [String]) throws -> Program.Finished {
    try Program.start(words, home: home).finish()
  }

  /// Types a card as soon as it is a run's turn at a ply.
  private func turn(_ card: Int, _ run: NetworkRun, seat: Int, ply: Int) throws {
    try run.wait(for: "position", "seat \(seat) at ply \(ply)") {
      $0["ply"] as? Int == ply && $0["turn"] as? Int == seat
    }
    try run.run.type("\(card)\n")
  }

  private func ply(after run: NetworkRun, at least: Int) throws -> Int {
    var found: Int?
    try run.run.wait(for: "a turn after ply \(least)") {
      found =
        try run.run.objects("position").last { position in
          (position["ply"] as? Int ?? 0) >= least && position["turn"] is Int
        }?["ply"] as? Int
      return found != nil
    }
    return try #require(found)
  }

  @Test func whoLeavesIsPassedOverAndTheOthersGoOn() throws {
    let ann = try host(3)
    let bea = try join(ann, "Bea")
    try bea.first("room")
    let cid = try join(ann, "Cid")
    for run in [ann, bea, cid] {
      #expect(try run.first("game")["players"] as? [String] != nil)
      try run.wait(for: "position", "the start") { $0["ply"] as? Int == 0 }
    }
    // The card is known when all three have drawn it.
    try turn(1, ann, seat: 1, ply: 0)
    for run in [ann, bea, cid] { try run.wait(forPly: 2) }
    try cid.run.type("leave\nleave\n")
    #expect(try cid.run.finish().status == 0)
    try ann.first("out")
    try bea.first("out")
    // Without Cid's share the two of them draw on.
    try turn(2, ann, seat: 1, ply: 2)
    let next = try ply(after: ann, at: 3)
    #expect(next == 4)
    try ann.run.type("resign\nresign\n")
    try bea.run.type("resign\nresign\n")
    let scores = try [ann, bea].map { try $0.result()["scores"] as? [Int] }
    #expect(scores[0]?.count == 3 && scores[0] == scores[1])
    for run in [ann, bea] { #expect(try run.run.finish().status == 0) }
    for data in ["a", "Bea"] { try Logs.verify(data, home: home) }
  }

  @Test func theHostStartsWithThoseThatSit() throws {
    let ann = try host(4)
    try ann.run.type("start\n")
    let bea = try join(ann, "Bea")
    try ann.wait(for: "seats", "Bea's seat") { $0["taken"] as? Int == 2 && $0["may-start"] as? Bool == true }
    try ann.run.type("start\n")
    for run in [ann, bea] { #expect((try run.first("game")["players"] as? [String])?.count == 2) }
    try bea.run.type("resign\nresign\n")
    for run in [ann, bea] {
      #expect((try run.result()["scores"] as? [Int])?.count == 2)
      #expect(try run.run.finish().status == 0)
    }
    for data in ["a", "Bea"] { try Logs.verify(data, home: home) }
    guard LogReader.isThere else { return }
    let path = home.file("two.parlor")
    let exported = try Program.run("log", "export", "last", "--data", "a", "--output", path, home: home)
    try #require(exported.status == 0, "\(exported.errors)")
    let (reading, verdict) = try #require(try LogReader.readings(of: [path], home: home).first)
    #expect(reading.good && verdict.valid && reading.moves == "checked" && reading.withoutEffect.isEmpty)
    #expect(reading.players.count == 2 && reading.games.map(\.cause) == ["resigned"])
  }

  @Test func matchesRepeatAndTournamentsAreOfTwo() throws {
    let words = [
      "memory-match", "--set", "players=3", "--set", "cards=8", "--players", "memory,memory:2,random",
    ]
    let games = try ["a", "b"].map { _ in
      try run(["match"] + words + ["--games", "3", "--seed", "5", "--json", "--data", "data"])
        .objects().compactMap { $0["type"] as? String == "game" ? "\($0["moves"] ?? "")" : nil }
    }
    #expect(games[0].count == 3 && games[0] == games[1])
    let pairs = ["--game", "memory-match", "--entrants", "memory,random", "--format", "round-robin"]
    let played = try run(["tournament", "run"] + pairs + ["--data", "data"])
    #expect(played.status == 0, "\(played.errors)")
    let refused = try run(["tournament", "run", "--set", "players=3"] + pairs + ["--data", "data"])
    #expect(
      refused.status == 64 && refused.errors.contains("pairings are of two players"), "\(refused.errors)")
    try Logs.verify("data", home: home)
  }

  @Test func aGameAgainstBotsGoesOnAfterAKill() throws {
    let words = ["memory-match", "--set", "players=3", "--set", "cards=8", "--against", "memory:3,random"]
    let play = try Dialogue(["play"] + words + ["--seat", "first", "--data", "data", "--json"], home: home)
    try play.wait(for: "the start") { try !play.objects("position").isEmpty }
    try play.type("1\n")
    try play.wait(for: "the card") { try play.objects("position").contains { $0["ply"] as? Int == 2 } }
    play.kill9()
    let again = try Program.start(
      ["play", "--resume", "last", "--data", "data", "--json"], home: home,
      input: Data("resign\nresign\n".utf8)
    ).finish()
    #expect(again.status == 0, "\(again.errors)")
    let end = try #require(try again.objects().last { $0["type"] as? String == "result" })
    #expect(end["result"] as? String == "lost" && (end["scores"] as? [Int])?.count == 3)
    try Logs.verify("data", home: home)
    let replay = try Program.run("replay", "last", "--data", "data", home: home)
    #expect(replay.status == 0 && replay.output.contains("drawn by all seats together"))
  }
}

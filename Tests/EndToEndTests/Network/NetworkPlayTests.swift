import Foundation
import TestKit
import Testing

/// Two people play with each other, each with the real program, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct NetworkPlayTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: [String] = ["--seat", "first"]) throws -> NetworkRun {
    try NetworkRun(["host", "tic-tac-toe", "--name", "Alice"] + words, data: "a", home: home)
  }

  private func join(_ host: NetworkRun, data: String = "b", name: String = "Bob") throws -> NetworkRun {
    try NetworkRun(["join", try host.room(), "--name", name], data: data, home: home, connect: [host])
  }

  @Test func awholeGameIsPlayed() throws {
    let alice = try host()
    let code = try alice.text("code", of: "room")
    let bob = try NetworkRun(
      ["join", code, "--name", "Bob"], data: "b", home: home, connect: [alice])
    try alice.run.type("5\n9\n1\n")
    // Whoever's turn it is not is not asked; the lines wait for their turns.
    try bob.run.type("2\n8\n")
    let (won, lost) = (try alice.result(), try bob.result())
    #expect(won["result"] as? String == "won")
    #expect(lost["result"] as? String == "lost")
    #expect(won["agreed"] as? Bool == true)
    #expect(try alice.first("game")["players"] as? [String] == ["Alice", "Bob"])
    #expect(try alice.run.finish().status == 0)
    #expect(try bob.run.finish().status == 0)
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  /// The game that decides the series is told after those before it, on both sides, and its room is over.
  @Test func aSeriesIsPlayedToTheFirstThatHasTheWins() throws {
    let alice = try host(["--seat", "first", "--wins", "2", "--games", "5"])
    let bob = try join(alice)
    try bob.wait(for: "game", "the first game") { $0["number"] as? Int == 1 }
    let carol = try NetworkRun(["watch", try alice.room()], data: "c", home: home, connect: [alice])
    try carol.wait(for: "game", "the first game") { $0["number"] as? Int == 1 }
    try alice.run.type("5\n9\n1\n")
    try bob.run.type("2\n8\n")
    try bob.wait(for: "game", "the second game") { $0["number"] as? Int == 2 && $0["first"] as? Int == 2 }
    try bob.run.type("1\n2\n3\n")
    try alice.run.type("5\n6\n")
    try alice.wait(for: "game", "the third game") { $0["number"] as? Int == 3 && $0["first"] as? Int == 1 }
    try bob.wait(for: "game", "the third game") { $0["target"] as? Int == 2 && $0["number"] as? Int == 3 }
    try alice.run.type("resign\nresign\n")
    #expect(try alice.run.finish().status == 0)
    #expect(try bob.run.finish().status == 0)
    #expect(try carol.run.finish().status == 0)
    let watched = try carol.run.objects("result").map { $0["wins"] as? [Int] }
    #expect(watched == [[1, 0], [1, 1], [1, 2]])
    for (player, results) in [(alice, ["won", "lost", "lost"]), (bob, ["lost", "won", "won"])] {
      let ends = try player.run.objects("result")
      #expect(ends.map { $0["result"] as? String } == results)
      #expect(ends.map { $0["wins"] as? [Int] } == [[1, 0], [1, 1], [1, 2]])
      #expect(ends.last?["agreed"] as? Bool == true)
    }
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  @Test func aMoveSaidWordsAndAResignationReachTheOtherSide() throws {
    let alice = try host()
    let bob = try join(alice)
    try bob.first("game")
    try alice.run.type("say good luck\n5\n")
    try bob.wait(for: "chat", "words") { $0["text"] as? String == "good luck" }
    try bob.wait(forPly: 1)
    try bob.run.type("resign\nresign\n")
    #expect(try alice.result()["cause"] as? String == "resigned")
    #expect(try bob.result()["result"] as? String == "lost")
  }

  @Test func aTakeBackNeedsTheOtherSide() throws {
    let alice = try host()
    let bob = try join(alice)
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try alice.run.type("undo\n")
    try bob.first("undo-request")
    try bob.run.type("agree\n")
    try alice.run.wait(for: "the board without the move") {
      try alice.run.objects("position").last?["ply"] as? Int == 0
    }
    try alice.run.type("1\n")
    try bob.wait(for: "position", "the other move") { $0["moves"] as? [String] == ["1"] }
    try bob.run.type("leave\nleave\n")
    #expect(try alice.result()["cause"] as? String == "left")
    #expect(try alice.result()["result"] as? String == "won")
  }

  @Test func theSideThatWasKilledComesBackAndTheGameGoesOn() throws {
    let alice = try host()
    let bob = try join(alice)
    try alice.run.type("5\n")
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    try bob.wait(forPly: 2)
    bob.run.kill9()
    try alice.wait(for: "connection", "lost") { $0["connected"] as? Bool == false }
    try alice.run.type("9\n")
    try alice.wait(forPly: 3)
    let again = try join(alice)
    try again.wait(forPly: 3)
    try again.run.type("2\n")
    try alice.wait(for: "connection", "back") { $0["connected"] as? Bool == true }
    try alice.wait(forPly: 4)
    try alice.run.type("3\n")
    try again.wait(forPly: 5)
    try again.run.type("6\n")
    try alice.run.type("7\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try again.result()["result"] as? String == "lost")
  }

  @Test func ofTwoJoinersOneGetsTheSeatAndTheOtherWords() throws {
    let alice = try host()
    let joiners = [try join(alice, data: "b", name: "Bob"), try join(alice, data: "c", name: "Carol")]
    var refused: NetworkRun?
    let clock = ContinuousClock()
    let end = clock.now + .seconds(600)
    while refused == nil, clock.now < end {
      refused = joiners.first { !$0.run.process.isRunning }
      usleep(1000)
    }
    let loser = try #require(refused).run
    let finished = try loser.finish()
    #expect(finished.status == 1)
    #expect(finished.errors.contains("the seat is taken"))
    let winner = try #require(joiners.first { $0.run !== loser })
    try winner.first("game")
    let name = winner.data == "b" ? "Bob" : "Carol"
    #expect(try alice.first("game")["players"] as? [String] == ["Alice", name])
  }

  @Test func whoLeavesBeforeTheFirstMoveClosesTheGame() throws {
    let alice = try host()
    let bob = try join(alice)
    try alice.first("game")
    try bob.run.type("leave\n")
    #expect(try alice.text("name", of: "left") == "Bob")
    #expect(try alice.run.finish().status == 0)
  }

  @Test func bothChooseInSecretInThePrisonersDilemma() throws {
    let alice = try NetworkRun(
      ["host", "prisoners-dilemma", "--set", "rounds=2", "--name", "Alice"], data: "a", home: home)
    let bob = try join(alice)
    try alice.run.type("cooperate\ndefect\n")
    try bob.run.type("cooperate\ncooperate\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
  }
}

/// `sync` and `serve`.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct SyncTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func anEmptyFolderGetsTheWholeLog() throws {
    let match = try Program.run(
      "match", "tic-tac-toe", "--players", "greedy,random", "--games", "600", "--data", "a", home: home)
    #expect(match.status == 0, "\(match.errors)")
    let server = try NetworkRun(["serve"], data: "a", home: home)
    let run = try Program.run("sync", try server.address(), "--data", "b", "--json", home: home)
    #expect(run.status == 0, "\(run.errors)")
    let synced = try #require(try run.objects().last)
    #expect(synced["complete"] as? Bool == true)
    let held = try Logs.digests("b", home: home)
    #expect(held.count == 3)
    #expect(try Logs.digests("a", home: home) == held)
    try Logs.verify("b", home: home)
    // With nothing new it ends at once, and brings nothing.
    let again = try Program.run("sync", try server.address(), "--data", "b", "--json", home: home)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try again.objects().last?["events"] as? Int == 0)
    server.run.send(SIGINT)
    #expect(try server.run.finish().status == 130)
  }

  @Test func whereNobodyAnswersItSaysSo() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    let address = try server.address()
    server.run.send(SIGINT)
    _ = try server.run.finish()
    let run = try Program.run("sync", address, "--data", "b", home: home)
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.errors.contains(address))
  }

  @Test func anotherKeyIsRefusedWithWords() throws {
    try home.write("key", Data((String(repeating: "ab", count: 32) + "\n").utf8))
    let server = try NetworkRun(["serve", "--key", "key"], data: "a", home: home)
    let run = try Program.run("sync", try server.address(), "--data", "b", home: home)
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.errors.contains("pre-shared key"))
    let keyed = try Program.run(
      "sync", try server.address(), "--data", "b", "--key", "key", home: home)
    #expect(keyed.status == 0, "\(keyed.errors)")
  }
}

import TestKit
import Testing

/// Two people and a referee, each with the real program, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct RefereeTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: [String], connect: [NetworkRun] = []) throws -> NetworkRun {
    try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"] + words, data: "a", home: home,
      connect: connect)
  }

  private func join(_ host: NetworkRun, _ words: [String] = []) throws -> NetworkRun {
    try NetworkRun(
      ["join", try host.room(), "--name", "Bob"] + words, data: "b", home: home, connect: [host])
  }

  @Test func aServedRefereeRulesWhenTheTimeIsUp() throws {
    let referee = try NetworkRun(["serve"], data: "r", home: home)
    let key = try referee.text("peer", of: "listening")
    let alice = try host(["--referee", key, "--move-limit", "1"], connect: [referee])
    let asked = try join(alice).run.finish()
    #expect(asked.status == 1)
    #expect(asked.errors.contains("--accept-referee \(key)"))
    let bob = try join(alice, ["--accept-referee", key])
    let game = try bob.first("game")
    #expect(game["referee"] as? String == key)
    #expect(game["move-limit"] as? Int == 1000)
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    // Alice's own clock permits the claim; the referee's decides.
    try alice.wait(for: "time-up", "Bob's") { $0["seat"] as? Int == 2 }
    try alice.run.type("claim\n")
    let (won, lost) = (try alice.result(), try bob.result())
    #expect(won["result"] as? String == "won" && won["cause"] as? String == "ruled")
    #expect(lost["result"] as? String == "lost")
    let told = try referee.first("ruling")
    #expect(told["room"] as? String == (try alice.room()) && told["seat"] as? Int == 2)
    #expect(told["player"] as? String == "Bob" && told["limit"] as? String == "move-limit")
    #expect((try alice.first("clocks")["left"] as? [Any])?.count == 2)
    for run in [alice, bob, referee] { try run.checkObjects() }
    for data in ["a", "b", "r"] { try Logs.verify(data, home: home) }
  }

  /// A referee whose program does not run rules on nothing, and the claim stands until the step comes.
  @Test func aClaimIsToldToBothSides() throws {
    let key = try #require(
      try Program.run("identity", "create", "--json", "--data", "r", home: home).objects().first?["peer"]
        as? String)
    let alice = try host(["--referee", key, "--move-limit", "1"])
    let bob = try join(alice, ["--accept-referee", key])
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try alice.wait(for: "time-up", "Bob's") { $0["seat"] as? Int == 2 }
    try alice.run.type("claim\n")
    for run in [alice, bob] { try run.first("claim") }
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    for run in [alice, bob] { try run.checkObjects() }
  }

  @Test func withoutARefereeAGameIsSetAsideAndGoesOn() throws {
    let alice = try host([])
    let bob = try join(alice)
    try alice.run.type("5\nclaim\n")
    try bob.wait(forPly: 1)
    bob.run.kill9()
    try alice.wait(for: "connection", "lost") { $0["connected"] as? Bool == false }
    try alice.run.type("quit\n")
    let left = try alice.run.finish()
    #expect(left.status == 0)
    #expect(left.errors.contains("no referee"))
    let room = try alice.room()
    let list = try Program.run("log", "list", "--json", "--data", "a", home: home)
    let listed = try #require(try list.objects().first { $0["id"] as? String == room })
    #expect(listed["waiting-for"] as? [Int] == [2])
    #expect(listed["since"] as? Int ?? 0 > 0)
    let shown = try Program.run("log", "list", "--data", "a", home: home)
    #expect(shown.output.contains("waits for Bob since"))
    let again = try NetworkRun(["join", room], data: "a", home: home)
    let back = try NetworkRun(["join", room], data: "b", home: home, connect: [again])
    try back.run.type("1\n")
    try again.wait(forPly: 2)
  }

  @Test func aDrawIsOfferedDeclinedAndTaken() throws {
    let alice = try host([])
    let bob = try join(alice)
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try alice.run.type("draw\n")
    try bob.wait(for: "draw-offer", "Alice's") { $0["seat"] as? Int == 1 }
    try bob.run.type("decline\n")
    try alice.first("draw-declined")
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    try bob.run.type("draw\n")
    try alice.wait(for: "draw-offer", "Bob's") { $0["seat"] as? Int == 2 }
    try alice.run.type("draw\n")
    for run in [alice, bob] {
      #expect(try run.result()["result"] as? String == "drawn")
      #expect(try run.result()["cause"] as? String == "draw-agreed")
      try run.checkObjects()
    }
  }

  @Test func limitsNeedARefereeAndSense() throws {
    let key = String(repeating: "ab", count: 32)
    let wrong: [([String], String)] = [
      (["--move-limit", "60"], "--referee"), (["--clock", "5+3"], "--referee"), (["--referee", "ab"], "64"),
      (["--clock", "5+x", "--referee", key], "5+3"), (["--clock", "0+3", "--referee", key], "5+3"),
      (["--clock", "99999999999+3", "--referee", key], "5+3"), (["--clock", "+", "--referee", key], "5+3"),
      (["--move-limit", "0", "--referee", key], "move-limit"),
    ]
    for (words, hint) in wrong {
      let run = try Program.start(["host", "tic-tac-toe", "--data", "x"] + words, home: home).finish()
      #expect(run.status == 64, "\(words): \(run.errors)")
      #expect(run.errors.contains(hint), "\(words): \(run.errors)")
    }
  }
}

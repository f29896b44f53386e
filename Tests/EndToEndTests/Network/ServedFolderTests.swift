import Foundation
import TestKit
import Testing

/// Games against local bots, matches and tournaments on a data folder that another process serves: it writes for them,
/// passes on what they write, and does nothing of its own in their rooms.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ServedFolderTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., data: String = "a", input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", data, "--json"], home: home, input: Data(input.utf8)).finish()
  }

  @Test func everythingIsPlayedThroughIt() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let guest = try NetworkRun(["serve", "--archive"], data: "b", home: home, connect: [server])
    let other = try NetworkRun(["serve"], data: "d", home: home, connect: [server])
    let played = try run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "1",
      input: "5\nresign\nresign\n")
    #expect(played.status == 0, "\(played.errors)")
    #expect(try played.objects().last?["type"] as? String == "result", "\(played.output)")
    let match = try run("match", "tic-tac-toe", "--players", "greedy,random", "--games", "300", "--seed", "2")
    #expect(match.status == 0, "\(match.errors)")
    let tournament = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy,random,greedy", "--seed", "3"
    )
    #expect(tournament.status == 0, "\(tournament.errors)")
    // The same without a process in between comes to the same end.
    let alone = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy,random,greedy", "--seed",
      "3",
      data: "c")
    let finished = try [tournament, alone].map { run in
      try #require(try run.objects().last?["standingsDigest"] as? String, "\(run.output)")
    }
    #expect(finished[0] == finished[1])
    // Whoever is connected and wants everything has it all; others have nothing of what does not concern them.
    let here = try Logs.digests("a", home: home)
    #expect(here.count > 4)
    try guest.run.wait(for: "the guest's copy") { try Logs.digests("b", home: home) == here }
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
    #expect(try Logs.digests("d", home: home).isEmpty)
    other.run.send(SIGINT)
    #expect(try other.run.finish().status == 130)
    server.run.send(SIGINT)
    #expect(try server.run.finish().status == 130)
    // The folder is no more in doubt than before: the next one need not ask others.
    #expect(try run("log", "list").status == 0)
    try Logs.verify("a", home: home)
  }

  /// A room is imported while another process has the folder: that one takes it, and passes it on.
  @Test func aBundleIsImportedThroughIt() throws {
    let match = try run("match", "tic-tac-toe", "--players", "random,greedy", "--games", "40", data: "c")
    #expect(match.status == 0, "\(match.errors)")
    let room = try #require(try Logs.digests("c", home: home).keys.first)
    let exported = try run("log", "export", room, "--output", "room.parlor", data: "c")
    #expect(exported.status == 0, "\(exported.errors)")
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let guest = try NetworkRun(["serve", "--archive"], data: "b", home: home, connect: [server])
    for isNew in [true, false] {
      let imported = try run("log", "import", "room.parlor")
      #expect(imported.status == 0, "\(imported.errors)")
      let object = try #require(try imported.objects().first)
      #expect(object["room"] as? String == room)
      #expect(object["new"] as? Int == (isNew ? object["events"] as? Int : 0))
    }
    let there = try Logs.digests("c", home: home)
    #expect(try Logs.digests("a", home: home) == there)
    try guest.run.wait(for: "the guest's copy") { try Logs.digests("b", home: home) == there }
    try Logs.verify("a", home: home)
  }

  /// A game is killed in the middle and taken up again, with the process in between and without it.
  @Test func aGameGoesOnWhereverItIsPlayed() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let first = try NetworkRun(
      ["play", "tic-tac-toe", "--against", "greedy", "--seat", "first"], data: "a", home: home, listens: false
    )
    try first.run.type("5\n")
    try first.wait(forPly: 2)
    let room = try #require(try Logs.digests("a", home: home).keys.first)
    // While it is played, nobody else writes there as this peer.
    let said = try run("chat", room, "hello")
    #expect(said.status == 75, "\(said.errors)")
    #expect(said.errors.contains("another command"))
    first.run.kill9()
    let second = try run("play", "--resume", room, input: "undo\n")
    #expect(second.status == 0, "\(second.errors)")
    server.run.kill9()
    let third = try run("play", "--resume", room, input: "resign\nresign\n")
    #expect(third.status == 0, "\(third.errors)")
    #expect(try third.objects().last?["type"] as? String == "result", "\(third.output)\(third.errors)")
    try Logs.verify("a", home: home)
  }

  /// The process ends in the middle of a match: the match says so, and what was acknowledged is there.
  @Test func theProcessGoesAway() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let match = try NetworkRun(
      ["match", "tic-tac-toe", "--players", "random,random", "--games", "1000000"], data: "a", home: home,
      listens: false)
    try match.run.wait(for: "some games") { try !Logs.digests("a", home: home).isEmpty }
    server.run.kill9()
    let ended = try match.run.finish()
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(ended.errors.contains("the process that has the data folder"))
    try Logs.verify("a", home: home)
  }

  /// Commands that wait for something to happen end with words, too, however the process ends.
  @Test(arguments: [SIGKILL, SIGINT]) func whoWaitsHearsThatTheProcessIsGone(_ signal: Int32) throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    func start(_ words: String...) throws -> NetworkRun {
      try NetworkRun(words, data: "a", home: home, listens: false)
    }
    let host = try start("host", "tic-tac-toe", "--name", "Alice")
    let room = try host.room()
    let lobby = try start("lobby")
    let (watch, unknown) = (try start("watch", room), try start("join", "GGGGGG"))
    try lobby.first("open")
    try unknown.run.wait(for: "its wait") { try unknown.run.errors().contains("Waiting for the game") }
    try watch.run.wait(for: "the folder's process") { try !watch.run.output().isEmpty }
    server.run.send(signal)
    for waiting in [host, lobby, watch, unknown] {
      let ended = try waiting.run.finish()
      #expect(ended.status == 75, "\(waiting.command): \(ended.errors)")
      #expect(ended.errors.contains("the process that has the data folder"), "\(waiting.command)")
    }
    try Logs.verify("a", home: home)
  }

  /// A game that nobody has is no reason to wait for ever where nothing is played.
  @Test func aGameThatNobodyHasIsSaid() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    let address = try server.address()
    let peer = String(repeating: "0", count: 64)
    for words in [["chat", "GGGGGG", "hello"], ["decline", "GGGGGG"], ["invite", "GGGGGG", peer]] {
      for options in [["--data", "a"], ["--data", "b", "--connect", address, "--no-discovery"]] {
        let run = try Program.start(words + options, home: home).finish()
        #expect(run.status == 66, "\(words) \(options): \(run.errors)")
        #expect(run.errors.contains("has the game GGGGGG"))
      }
    }
  }

  /// What names no game is refused at once.
  @Test(arguments: ["ZZ1", "0OIL1", "!!", "GGGGG", "3fa2x", String(repeating: "a", count: 65)])
  func whatIsNoNameOfAGameIsRefused(_ name: String) throws {
    for words in [
      ["join", name], ["watch", name], ["chat", name, "hi"], ["decline", name], ["invite", name, "ab"],
    ] {
      let run = try Program.start(words + ["--data", "a"], home: home).finish()
      #expect(run.status == 64, "\(words): \(run.errors)")
      #expect(run.errors.contains("GHJKMNPQRSTVWXYZ"))
    }
  }
}

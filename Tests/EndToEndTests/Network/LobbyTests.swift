import Foundation
import TestKit
import Testing

/// Lobby, invitations, looking on, and commands on a data folder that another process has.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LobbyTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func key(_ data: String) throws -> String {
    let made = try Program.run("identity", "create", "--data", data, "--json", home: home)
    let objects = try made.objects()
    return try #require(objects.first?["peer"] as? String, "\(made.errors)")
  }

  private func host(_ words: [String] = []) throws -> NetworkRun {
    try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"] + words, data: "a", home: home)
  }

  @Test func theLobbyIsLive() throws {
    let alice = try host()
    let lobby = try NetworkRun(["lobby"], data: "b", home: home, connect: [alice])
    let open = try lobby.first("open")
    #expect(open["host"] as? String == "Alice")
    #expect(open["room"] as? String == (try alice.room()))
    #expect(open["own"] as? Bool == false)
    // Who stops without a word leaves the lobby as well.
    alice.run.kill9()
    try lobby.first("gone")
    try lobby.checkObjects()
    lobby.run.send(SIGINT)
    #expect(try lobby.run.finish().status == 130)
  }

  @Test func anEmptyLobbyIsFriendly() throws {
    let run = try Program.run(
      "lobby", "--once", "--no-discovery", "--listen", "127.0.0.1:0", "--data", "b", home: home)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("No game is open nearby"))
  }

  @Test func commandsOnAServedFolderGoThroughItsProcess() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let alice = try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"], data: "a", home: home)
    // The process that has the folder listens; this one only asks it.
    let room = try alice.room()
    #expect(try alice.run.objects("listening").isEmpty)
    let listed = try Program.run("lobby", "--once", "--data", "a", "--json", home: home)
    #expect(try listed.objects().first?["own"] as? Bool == true, "\(listed.errors)")
    let bob = try NetworkRun(["join", room, "--name", "Bob"], data: "b", home: home, connect: [server])
    try alice.run.type("5\n")
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    let said = try Program.run("chat", room, "good", "luck", "--data", "a", home: home)
    #expect(said.status == 0, "\(said.errors)")
    try bob.wait(for: "chat", "the words") { $0["text"] as? String == "good luck" }
    let peers = try Program.run("peers", "--data", "a", "--json", home: home)
    #expect(try peers.objects().map { $0["state"] as? String } == ["connected"], "\(peers.errors)")
    // A command that dies harms nobody.
    alice.run.kill9()
    let again = try NetworkRun(["join", room, "--name", "Alice"], data: "a", home: home)
    try again.run.type("9\n")
    try bob.wait(forPly: 3)
    try bob.run.type("resign\nresign\n")
    #expect(try again.result()["result"] as? String == "won")
    for run in [server, alice, again, bob] { try run.checkObjects() }
  }

  @Test func anInvitationIsAcceptedDeclinedOrNotAnswered() throws {
    let (bobsKey, carolsKey) = (try key("b"), try key("c"))
    let alice = try host(["--invite", bobsKey])
    let room = try alice.room()
    let bobsLobby = try NetworkRun(["lobby"], data: "b", home: home, connect: [alice])
    #expect(try bobsLobby.first("open")["invited"] as? Bool == true)
    // Who is not invited does not see it.
    let carolsLobby = try NetworkRun(["lobby"], data: "c", home: home, connect: [alice])
    try carolsLobby.first("listening")
    let empty = try Program.run("lobby", "--once", "--json", "--data", "c", home: home)
    #expect(empty.output.isEmpty, "\(empty.output)")
    let invited = try NetworkRun(["invite", room, carolsKey], data: "a", home: home, listens: false)
    try carolsLobby.first("open")
    let declined = try Program.run("decline", room, "--data", "c", "--json", home: home)
    #expect(declined.status == 0, "\(declined.errors)")
    #expect(try invited.first("answer")["answer"] as? String == "declined")
    #expect(try invited.run.finish().status == 1)
    let silent = try Program.run(
      "invite", room, bobsKey, "--seconds", "1", "--data", "a", "--json", home: home)
    #expect(silent.status == 1)
    #expect(try silent.objects().last?["answer"] as? String == "none")
    let asked = try NetworkRun(
      ["invite", room, String(bobsKey.prefix(12)), "--seconds", "600"], data: "a", home: home, listens: false)
    let bob = try NetworkRun(["join", room, "--name", "Bob"], data: "b", home: home, listens: false)
    #expect(try asked.first("answer")["answer"] as? String == "accepted")
    #expect(try asked.run.finish().status == 0)
    try bob.first("game")
    for run in [invited, asked, bobsLobby, bob] { try run.checkObjects() }
  }

  @Test func aThirdPeerLooksOn() throws {
    let alice = try host()
    let watcher = try NetworkRun(["watch", try alice.room()], data: "c", home: home, connect: [alice])
    try watcher.first("room")
    let bob = try NetworkRun(
      ["join", try alice.room(), "--name", "Bob"], data: "b", home: home, connect: [alice])
    try alice.run.type("5\n")
    try watcher.wait(forPly: 1)
    try bob.wait(forPly: 1)
    try bob.run.type("resign\nresign\n")
    #expect(try watcher.result()["result"] as? String == "watched")
    #expect(try watcher.run.finish().status == 0)
    try watcher.checkObjects()
  }

  @Test func aSilentSideIsNoticedAndComesBack() throws {
    let alice = try host()
    let bob = try NetworkRun(
      ["join", try alice.room(), "--name", "Bob"], data: "b", home: home, connect: [alice])
    try bob.first("game")
    try alice.first("game")
    bob.run.send(SIGSTOP)
    try alice.wait(for: "connection", "lost") { $0["connected"] as? Bool == false }
    bob.run.send(SIGCONT)
    try alice.wait(for: "connection", "back") { $0["connected"] as? Bool == true }
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
  }
}

/// `bot`: a bot as a peer of its own.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct BotPeerTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func bot(_ words: [String] = []) throws -> NetworkRun {
    try NetworkRun(
      ["bot", "solver", "--game", "tic-tac-toe", "--seed", "3"] + words, data: "x", home: home)
  }

  /// Plays a whole game against a bot, with whatever moves are free.
  private func play(_ bot: NetworkRun, room: String, data: String) throws -> [String: Any] {
    let person = try NetworkRun(["join", room, "--name", "Ada"], data: data, home: home, connect: [bot])
    try person.run.type((1...9).map { "\($0)\n" }.joined() + (1...9).map { "\($0)\n" }.joined())
    return try person.result()
  }

  @Test func aBotPlaysOneGameAfterTheOtherAndSeveralAtOnce() throws {
    let bot = try bot()
    let first = try #require(try bot.first("opened")["room"] as? String)
    let ada = try NetworkRun(["join", first, "--name", "Ada"], data: "b", home: home, connect: [bot])
    try ada.first("game")
    // The first game is on; another one is open.
    try bot.run.wait(for: "the next game") { try bot.run.objects("opened").count == 2 }
    let second = try #require(try bot.run.objects("opened").last?["room"] as? String)
    let result = try play(bot, room: second, data: "c")
    #expect(["drawn", "lost"].contains(result["result"] as? String ?? ""))
    try bot.wait(for: "ended", "the second game") { $0["room"] as? String == second }
    #expect(try bot.run.objects("ended").count == 1)
    bot.run.kill9()
    // Killed, it goes on with the game that was on.
    let again = try self.bot()
    try ada.run.type("quit\n")
    #expect(try ada.run.finish().status == 0)
    let rest = try play(again, room: first, data: "b")
    #expect(["drawn", "lost"].contains(rest["result"] as? String ?? ""))
    for run in [bot, again] { try run.checkObjects() }
    again.run.send(SIGINT)
    #expect(try again.run.finish().status == 130)
  }

  @Test func aBotComesWhenItIsInvitedToItsOwnGame() throws {
    let bot = try bot()
    let key = try bot.text("peer", of: "listening")
    let host = try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--invite", key], data: "a", home: home, connect: [bot])
    let room = try host.room()
    try bot.wait(for: "joined", "the invitation") { $0["room"] as? String == room }
    try host.first("game")
    let other = try NetworkRun(
      ["host", "connect-four", "--invite", key], data: "c", home: home, connect: [bot])
    let answer = try Program.run("invite", try other.room(), key, "--data", "c", "--json", home: home)
    #expect(try answer.objects().last?["answer"] as? String == "declined", "\(answer.errors)")
  }
}

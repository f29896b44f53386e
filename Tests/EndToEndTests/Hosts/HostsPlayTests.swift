import Foundation
import TestKit
import Testing

/// Two people at two computers, who find each other by themselves.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible))
struct HostsPlayTests {
  private static let hosting = ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"]

  /// Somebody looks into the lobby first, and then joins what appears there.
  @Test func aGameIsFoundAndPlayedToItsEnd() throws {
    let hosts = try Hosts(2)
    let lobby = try hosts.start(["lobby"], on: 2)
    try lobby.first("listening")
    let clock = ContinuousClock()
    let alice = try hosts.start(Self.hosting, on: 1)
    let room = try alice.room()
    let opened = clock.now
    let open = try lobby.first("open")
    Figures.say("a game is in the lobby of another host \((clock.now - opened).words) after it was opened")
    #expect(open["room"] as? String == room)
    #expect(open["own"] as? Bool == false)
    try lobby.checkObjects()
    lobby.run.send(SIGINT)
    #expect(try lobby.run.finish().status == 130)
    let started = clock.now
    let bob = try hosts.start(["join", try alice.text("code", of: "room"), "--name", "Bob"], on: 2)
    try bob.first("game")
    Figures.say("a joiner sits at the table of another host \((clock.now - started).words) after its start")
    try alice.run.type("5\n9\n1\n")
    try bob.run.type("2\n8\n")
    let (won, lost) = (try alice.result(), try bob.result())
    #expect(won["result"] as? String == "won")
    #expect(lost["result"] as? String == "lost")
    #expect(won["agreed"] as? Bool == true)
    #expect(try alice.run.finish().status == 0)
    #expect(try bob.run.finish().status == 0)
    for run in [alice, bob] { try run.checkObjects() }
    try hosts.checkOneLog([1, 2])
  }

  @Test func theGameOfAKilledHostLeavesTheLobby() throws {
    let hosts = try Hosts(2)
    let lobby = try hosts.start(["lobby"], on: 2)
    let alice = try hosts.start(Self.hosting, on: 1)
    let room = try alice.room()
    try lobby.first("open")
    alice.run.kill9()
    #expect(try lobby.text("room", of: "gone") == room)
    // A host whose computer is gone says nothing at all.
    let again = try hosts.start(Self.hosting, on: 1)
    let next = try again.room()
    try lobby.wait(for: "open", "the next game") { $0["room"] as? String == next }
    try hosts.network.setCable(of: 1, isIn: false)
    try lobby.wait(for: "gone", "the next game") { $0["room"] as? String == next }
    try lobby.checkObjects()
  }

  /// Two who know the address of a third peer only are told of each other by it, and play on when it is gone.
  @Test func whoIsToldOfEachOtherPlaysOnWithoutTheThird() throws {
    let hosts = try Hosts(3)
    for host in 1...3 { try hosts.network.forbidMulticast(on: host) }
    let third = try hosts.start(["serve", "--listen", "\(hosts.network.address(of: 1)):0"], on: 1)
    let address = ["--connect", try third.address()]
    let alice = try hosts.start(Self.hosting + address, on: 2)
    let bob = try hosts.start(["join", try alice.room(), "--name", "Bob"] + address, on: 3)
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try waitForPeers(2, of: 3, hosts)
    third.run.kill9()
    try bob.run.type("1\n2\n")
    try alice.run.type("3\n7\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
    for run in [alice, bob] {
      #expect(try run.run.finish().status == 0)
      try run.checkObjects()
    }
    try hosts.checkOneLog([2, 3])
  }

  /// Waits until the program that runs on a host is connected with so many peers.
  private func waitForPeers(_ count: Int, of host: Int, _ hosts: Hosts) throws {
    let end = ContinuousClock.now + .seconds(600)
    var states: [String] = []
    while states.count(where: { $0 == "connected" }) < count {
      guard ContinuousClock.now < end else { throw LocalNetwork.Failure(words: "peers: \(states)") }
      states = try hosts.run("peers", "--json", on: host).objects().compactMap { $0["state"] as? String }
    }
  }

  /// The cable of one side is out while both make their moves.
  @Test(arguments: [true, false]) func aCutInMidGameHeals(isNoticed: Bool) throws {
    let hosts = try Hosts(2)
    let alice = try hosts.start(Self.hosting, on: 1)
    let bob = try hosts.start(["join", try alice.room(), "--name", "Bob"], on: 2)
    try alice.run.type("5\n")
    try bob.run.type("1\n")
    for run in [alice, bob] { try run.wait(forPly: 2) }
    try cut(hosts, isCut: true, isNoticed: isNoticed)
    let clock = ContinuousClock()
    let cut = clock.now
    for run in [alice, bob] { try run.wait(for: "connection", "lost") { $0["connected"] as? Bool == false } }
    Figures.say("both sides know of a cut (noticed: \(isNoticed)) \((clock.now - cut).words) after it")
    try alice.run.type("say are you there?\n9\n")
    try bob.run.type("say hello?\n")
    try alice.wait(forPly: 3)
    try bob.wait(for: "chat", "the own words") { $0["text"] as? String == "hello?" }
    #expect(try bob.run.objects("position").last?["ply"] as? Int == 2)
    try self.cut(hosts, isCut: false, isNoticed: isNoticed)
    let healed = clock.now
    for run in [alice, bob] { try run.wait(for: "connection", "back") { $0["connected"] as? Bool == true } }
    try bob.wait(forPly: 3)
    Figures.say("a game goes on \((clock.now - healed).words) after its network is whole again")
    try bob.run.type("2\n6\n")
    try alice.run.type("3\n7\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
    for run in [alice, bob] {
      #expect(try run.run.finish().status == 0)
      try run.checkObjects()
      let texts = try run.run.objects("chat").compactMap { $0["text"] as? String }
      #expect(Set(texts) == ["are you there?", "hello?"])
    }
    try hosts.checkOneLog([1, 2])
  }

  private func cut(_ hosts: Hosts, isCut: Bool, isNoticed: Bool) throws {
    if isNoticed { return try hosts.network.setCable(of: 2, isIn: !isCut) }
    try hosts.network.split(into: isCut ? [[1], [2]] : [[1, 2]])
  }
}

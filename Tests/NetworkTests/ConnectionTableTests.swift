import Channel
import Events
import Testing

@testable import Network

/// Which connections there may be, and which of two stays: values, told the time.
@Suite struct ConnectionTableTests {
  private static let peer = TestPeer.credentials(2).signer.peer

  private func link(
    _ role: Role = .responder, from host: String = "192.0.2.1", process: UInt8 = 0
  ) -> PlainLink {
    PlainLink(role, Address(host: host, port: 1), Self.peer, .numbered(process))
  }

  /// Who opens many connections and proves nothing crowds out its own, the oldest first.
  @Test func theHostWithMostStrangersLosesOne() {
    var settings = NetworkSettings()
    settings.limitGreetings = 4
    var table = ConnectionTable(settings)
    var added: [Connection] = []
    for host in ["192.0.2.1", "192.0.2.2", "192.0.2.2"] {
      added.append(table.add(link(from: host), dial: nil, at: 0))
      #expect(table.crowdedOut == nil)
    }
    // Those that this end made do not count.
    _ = table.add(link(.initiator), dial: 1, at: 0)
    #expect(table.crowdedOut == nil)
    _ = table.add(link(from: "192.0.2.3"), dial: nil, at: 0)
    #expect(table.crowdedOut === added[1])
    // Nor those of peers.
    _ = table.admit(added[2])
    #expect(table.crowdedOut == nil)
    #expect(table.greetings == 4)
    #expect(table.statuses.map(\.remote.host) == ["192.0.2.2"])
  }

  /// What waits for all peers together has a limit: who has most of it, because it does not read, goes.
  @Test func whoReadsLeastGoesFirst() {
    var settings = NetworkSettings()
    settings.limitAllQueuedBytes = 10_000
    settings.limitQueuedBytes = 4_000
    var table = ConnectionTable(settings)
    #expect(table.limitAskedBytes == 4_000)
    let links = (0..<4).map { _ in link() }
    let added = links.map { table.add($0, dial: nil, at: 0) }
    for connection in added { _ = table.admit(connection) }
    #expect(table.limitAskedBytes == 1_250)
    for (link, bytes) in zip(links, [2_000, 4_000, 3_000, 1_000]) {
      link.send([UInt8](repeating: 0, count: bytes))
    }
    #expect(table.mostUnread == nil)
    links[2].send([0])
    #expect(table.mostUnread === added[1])
    links[1].close(afterSending: false)
    _ = table.remove(added[1], at: 0)
    #expect(table.mostUnread == nil)
  }

  /// However many files a process may have, connections leave some of them.
  @Test func connectionsLeaveFilesForOthers() {
    for descriptors in [80, 256, 1_024, 20_000] {
      var settings = NetworkSettings()
      settings.fit(descriptors: descriptors)
      #expect(settings.limitGreetings + settings.limitConnections <= descriptors - 64)
      #expect(settings.limitGreetings > 4 && settings.limitConnections > 9)
    }
    var settings = NetworkSettings()
    settings.fit(descriptors: 20_000)
    #expect(settings.limitGreetings == 512 && settings.limitConnections == 1_024)
    settings.fit(descriptors: 10)
    #expect(settings.limitGreetings > 0 && settings.limitConnections > 0)
  }

  /// Where each host has one, those go first that have said nothing.
  @Test func whoHasSpokenIsCrowdedOutLast() {
    var settings = NetworkSettings()
    settings.limitGreetings = 3
    var table = ConnectionTable(settings)
    let links = (1...3).map { link(from: "192.0.2.\($0)") }
    let added = links.map { table.add($0, dial: nil, at: 0) }
    #expect(table.crowdedOut === added[0])
    links[1].hasSpoken = false
    #expect(table.crowdedOut === added[1])
    // A host that has more comes before that.
    let second = table.add(link(from: "192.0.2.3"), dial: nil, at: 0)
    #expect(table.crowdedOut === added[2] && second !== added[2])
  }

  /// Who has much to be heard keeps no other host waiting; whoever is gone is not heard.
  @Test func hostsAreHeardInTurns() {
    var table = ConnectionTable(.standard)
    let hosts = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"]
    let added = hosts.map { table.add(link(from: $0), dial: nil, at: 0) }
    #expect(!table.anteroom.hasHeld && table.anteroom.nextHeld() == nil)
    for connection in added + added { table.anteroom.hold(connection) }
    _ = table.remove(added[1], at: 0)
    // Who is admitted meanwhile has been heard.
    _ = table.admit(added[5])
    var heard: [UInt64] = []
    while let connection = table.anteroom.nextHeld() {
      heard.append(connection.number)
      if heard.count == 2 { table.anteroom.hold(added[4]) }
    }
    #expect(heard == [1, 4, 5, 3])
    #expect(table.anteroom.count == 4)
    table.anteroom.hold(added[1])
    #expect(!table.anteroom.hasHeld)
    // Whose only word is gone has no turn.
    table.anteroom.hold(added[3])
    _ = table.remove(added[3], at: 0)
    #expect(!table.anteroom.hasHeld)
  }

  /// Where there are as many peers as may be, the host that has most of the places makes way.
  @Test func oneHostDoesNotKeepAllPlaces() {
    var table = ConnectionTable(.standard)
    func add(_ host: String, _ role: Role = .responder) -> Connection {
      let connection = table.add(link(role, from: host), dial: nil, at: 0)
      _ = table.admit(connection)
      return connection
    }
    let dialled = add("192.0.2.9", .initiator)
    let crowd = (0..<3).map { _ in add("192.0.2.1") }
    let newer = table.add(link(from: "192.0.2.2"), dial: nil, at: 0)
    #expect(table.makingWay(for: newer) === crowd[2])
    // Its own next one takes nobody's place, and what this end connects to takes the crowd's.
    #expect(table.makingWay(for: table.add(link(from: "192.0.2.1"), dial: nil, at: 0)) == nil)
    #expect(table.makingWay(for: table.add(link(.initiator), dial: 2, at: 0)) === crowd[2])
    _ = table.remove(crowd[2], at: 0)
    _ = table.remove(crowd[1], at: 0)
    // One each is fair.
    #expect(table.makingWay(for: newer) == nil)
    #expect(table.all.contains { $0 === dialled })
  }

  /// Whichever end made them: both ends of two connections keep the same one.
  @Test func bothEndsKeepTheSameOne() {
    for (older, newer) in [
      (Role.initiator, Role.initiator), (.initiator, .responder), (.responder, .initiator),
    ] {
      func keepsNewer(_ older: Role, _ newer: Role, isLower: Bool) -> Bool? {
        var table = ConnectionTable(.standard)
        _ = table.admit(table.add(link(older), dial: nil, at: 0))
        let second = table.add(link(newer), dial: nil, at: 0)
        switch table.find(Self.peer, besides: second, isLower: isLower, at: 0) {
        case .replaces(let first): return first === table.all[0]
        case .leaves(.doubled): return false
        case .only, .rivals, .leaves: return nil
        }
      }
      func other(_ role: Role) -> Role { role == .initiator ? .responder : .initiator }
      for isLower in [false, true] {
        let here = keepsNewer(older, newer, isLower: isLower)
        #expect(here != nil)
        #expect(here == keepsNewer(other(older), other(newer), isLower: !isLower))
        if older == newer { #expect(here == true) }
      }
    }
  }

  /// A table with a connection, and another process of its peer that waits for its answer since 1,000.
  private func rivals() -> (table: ConnectionTable, older: Connection, newer: Connection) {
    var table = ConnectionTable(.standard)
    let older = table.add(link(), dial: nil, at: 0)
    _ = table.admit(older)
    let newer = table.add(link(process: 1), dial: nil, at: 1_000)
    #expect(newer.isNew)
    guard case .rivals = table.find(Self.peer, besides: newer, isLower: true, at: 1_000) else {
      Issue.record("another process is no rival")
      return (table, older, newer)
    }
    #expect(!newer.isNew)
    #expect(table.deadline == 1_000 + NetworkSettings.standard.rivalMilliseconds)
    return (table, older, newer)
  }

  @Test func whoDoesNotAnswerMakesRoomForItsRival() {
    var (table, older, newer) = rivals()
    #expect(table.noteAnswer(of: older) == nil)
    #expect(table.advance(to: 3_999).isEmpty)
    #expect(table.advance(to: 4_000).map { $0 === older } == [true])
    // It may stay until what came over it was read, and is due at no time until then.
    #expect(table.deadline == nil)
    #expect(table.remove(older, at: 4_000) === newer)
    #expect(older.isDropped)
    guard case .only = table.find(Self.peer, besides: newer, isLower: true, at: 4_000) else {
      Issue.record("nobody else is there")
      return
    }
  }

  @Test func whoAnswersHasATwin() {
    var (table, older, newer) = rivals()
    let far = PlainLink(.initiator, older.link.remote, nil, nil) { $0() }
    if let near = older.link as? PlainLink { PlainLink.join(near, far) }
    older.link.start {}
    far.send([1])
    far.flush(limit: .max)
    #expect(table.noteAnswer(of: older) === newer)
    #expect(table.deadline == nil)
    // A third process is told at once, until the peer is gone.
    let third = table.add(link(process: 2), dial: nil, at: 2_000)
    guard case .leaves(.twin) = table.find(Self.peer, besides: third, isLower: true, at: 2_000) else {
      Issue.record("two are enough")
      return
    }
  }

  @Test func aRivalThatIsGoneChangesNothing() {
    var (table, older, newer) = rivals()
    newer.link.end(.leaving)
    #expect(table.advance(to: 4_000).map { $0 === newer } == [true])
    #expect(table.remove(newer, at: 4_000) == nil)
    #expect(table.advance(to: 6_000).isEmpty)
    #expect(table.deadline == nil)
    #expect(table[Self.peer] === older)
  }

  /// Last words get their time, and no more.
  @Test func anEndedLinkLingers() {
    var table = ConnectionTable(.standard)
    let (link, idle) = (link(), link())
    let (connection, other) = (table.add(link, dial: nil, at: 0), table.add(idle, dial: nil, at: 0))
    link.send([1, 2, 3])
    #expect(table.remove(connection, at: 10) == nil)
    #expect(link.queuedBytes > 3)
    #expect(table.deadline == 10 + NetworkSettings.standard.lingerMilliseconds)
    _ = table.advance(to: 2_009)
    #expect(link.queuedBytes > 3)
    _ = table.advance(to: 2_010)
    #expect(link.queuedBytes == 0)
    #expect(table.deadline == nil)
    #expect(table.all.map { $0 === other } == [true])
  }

  @Test func thereIsALimitOfPeers() {
    var settings = NetworkSettings()
    settings.limitConnections = 2
    var table = ConnectionTable(settings)
    let first = table.add(link(), dial: nil, at: 0)
    let number = table.admit(first)
    #expect(!table.isFull)
    _ = table.admit(table.add(link(), dial: nil, at: 0))
    #expect(table.isFull)
    #expect(table[number] === first)
    _ = table.remove(first, at: 0)
    #expect(!table.isFull)
    #expect(table[number] == nil)
  }

  /// A neighbour that says where it waits is made known to those before it, each as far as the address holds there.
  @Test func neighboursAreToldOfEachOther() throws {
    var table = ConnectionTable(.standard)
    func neighbour(_ number: UInt8, _ host: String) -> (link: PlainLink, far: PlainLink) {
      let peer = TestPeer.credentials(number).signer.peer
      let near = PlainLink(.responder, Address(host: host, port: 9), peer, .numbered(number)) { $0() }
      let far = PlainLink(.initiator, Address(host: host, port: 9), nil, nil) { $0() }
      PlainLink.join(near, far)
      let connection = table.add(near, dial: nil, at: 0)
      for link in [near, far] { link.start {} }
      _ = table.admit(connection)
      table.introduce(connection, port: 77)
      far.sendPeers(PeerList(port: UInt16(number), others: []).encoded)
      far.flush(limit: .max)
      #expect(table.learn(from: connection, port: 77).isEmpty)
      return (near, far)
    }
    let ends = [neighbour(1, "192.0.2.1"), neighbour(2, "10.0.0.2"), neighbour(3, "192.0.2.3")]
    let heard = try ends.map { end in
      end.link.flush(limit: .max)
      return try end.far.takePeers().map { try PeerList(decoding: $0) }
    }
    #expect(heard.joined().allSatisfy { $0.port == 77 })
    let addresses = heard.map { $0.flatMap(\.others).map(\.address.description) }
    #expect(addresses == [["192.0.2.3:3"], ["192.0.2.1:1", "192.0.2.3:3"], ["192.0.2.1:1"]])
    // What is no list ends the link.
    ends[0].far.sendPeers([1])
    ends[0].far.flush(limit: .max)
    #expect(table.learn(from: table.all[0], port: 77).isEmpty)
    #expect(ends[0].link.ending == .ended(.refused, byOther: false))
  }

  /// A way without a relay is better than one through it, whichever came first and whoever made it, at both ends.
  @Test(arguments: [Role.initiator, .responder], [true, false])
  func aRelayMakesWayForAnyOtherWay(_ role: Role, _ isLower: Bool) throws {
    let relayed = Address(relayInbox: [UInt8](repeating: 7, count: 16))
    for (first, second) in [(relayed.host, "192.0.2.1"), ("192.0.2.1", relayed.host)] {
      var table = ConnectionTable(.standard)
      let older = table.add(link(.initiator, from: first), dial: nil, at: 0)
      _ = table.admit(older)
      #expect(table.reaches(Self.peer, by: relayed))
      #expect(table.reaches(Self.peer, by: Address(host: "192.0.2.9", port: 1)) == (second == relayed.host))
      let newer = table.add(link(role, from: second), dial: nil, at: 0)
      switch table.find(Self.peer, besides: newer, isLower: isLower, at: 0) {
      case .replaces(let other): #expect(other === older && first == relayed.host)
      case .leaves(let farewell): #expect(farewell == .doubled && second == relayed.host)
      case .only, .rivals: Issue.record("neither stays")
      }
    }
  }
}

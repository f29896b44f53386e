import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Testing

/// Peers in different processes: everything travels signed, is checked, and ends alike everywhere.
@Suite struct ReplicationTests {
  /// Peers with links between them that deliver in order, each at its own pace.
  struct Net {
    var peers: [PeerCore]
    var links: [[[Message]]]
    var random: RandomStream

    init(count: Int, seed: UInt64) {
      peers = (0..<count).map { number in
        let key = SigningKey(seed: [UInt8](repeating: UInt8(number + 1), count: 32))
        return PeerCore(
          signer: key, network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
      }
      links = Array(repeating: Array(repeating: [], count: count), count: count)
      random = RandomStream(seed: seed)
    }

    mutating func connect(_ a: Int, _ b: Int) {
      peers[a].connect(Neighbour(UInt32(b)))
      peers[b].connect(Neighbour(UInt32(a)))
    }

    /// Moves outboxes onto the links, and delivers one message of a random link; `false` when none is left.
    mutating func step() -> Bool {
      for index in peers.indices {
        for (message, to) in peers[index].takeOutbox() { links[index][Int(to.number)].append(message) }
      }
      let busy = peers.indices.flatMap { from in peers.indices.map { (from, $0) } }
        .filter { !links[$0.0][$0.1].isEmpty }
      guard !busy.isEmpty else { return false }
      let (from, to) = busy[Int(random.below(UInt64(busy.count)))]
      peers[to].receive(links[from][to].removeFirst(), from: Neighbour(UInt32(from)))
      return true
    }

    mutating func settle() { while step() {} }

    mutating func digests(of room: RoomID) -> Set<Digest> {
      Set(peers.indices.compactMap { peers[$0].log(of: room)?.clock.digest(room: room) })
    }
  }

  private func create(_ scope: Scope = .local) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"), scope: scope)
  }

  /// Everybody writes while messages are under way; links form a ring, so most news arrives second hand.
  @Test(arguments: 0..<40) func peersConverge(_ seed: Int) throws {
    var net = Net(count: 4, seed: UInt64(seed))
    let room = try net.peers[0].create(create())
    try net.peers[0].sign(room)
    for (a, b) in [(0, 1), (1, 2), (2, 3)] { net.connect(a, b) }
    for peer in 1..<4 { net.peers[peer].open(RoomLog(room: room), isDurable: false) }
    net.settle()
    if seed % 2 == 0 { net.connect(3, 0) }
    for number in 0..<60 {
      let peer = Int(net.random.below(4))
      if net.peers[peer].log(of: room)?.contains(room) == true {
        _ = try net.peers[peer].write(.chat("\(number)"), in: room)
        if net.random.below(3) == 0 { try net.peers[peer].sign(room) }
      }
      for _ in 0..<net.random.below(6) { _ = net.step() }
    }
    for peer in net.peers.indices { try net.peers[peer].sign(room) }
    net.settle()
    #expect(net.digests(of: room).count == 1)
    #expect(net.peers.allSatisfy { $0.log(of: room)?.entries.count == 61 })
    #expect(net.peers.allSatisfy { $0.refused.isEmpty })
    var states: Set<Digest> = []
    for peer in net.peers.indices {
      if let digest = net.peers[peer].digest(of: room) { states.insert(digest) }
    }
    #expect(states.count == 1)
  }

  /// In a room for invited peers two want the free seat; only whom the creator invites asks for it, once.
  @Test func onlyTheInvitedAsk() throws {
    var net = Net(count: 3, seed: 8)
    let room = try net.peers[0].create(create(.invited))
    for peer in 1..<3 {
      net.connect(0, peer)
      net.peers[peer].open(RoomLog(room: room), isDurable: false)
    }
    func goOn(_ net: inout Net) throws {
      var isBusy = true
      while isBusy {
        isBusy = false
        for peer in net.peers.indices { try net.peers[peer].sign(room) }
        net.settle()
        for peer in net.peers.indices {
          let conduct = PeerCore.Conduct(
            profile: Profile(name: "\(peer)"), wantedSeat: peer == 0 ? nil : Create.noSeat)
          if try net.peers[peer].doDuties(in: room, conduct) { isBusy = true }
        }
      }
    }
    try goOn(&net)
    #expect(net.peers[0].log(of: room)?.entries.count == 1)
    for _ in 0..<2 { _ = try net.peers[0].write(.invite(net.peers[2].id), in: room) }
    try goOn(&net)
    let read = net.peers[1].state(of: room)
    let state = try #require(read)
    #expect(state.invited == [net.peers[2].id])
    #expect(state.seats.compactMap { $0?.peer } == [net.peers[2].id])
    let kinds = net.peers[1].log(of: room)?.entries.map(\.event.kind)
    #expect(kinds == [.create, .invite, .invite, .request, .grant])
  }

  /// What no signature covers does not leave the process.
  @Test func unsignedEventsStay() throws {
    var net = Net(count: 2, seed: 1)
    let room = try net.peers[0].create(create())
    net.connect(0, 1)
    net.peers[1].open(RoomLog(room: room), isDurable: false)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.isEmpty == true)
    try net.peers[0].sign(room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 1)
    _ = try net.peers[0].write(.chat("not yet"), in: room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 1)
    try net.peers[0].sign(room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 2)
  }

  /// The first bad signature, and an event without one, end the connection; nothing is taken.
  @Test func whoSendsAForgeryIsDisconnected() throws {
    var net = Net(count: 2, seed: 1)
    let room = try net.peers[0].create(create())
    try net.peers[0].sign(room)
    net.connect(0, 1)
    net.peers[1].open(RoomLog(room: room), isDurable: false)
    net.settle()
    let before = net.digests(of: room)
    let event = try net.peers[0].write(.chat("forged"), in: room)
    let forgery = try #require(Signature([UInt8](repeating: 9, count: 64)))
    for message in [
      Message.entries(room, [RoomLog.Entry(event: event, signature: forgery)]),
      .entries(room, [RoomLog.Entry(event: event, signature: nil)]),
    ] {
      var victim = net.peers[1]
      victim.receive(message, from: Neighbour(0))
      #expect(victim.refused.count == 1)
      #expect(Set([victim.log(of: room)?.clock.digest(room: room)].compactMap { $0 }) == before)
      victim.receive(.clock(room, VectorClock()), from: Neighbour(0))
      #expect(victim.takeOutbox().isEmpty)
    }
  }

  /// Two branches of one feed, each signed, reach everybody as the proof of a fork.
  @Test func aForkIsPassedOnAndFreezesItsFeed() throws {
    var net = Net(count: 3, seed: 3)
    let room = try net.peers[0].create(create())
    try net.peers[0].sign(room)
    net.connect(0, 1)
    net.connect(1, 2)
    for peer in 1..<3 { net.peers[peer].open(RoomLog(room: room), isDurable: false) }
    net.settle()
    // The same key writes twice from the same place: to its neighbour, and to somebody else.
    var twin = net.peers[2]
    _ = try net.peers[2].write(.chat("one"), in: room)
    try net.peers[2].sign(room)
    net.settle()
    _ = try twin.write(.chat("other"), in: room)
    try twin.sign(room)
    for (message, _) in twin.takeOutbox() { net.peers[1].receive(message, from: Neighbour(2)) }
    net.settle()
    for peer in 0..<2 {
      let forked = net.peers[peer].state(of: room)?.forked
      #expect(forked == [net.peers[2].id])
      #expect(net.peers[peer].log(of: room)?.forkProofs.count == 1)
    }
    #expect(net.peers[0].log(of: room)?.clock == net.peers[1].log(of: room)?.clock)
  }

  /// A room that is opened when its first clock has long been said is still shared both ways.
  @Test func aRoomOpenedLaterIsSharedBothWays() throws {
    var net = Net(count: 2, seed: 5)
    let room = try net.peers[0].create(create())
    try net.peers[0].sign(room)
    net.connect(0, 1)
    net.settle()
    net.peers[1].open(RoomLog(room: room), isDurable: false)
    net.settle()
    _ = try net.peers[1].write(.chat("from the one who came later"), in: room)
    try net.peers[1].sign(room)
    net.settle()
    #expect(net.peers[0].log(of: room)?.entries.count == 2)
  }

  /// Two who hold different branches of equal length find the fork when their clocks meet, and part as friends.
  @Test func clocksShowAForkOfEqualLength() throws {
    var net = Net(count: 4, seed: 6)
    let room = try net.peers[0].create(create())
    try net.peers[0].sign(room)
    for peer in 1..<4 { net.peers[peer].open(RoomLog(room: room), isDurable: false) }
    for peer in 1..<4 { net.connect(0, peer) }
    net.settle()
    var twin = net.peers[3]
    for words in ["one", "two"] { _ = try net.peers[3].write(.chat(words), in: room) }
    for words in ["other", "second"] { _ = try twin.write(.chat(words), in: room) }
    try net.peers[3].sign(room)
    try twin.sign(room)
    let log = try #require(net.peers[3].log(of: room))
    let branch = try #require(twin.log(of: room))
    var left = net.peers[1]
    var right = net.peers[2]
    left.receive(.entries(room, Array(log.entries.dropFirst())), from: Neighbour(0))
    right.receive(.entries(room, Array(branch.entries.dropFirst())), from: Neighbour(0))
    var pair = Net(count: 2, seed: 7)
    pair.peers = [left, right]
    for index in 0..<2 { _ = pair.peers[index].takeOutbox() }
    pair.connect(0, 1)
    pair.settle()
    for index in 0..<2 {
      #expect(pair.peers[index].state(of: room)?.forked == [net.peers[3].id])
      #expect(pair.peers[index].refused.isEmpty)
    }
    #expect(pair.digests(of: room).count == 1)
  }
}

import Channel
import EventLog
import Events
import Gossip
import Peer
import TestKit
import Testing

@testable import Network

/// Peers in one process that meet over each transport: what one writes is durable at the other.
@Suite(.serialized) struct NetworkPeerTests {
  /// Peer 1 listens, peer 2 connects.
  private func pair(
    _ way: Way, settings: NetworkSettings = .standard
  ) async throws -> (TestPeer, TestPeer, Address, any Transport) {
    let transport = way.transport(try EventLoop())
    let one = TestPeer(1, transport, settings: settings)
    let two = TestPeer(2, transport, settings: settings)
    let address = try await one.networkPeer.listen(on: way.anyPort)
    await two.networkPeer.connect(to: address, wanted: one.id)
    try await eventually("both are connected") { await bothAreConnected(one, two) }
    return (one, two, address, transport)
  }

  private func bothAreConnected(_ one: TestPeer, _ two: TestPeer) async -> Bool {
    guard await one.isConnected(to: two) else { return false }
    return await two.isConnected(to: one)
  }

  @Test(arguments: Way.there) func whatOneWritesIsDurableAtTheOther(_ way: Way) async throws {
    let (one, two, _, _) = try await pair(way)
    let room = try await one.createRoom()
    #expect(one.stored(room) == 1)
    for number in 0..<20 { try await one.chat("\(number)", in: room) }
    try await eventually("all events") { two.stored(room) == 21 }
    for number in 0..<5 { try await two.chat("back \(number)", in: room) }
    try await eventually("all answers") { one.stored(room) == 26 }
    let digests = await [one, two].asyncMap { await $0.networkPeer.read { $0.digest(of: room) } }
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(await two.networkPeer.addresses.first?.isConnected == true)
    await one.networkPeer.stop()
    try await eventually("a goodbye") { await two.networkPeer.peers.isEmpty }
    // Where the test hears of it late, the next attempt has failed already.
    let words = await two.failure()
    #expect(words == "the other end leaves" || words.hasPrefix("cannot connect to "), "\(words)")
    await two.networkPeer.stop()
  }

  /// A peer that was told that all it has written is handed over may stop: nothing is on its way any more, and nobody
  /// was about to come.
  @Test(arguments: Way.there) func whatIsHandedOverIsStoredByTheOther(_ way: Way) async throws {
    for round in 0..<10 as Range<UInt8> {
      let transport = way.transport(try EventLoop())
      let (one, two) = (TestPeer(1, transport), TestPeer(2, transport))
      #expect(await one.networkPeer.isHandedOver(), "nothing is written")
      let room = try await one.createRoom(round)
      #expect(await one.networkPeer.isHandedOver(), "nobody is there")
      await one.networkPeer.connect(to: try await two.networkPeer.listen(on: way.anyPort))
      try await one.chat("before", in: room)
      try await eventually("it is handed over") { await one.networkPeer.isHandedOver() }
      #expect(two.stored(room) == 2)
      try await one.chat("after", in: room)
      try await eventually("it is handed over again") { await one.networkPeer.isHandedOver() }
      #expect(two.stored(room) == 3)
      for peer in [one, two] { await peer.networkPeer.stop() }
      #expect(await one.networkPeer.isHandedOver(), "it has stopped")
    }
  }

  /// A peer that starts with a full store offers all of it, in one flow that fits no queue at once.
  @Test(arguments: Way.there) func aFullStoreIsCopied(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let first = TestPeer(1, transport)
    var rooms: [RoomID] = []
    for nonce in 0..<3 as Range<UInt8> { rooms.append(try await first.createRoom(nonce)) }
    for number in 0..<400 {
      try await first.chat(String(repeating: "x", count: 400), in: rooms[number % rooms.count])
    }
    await first.networkPeer.stop()
    var settings = NetworkSettings()
    settings.limitQueuedBytes = 200_000
    settings.limitUncommittedBytes = 50_000
    let one = TestPeer(1, transport, log: first.log, settings: settings)
    try await one.networkPeer.openStoredRooms()
    let two = TestPeer(2, transport, settings: settings)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: way.anyPort))
    try await eventually("all rooms") {
      rooms.map(two.stored).reduce(0, +) == 403
    }
    #expect(rooms.map(two.stored) == rooms.map(one.stored))
    await one.networkPeer.stop()
    await two.networkPeer.stop()
  }

  /// Rooms that nobody here needs any more are closed, but not while a neighbour still waits for their events.
  @Test(arguments: Way.there) func whatIsBeingSentIsNotClosed(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let first = TestPeer(1, transport)
    var rooms: [RoomID] = []
    // More of each than goes into one message.
    for nonce in 0..<3 as Range<UInt8> {
      rooms.append(try await first.createRoom(nonce))
      for _ in 0..<199 { try await first.chat(String(repeating: "x", count: 400), in: rooms[Int(nonce)]) }
    }
    await first.networkPeer.stop()
    var settings = NetworkSettings()
    settings.limitQueuedBytes = 1
    let one = TestPeer(1, transport, log: first.log, settings: settings)
    let rule = ClosingRule(version: nil) { _ in true }
    try await one.networkPeer.openStoredRooms(closing: rule)
    let changes = await one.networkPeer.changes()
    let closing = Task {
      for await _ in changes {
        for room in await one.networkPeer.takeTouched() { await one.networkPeer.closeIfDurable(room, rule) }
      }
    }
    // Nobody asks twice, so that whatever is not sent is missing.
    var gossip = GossipSettings.standard
    gossip.answerMilliseconds = 3_600_000
    let two = TestPeer(2, transport, gossip: gossip)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: way.anyPort))
    let all = rooms
    try await eventually("all rooms") { await two.networkPeer.storedEvents == 600 }
    try await eventually("no room in memory") {
      await one.networkPeer.read { core in all.allSatisfy { core.log(of: $0) == nil } }
    }
    await one.networkPeer.stop()
    await two.networkPeer.stop()
    await closing.value
  }

  /// The pauses between attempts take their time.
  @Test(arguments: Way.there.suffix(Effort.size(3, quick: 1))) func aCutIsHealed(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let (one, two) = (TestPeer(1, transport), TestPeer(2, transport))
    let relay = Relay(transport, to: try await one.networkPeer.listen(on: way.anyPort))
    await two.networkPeer.connect(to: try await relay.listen(on: way.anyPort), wanted: one.id)
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    await relay.cut()
    try await eventually("both notice") {
      let there = await one.networkPeer.peers.isEmpty
      let here = await two.networkPeer.peers.isEmpty
      return there && here
    }
    try await one.chat("alone", in: room)
    try await two.chat("also alone", in: room)
    // It tries again, with pauses.
    try await eventually("a second attempt") { await relay.count >= 3 }
    #expect(await relay.count < 10)
    await relay.heal()
    try await eventually("both have all") { one.stored(room) == 3 && two.stored(room) == 3 }
    await two.networkPeer.stop()
    await one.networkPeer.stop()
    await relay.stop()
  }

  /// A way that swallows everything is noticed by its silence, and left for the next connection.
  @Test(arguments: Way.there) func silenceIsNoticed(_ way: Way) async throws {
    var channel = ChannelSettings()
    channel.pingMilliseconds = 100
    channel.silenceMilliseconds = 400
    let transport = way.transport(try EventLoop())
    let (one, two) = (TestPeer(1, transport, channel: channel), TestPeer(2, transport, channel: channel))
    let relay = Relay(transport, to: try await one.networkPeer.listen(on: way.anyPort))
    await two.networkPeer.connect(to: try await relay.listen(on: way.anyPort))
    try await eventually("a connection") { await bothAreConnected(one, two) }
    await relay.setChange { _ in [] }
    // Whoever notices first ends it, and the other one may hear the end instead.
    try await eventually("silence") {
      guard await one.networkPeer.peers.isEmpty else { return false }
      return await two.networkPeer.peers.isEmpty
    }
    // So short a silence may also have been a busy machine's, and the connection a later one that was not there yet.
    let ends: [ChannelError] = [
      .silent, .cut(inHandshake: false), .cut(inHandshake: true), .handshakeTooSlow,
    ]
    let words = ends.map(\.description)
    #expect(words.contains(await two.failure()))
    await relay.setChange { $0 }
    try await eventually("another connection") { await bothAreConnected(one, two) }
    for peer in [one, two] { await peer.networkPeer.stop() }
    await relay.stop()
  }

  /// What a peer leaves behind when it has stopped: nothing, not even a thread.
  @Test(arguments: Way.there.suffix(Effort.size(3, quick: 1))) func aStoppedNodeIsGone(_ way: Way)
    async throws
  {
    weak var thread: LoopThread?
    do {
      let (one, two, _, transport) = try await pair(way)
      thread = transport.loop.thread
      let room = try await one.createRoom()
      try await eventually("the room") { two.stored(room) == 1 }
      await one.networkPeer.stop()
      await one.networkPeer.stop()
      await two.networkPeer.stop()
      await #expect(throws: PeerError.self) { try await one.chat("too late", in: room) }
      await #expect(throws: NetworkError.stopped) { try await one.networkPeer.listen(on: way.anyPort) }
    }
    try await eventually("the thread's end") { thread == nil }
  }

  @Test(arguments: Way.there) func strangersAreRefusedWithWords(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let one = TestPeer(1, transport)
    let address = try await one.networkPeer.listen(on: way.anyPort)
    let network = NetworkID(Blake2b(domain: "another").digest())
    let foreign = TestPeer(2, transport, network: network)
    let keyed = TestPeer(3, transport, presharedKey: 1)
    let mistaken = TestPeer(4, transport)
    let mirror = TestPeer(1, transport)
    for peer in [foreign, keyed, mirror] { await peer.networkPeer.connect(to: address) }
    await mistaken.networkPeer.connect(to: address, wanted: keyed.id)
    let words: [(TestPeer, ChannelError)] = [
      (foreign, .otherNetwork), (keyed, .keyedAlone(isHere: true)),
      (mistaken, .otherPeer(wanted: keyed.id, found: one.id)),
    ]
    try await eventually("the same key") { await mirror.failure().contains("the same key") }
    await mirror.networkPeer.stop()
    for (peer, error) in words {
      try await eventually("\(error)") { await peer.failure() == error.description }
      #expect(await peer.networkPeer.peers.isEmpty)
      await peer.networkPeer.stop()
    }
    #expect(await one.networkPeer.peers.isEmpty)
    await one.networkPeer.stop()
  }

  @Test(arguments: Way.there) func privateNetworksNeedTheirKey(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let one = TestPeer(1, transport, presharedKey: 9)
    let two = TestPeer(2, transport, presharedKey: 9)
    let other = TestPeer(3, transport, presharedKey: 8)
    let address = try await one.networkPeer.listen(on: way.anyPort)
    await two.networkPeer.connect(to: address)
    await other.networkPeer.connect(to: address)
    try await eventually("the right key") { await one.isConnected(to: two) }
    let cut = ChannelError.cut(inHandshake: true).description
    try await eventually("the wrong key") { await other.failure() == cut }
    #expect(await one.isConnected(to: two))
    for peer in [one, two, other] { await peer.networkPeer.stop() }
  }

  /// Both connect to each other at one moment: one connection stays, and the same at both.
  @Test(arguments: Way.there) func twoConnectionsBecomeOne(_ way: Way) async throws {
    for _ in 0..<5 {
      let transport = way.transport(try EventLoop())
      let (one, two) = (TestPeer(1, transport), TestPeer(2, transport))
      let addresses = (
        try await one.networkPeer.listen(on: way.anyPort), try await two.networkPeer.listen(on: way.anyPort)
      )
      async let first: Void = one.networkPeer.connect(to: addresses.1)
      async let second: Void = two.networkPeer.connect(to: addresses.0)
      _ = await (first, second)
      try await eventually("one connection") {
        let isIdle = await one.networkPeer.greetings + two.networkPeer.greetings == 0
        return await isIdle ? bothAreConnected(one, two) : false
      }
      let room = try await one.createRoom()
      try await eventually("the room") { two.stored(room) == 1 }
      await transport.loop.turn()
      #expect(await one.isConnected(to: two))
      #expect(await one.networkPeer.peers[0].isOutgoing != two.networkPeer.peers[0].isOutgoing)
      await one.networkPeer.stop()
      await two.networkPeer.stop()
    }
  }

  /// News goes on to those who are not connected with its author.
  @Test(arguments: Way.there) func newsPassesThroughOthers(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let peers = (1...4).map { TestPeer($0, transport) }
    for number in 1..<4 {
      let address = try await peers[number - 1].networkPeer.listen(on: way.anyPort)
      await peers[number].networkPeer.connect(to: address)
    }
    let room = try await peers[0].createRoom()
    for number in 0..<10 { try await peers[0].chat("\(number)", in: room) }
    try await eventually("the far end") { peers[3].stored(room) == 11 }
    for peer in peers { await peer.networkPeer.stop() }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ body: (Element) async -> T) async -> [T] {
    var results: [T] = []
    for element in self { results.append(await body(element)) }
    return results
  }
}

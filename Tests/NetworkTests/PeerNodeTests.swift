import Channel
import EventLog
import Events
import Gossip
import Peer
import TestKit
import Testing

@testable import Network

/// Nodes in one process that meet over each transport: what one writes is durable at the other.
@Suite(.serialized) struct PeerNodeTests {
  /// Node 1 listens, node 2 connects.
  private func pair(
    _ way: Way, settings: NodeSettings = .standard
  ) async throws -> (TestNode, TestNode, Address, any Transport) {
    let transport = way.transport(EventLoop())
    let one = TestNode(1, transport, settings: settings)
    let two = TestNode(2, transport, settings: settings)
    let address = try await one.node.listen(on: way.anyPort)
    await two.node.connect(to: address, wanted: one.id)
    try await eventually("both are connected") { await bothAreConnected(one, two) }
    return (one, two, address, transport)
  }

  private func bothAreConnected(_ one: TestNode, _ two: TestNode) async -> Bool {
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
    let digests = await [one, two].asyncMap { await $0.node.read { $0.digest(of: room) } }
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(await two.node.addresses.first?.isConnected == true)
    await one.node.stop()
    try await eventually("a goodbye") { await two.node.peers.isEmpty }
    // Where the test hears of it late, the next attempt has failed already.
    let words = await two.failure()
    #expect(words == "the other end leaves" || words.hasPrefix("cannot connect to "), "\(words)")
    await two.node.stop()
  }

  /// A node that starts with a full store offers all of it, in one flow that fits no queue at once.
  @Test(arguments: Way.there) func aFullStoreIsCopied(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let first = TestNode(1, transport)
    var rooms: [RoomID] = []
    for nonce in 0..<3 as Range<UInt8> { rooms.append(try await first.createRoom(nonce)) }
    for number in 0..<400 {
      try await first.chat(String(repeating: "x", count: 400), in: rooms[number % rooms.count])
    }
    await first.node.stop()
    var settings = NodeSettings()
    settings.limitQueuedBytes = 200_000
    settings.limitUncommittedBytes = 50_000
    let one = TestNode(1, transport, log: first.log, settings: settings)
    try await one.node.openStoredRooms()
    let two = TestNode(2, transport, settings: settings)
    await two.node.connect(to: try await one.node.listen(on: way.anyPort))
    try await eventually("all rooms") {
      rooms.map(two.stored).reduce(0, +) == 403
    }
    #expect(rooms.map(two.stored) == rooms.map(one.stored))
    await one.node.stop()
    await two.node.stop()
  }

  /// Rooms that nobody here needs any more are closed, but not while a neighbour still waits for their events.
  @Test(arguments: Way.there) func whatIsBeingSentIsNotClosed(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let first = TestNode(1, transport)
    var rooms: [RoomID] = []
    // More of each than goes into one message.
    for nonce in 0..<3 as Range<UInt8> {
      rooms.append(try await first.createRoom(nonce))
      for _ in 0..<199 { try await first.chat(String(repeating: "x", count: 400), in: rooms[Int(nonce)]) }
    }
    await first.node.stop()
    var settings = NodeSettings()
    settings.limitQueuedBytes = 1
    let one = TestNode(1, transport, log: first.log, settings: settings)
    let rule = ClosingRule(version: nil) { _ in true }
    try await one.node.openStoredRooms(closing: rule)
    let changes = await one.node.changes()
    let closing = Task {
      for await _ in changes {
        for room in await one.node.takeTouched() { await one.node.closeIfDurable(room, rule) }
      }
    }
    // Nobody asks twice, so that whatever is not sent is missing.
    var gossip = GossipSettings.standard
    gossip.answerMilliseconds = 3_600_000
    let two = TestNode(2, transport, gossip: gossip)
    await two.node.connect(to: try await one.node.listen(on: way.anyPort))
    let all = rooms
    try await eventually("all rooms") { await two.node.storedEvents == 600 }
    try await eventually("no room in memory") {
      await one.node.read { core in all.allSatisfy { core.log(of: $0) == nil } }
    }
    await one.node.stop()
    await two.node.stop()
    await closing.value
  }

  /// The pauses between attempts take their time.
  @Test(arguments: Way.there.suffix(Effort.size(3, quick: 1))) func aCutIsHealed(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let (one, two) = (TestNode(1, transport), TestNode(2, transport))
    let relay = Relay(transport, to: try await one.node.listen(on: way.anyPort))
    await two.node.connect(to: try await relay.listen(on: way.anyPort), wanted: one.id)
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    await relay.cut()
    try await eventually("both notice") {
      let there = await one.node.peers.isEmpty
      let here = await two.node.peers.isEmpty
      return there && here
    }
    try await one.chat("alone", in: room)
    try await two.chat("also alone", in: room)
    // It tries again, with pauses.
    try await eventually("a second attempt") { await relay.count >= 3 }
    #expect(await relay.count < 10)
    await relay.heal()
    try await eventually("both have all") { one.stored(room) == 3 && two.stored(room) == 3 }
    await two.node.stop()
    await one.node.stop()
    await relay.stop()
  }

  /// A way that swallows everything is noticed by its silence, and left for the next connection.
  @Test(arguments: Way.there) func silenceIsNoticed(_ way: Way) async throws {
    var channel = ChannelSettings()
    channel.pingMilliseconds = 100
    channel.silenceMilliseconds = 400
    let transport = way.transport(EventLoop())
    let (one, two) = (TestNode(1, transport, channel: channel), TestNode(2, transport, channel: channel))
    let relay = Relay(transport, to: try await one.node.listen(on: way.anyPort))
    await two.node.connect(to: try await relay.listen(on: way.anyPort))
    try await eventually("a connection") { await bothAreConnected(one, two) }
    await relay.setChange { _ in [] }
    // Whoever notices first ends it, and the other one may hear the end instead.
    try await eventually("silence") {
      guard await one.node.peers.isEmpty else { return false }
      return await two.node.peers.isEmpty
    }
    // So short a silence may also have been a busy machine's, and the connection a later one that was not there yet.
    let ends: [ChannelError] = [
      .silent, .cut(inHandshake: false), .cut(inHandshake: true), .handshakeTooSlow,
    ]
    let words = ends.map(\.description)
    #expect(words.contains(await two.failure()))
    await relay.setChange { $0 }
    try await eventually("another connection") { await bothAreConnected(one, two) }
    for node in [one, two] { await node.node.stop() }
    await relay.stop()
  }

  /// What a node leaves behind when it has stopped: nothing, not even a thread.
  @Test(arguments: Way.there.suffix(Effort.size(3, quick: 1))) func aStoppedNodeIsGone(_ way: Way)
    async throws
  {
    weak var thread: LoopThread?
    do {
      let (one, two, _, transport) = try await pair(way)
      thread = transport.loop.thread
      let room = try await one.createRoom()
      try await eventually("the room") { two.stored(room) == 1 }
      await one.node.stop()
      await one.node.stop()
      await two.node.stop()
      await #expect(throws: PeerError.self) { try await one.chat("too late", in: room) }
      await #expect(throws: NetworkError.stopped) { try await one.node.listen(on: way.anyPort) }
    }
    try await eventually("the thread's end") { thread == nil }
  }

  @Test(arguments: Way.there) func strangersAreRefusedWithWords(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let one = TestNode(1, transport)
    let address = try await one.node.listen(on: way.anyPort)
    let network = NetworkID(Blake2b(domain: "another").digest())
    let foreign = TestNode(2, transport, network: network)
    let keyed = TestNode(3, transport, presharedKey: 1)
    let mistaken = TestNode(4, transport)
    let mirror = TestNode(1, transport)
    for node in [foreign, keyed, mirror] { await node.node.connect(to: address) }
    await mistaken.node.connect(to: address, wanted: keyed.id)
    let words: [(TestNode, ChannelError)] = [
      (foreign, .otherNetwork), (keyed, .keyedAlone(isHere: true)),
      (mistaken, .otherPeer(wanted: keyed.id, found: one.id)),
    ]
    try await eventually("the same key") { await mirror.failure().contains("the same key") }
    await mirror.node.stop()
    for (node, error) in words {
      try await eventually("\(error)") { await node.failure() == error.description }
      #expect(await node.node.peers.isEmpty)
      await node.node.stop()
    }
    #expect(await one.node.peers.isEmpty)
    await one.node.stop()
  }

  @Test(arguments: Way.there) func privateNetworksNeedTheirKey(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let one = TestNode(1, transport, presharedKey: 9)
    let two = TestNode(2, transport, presharedKey: 9)
    let other = TestNode(3, transport, presharedKey: 8)
    let address = try await one.node.listen(on: way.anyPort)
    await two.node.connect(to: address)
    await other.node.connect(to: address)
    try await eventually("the right key") { await one.isConnected(to: two) }
    let cut = ChannelError.cut(inHandshake: true).description
    try await eventually("the wrong key") { await other.failure() == cut }
    #expect(await one.isConnected(to: two))
    for node in [one, two, other] { await node.node.stop() }
  }

  /// Both connect to each other at one moment: one connection stays, and the same at both.
  @Test(arguments: Way.there) func twoConnectionsBecomeOne(_ way: Way) async throws {
    for _ in 0..<5 {
      let transport = way.transport(EventLoop())
      let (one, two) = (TestNode(1, transport), TestNode(2, transport))
      let addresses = (
        try await one.node.listen(on: way.anyPort), try await two.node.listen(on: way.anyPort)
      )
      async let first: Void = one.node.connect(to: addresses.1)
      async let second: Void = two.node.connect(to: addresses.0)
      _ = await (first, second)
      try await eventually("one connection") {
        let isIdle = await one.node.greetings + two.node.greetings == 0
        return await isIdle ? bothAreConnected(one, two) : false
      }
      let room = try await one.createRoom()
      try await eventually("the room") { two.stored(room) == 1 }
      await transport.loop.turn()
      #expect(await one.isConnected(to: two))
      #expect(await one.node.peers[0].isOutgoing != two.node.peers[0].isOutgoing)
      await one.node.stop()
      await two.node.stop()
    }
  }

  /// News goes on to those who are not connected with its author.
  @Test(arguments: Way.there) func newsPassesThroughOthers(_ way: Way) async throws {
    let transport = way.transport(EventLoop())
    let nodes = (1...4).map { TestNode($0, transport) }
    for number in 1..<4 {
      let address = try await nodes[number - 1].node.listen(on: way.anyPort)
      await nodes[number].node.connect(to: address)
    }
    let room = try await nodes[0].createRoom()
    for number in 0..<10 { try await nodes[0].chat("\(number)", in: room) }
    try await eventually("the far end") { nodes[3].stored(room) == 11 }
    for node in nodes { await node.node.stop() }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ body: (Element) async -> T) async -> [T] {
    var results: [T] = []
    for element in self { results.append(await body(element)) }
    return results
  }
}

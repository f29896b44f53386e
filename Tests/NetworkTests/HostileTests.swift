import Channel
import Events
import Gossip
import Peer
import Platform
import Testing

@testable import Network

/// Others do what they like, and an honest peer goes on within its limits.
@Suite(.serialized) struct HostileTests {
  private func peer(
    _ way: Way, _ settings: NetworkSettings, _ channel: ChannelSettings = .standard
  ) async throws -> (TestPeer, Address, any Transport) {
    let transport = way.transport(try EventLoop())
    let peer = TestPeer(1, transport, settings: settings, channel: channel)
    return (peer, try await peer.networkPeer.listen(on: way.anyPort), transport)
  }

  /// Garbage ends a connection at once; silence ends it in time.
  @Test(arguments: Way.there) func garbageAndSilenceEnd(_ way: Way) async throws {
    var channel = ChannelSettings()
    channel.handshakeMilliseconds = 300
    let (one, address, transport) = try await peer(way, .standard, channel)
    let strangers = StreamEnds(transport)
    let start = MonotonicClock.milliseconds
    for _ in 0..<2 { await strangers.connect(to: address) }
    try await eventually("two strangers") { await strangers.count == 2 }
    await strangers.write(Array("GET / HTTP/1.1\r\n\r\n".utf8), 0)
    try await eventually("an end") { await strangers.isOver(0) }
    #expect(await strangers.bytes(0).isEmpty)
    try await eventually("the other end") { await strangers.isOver(1) }
    #expect(MonotonicClock.milliseconds >= start + 300)
    try await eventually("nobody is left") { await one.networkPeer.greetings == 0 }
    await strangers.closeAll()
    await one.networkPeer.stop()
  }

  /// Who says more than anybody has to say before it is answered is not listened to.
  @Test(arguments: Way.there) func aFloodOfWordsBeforeTheAnswerEnds(_ way: Way) async throws {
    let (one, address, transport) = try await peer(way, .standard, .standard)
    let strangers = StreamEnds(transport)
    await strangers.connect(to: address)
    try await eventually("a stranger") { await strangers.count == 1 }
    await strangers.write([UInt8](repeating: 80, count: 1 << 20), 0)
    try await eventually("an end") { await strangers.isOver(0) }
    try await eventually("nobody is left") { await one.networkPeer.greetings == 0 }
    await strangers.closeAll()
    await one.networkPeer.stop()
  }

  /// More strangers than may be there crowd each other out, and an honest peer gets through.
  @Test(arguments: Way.there) func strangersCrowdOutEachOther(_ way: Way) async throws {
    var settings = NetworkSettings()
    settings.limitGreetings = 8
    // Nobody goes because its time is over.
    var channel = ChannelSettings()
    channel.handshakeMilliseconds = 600_000
    let (one, address, transport) = try await peer(way, settings, channel)
    let strangers = StreamEnds(transport)
    for _ in 0..<64 { await strangers.connect(to: address) }
    try await eventually("all strangers") { await strangers.count == 64 }
    try await eventually("few are left") { await one.networkPeer.greetings <= 8 }
    let two = TestPeer(2, transport)
    await two.networkPeer.connect(to: address)
    let room = try await one.createRoom()
    try await eventually("the honest peer") { two.stored(room) == 1 }
    #expect(await one.networkPeer.greetings <= 8)
    await strangers.closeAll()
    await two.networkPeer.stop()
    await one.networkPeer.stop()
  }

  @Test(arguments: Way.there) func whoComesTooLateIsTold(_ way: Way) async throws {
    var settings = NetworkSettings()
    settings.limitConnections = 1
    let (one, address, transport) = try await peer(way, settings)
    let (two, three) = (TestPeer(2, transport), TestPeer(3, transport))
    await two.networkPeer.connect(to: address)
    try await eventually("the first") { await one.isConnected(to: two) }
    await three.networkPeer.connect(to: address)
    let busy = ChannelError.ended(.busy, byOther: true).description
    try await eventually("busy") { await three.failure() == busy }
    #expect(await one.isConnected(to: two))
    for peer in [one, two, three] { await peer.networkPeer.stop() }
  }

  /// A changed byte on the way ends the connection, and the next one brings everything.
  @Test(arguments: Way.there) func changedBytesEndAConnection(_ way: Way) async throws {
    let (one, address, transport) = try await peer(way, .standard)
    let relay = Relay(transport, to: address)
    let two = TestPeer(2, transport)
    await two.networkPeer.connect(to: try await relay.listen(on: way.anyPort))
    try await eventually("a connection") { await one.isConnected(to: two) }
    await relay.setChange { bytes in
      var bytes = bytes
      bytes[bytes.count / 2] ^= 4
      return bytes
    }
    let room = try await one.createRoom()
    try await eventually("the end") { await two.networkPeer.peers.isEmpty }
    #expect(two.stored(room) == 0)
    await relay.setChange { $0 }
    try await eventually("everything") { two.stored(room) == 1 }
    for peer in [one, two] { await peer.networkPeer.stop() }
    await relay.stop()
  }

  /// A peer that proves who it is and then sends what is no message is refused.
  @Test(arguments: Way.there) func nonsenseIsRefused(_ way: Way) async throws {
    let (one, address, transport) = try await peer(way, .standard)
    let strangers = StreamEnds(transport)
    await strangers.connect(to: address)
    try await eventually("a stranger") { await strangers.count == 1 }
    var channel = Channel(.initiator, TestPeer.credentials(5), at: 0)
    var read = 0
    func exchange() async throws {
      await strangers.write(channel.takeOutbox(), 0)
      try await Task.sleep(for: .milliseconds(10))
      let bytes = await strangers.bytes(0)
      try channel.receive(Array(bytes[read...]), at: 0)
      read = bytes.count
    }
    try await eventually("an open channel") {
      do { try await exchange() } catch { Issue.record("\(error)") }
      return channel.state == .open(one.id)
    }
    try channel.send([99, 1, 2, 3])
    try await eventually("a refusal") {
      do { try await exchange() } catch { Issue.record("\(error)") }
      return channel.closing == .ended(.refused, byOther: true)
    }
    #expect(await one.networkPeer.peers.isEmpty)
    await strangers.closeAll()
    await one.networkPeer.stop()
  }
}

import Channel
import Events
import Testing

@testable import Network

/// A peer speaks of links, whatever makes them: here nothing but a queue each way.
@Suite struct MessageLinkTests {
  private static let anyPort = Address(host: Address.inProcess, port: 0)

  private let loop: EventLoop
  private let places = PlainTransport.Places()

  init() throws { loop = try EventLoop() }

  /// A peer that is another process of its peer for another `process`.
  private func peer(
    _ number: UInt8, process: UInt8 = 0, settings: NetworkSettings = .standard,
    and more: [any LinkTransport] = []
  ) -> TestPeer {
    let peer = TestPeer.credentials(number).signer.peer
    return TestPeer(
      number, [PlainTransport(loop, places, peer, process: process)] + more, settings: settings)
  }

  @Test func nodesExchangeRoomsOverAnyLink() async throws {
    let (one, two) = (peer(1), peer(2))
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: Self.anyPort), wanted: one.id)
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    try await two.chat("an answer", in: room)
    try await eventually("the answer") { one.stored(room) == 2 }
    #expect(await two.networkPeer.addresses.first?.isConnected == true)
    await one.networkPeer.stop()
    try await eventually("a goodbye") { await two.networkPeer.peers.isEmpty }
    let words = await two.failure()
    #expect(words == "the other end leaves" || words.hasSuffix("did not answer in time"), "\(words)")
    await two.networkPeer.stop()
  }

  /// Of peers that are connected and read nothing no more waits than may wait for all of them together.
  @Test func whoReadsNothingCostsALimitedMemory() async throws {
    var settings = NetworkSettings()
    settings.limitAllQueuedBytes = 20_000
    let host = peer(1, settings: settings)
    let address = try await host.networkPeer.listen(on: Self.anyPort)
    let transports = (UInt8(10)..<16).map {
      PlainTransport(loop, places, TestPeer.credentials($0).signer.peer)
    }
    let deaf = zip(UInt8(10)..., transports).map { TestPeer($0, [$1]) }
    for peer in deaf { await peer.networkPeer.connect(to: address) }
    let room = try await host.createRoom()
    for peer in deaf { try await eventually("the room") { peer.stored(room) == 1 } }
    let waits = Waits(loop, transports)
    await waits.goDeaf()
    let reader = peer(2)
    await reader.networkPeer.connect(to: address)
    for _ in 0..<100 {
      try await host.chat(String(repeating: "x", count: 500), in: room)
      let bytes = await waits.unreadBytes()
      #expect(bytes > 0 && bytes <= 20_000)
    }
    try await eventually("all of it") { reader.stored(room) == 101 }
    #expect(await host.networkPeer.peers.contains { $0.peer == reader.id })
    for peer in deaf + [reader, host] { await peer.networkPeer.stop() }
  }

  /// Which transport serves an address is what the transports say.
  @Test func anAddressIsReachedByTheTransportThatServesIt() async throws {
    let middle = peer(1, and: [ChannelTransport(TCPTransport(loop), TestPeer.credentials(1))])
    let inside = peer(2)
    let outside = TestPeer(3, TCPTransport(loop))
    await inside.networkPeer.connect(to: try await middle.networkPeer.listen(on: Self.anyPort))
    await outside.networkPeer.connect(to: try await middle.networkPeer.listen(on: Way.ipv4.anyPort))
    let room = try await inside.createRoom()
    try await eventually("the room, over both") { outside.stored(room) == 1 }
    #expect(await middle.isConnected(to: inside, outside))
    for peer in [inside, outside, middle] { await peer.networkPeer.stop() }
  }

  /// Two processes of one peer are both sent away, and told why.
  @Test func twoProcessesOfOnePeerAreTold() async throws {
    let host = peer(1)
    let address = try await host.networkPeer.listen(on: Self.anyPort)
    let (first, second) = (peer(2), peer(2, process: 1))
    await first.networkPeer.connect(to: address)
    try await eventually("the first") { await host.isConnected(to: first) }
    await second.networkPeer.connect(to: address)
    let twin = ChannelError.ended(.twin, byOther: true).description
    for peer in [first, second] { try await eventually("a word") { await peer.failure() == twin } }
    #expect(await host.networkPeer.peers.isEmpty)
    for peer in [first, second, host] { await peer.networkPeer.stop() }
  }
}

/// Transports whose links read no more, and what waits for them.
private actor Waits {
  private let loop: EventLoop
  private let transports: [PlainTransport]

  init(_ loop: EventLoop, _ transports: [PlainTransport]) {
    self.loop = loop
    self.transports = transports
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  func goDeaf() {
    for transport in transports { for link in transport.made { link.isDeaf = true } }
  }

  func unreadBytes() -> Int {
    transports.reduce(0) { $0 + $1.made.reduce(0) { $0 + $1.unreadBytes } }
  }
}

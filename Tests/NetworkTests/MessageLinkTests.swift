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

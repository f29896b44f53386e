import Channel
import Events
import Testing

@testable import Network

/// A node speaks of links, whatever makes them: here nothing but a queue each way.
@Suite struct MessageLinkTests {
  private static let anyPort = Address(host: Address.inProcess, port: 0)

  private let loop = EventLoop()
  private let places = PlainTransport.Places()

  /// A node that is another process of its peer for another `process`.
  private func node(
    _ number: UInt8, process: UInt8 = 0, settings: NodeSettings = .standard,
    and more: [any LinkTransport] = []
  ) -> TestNode {
    let peer = TestNode.credentials(number).signer.peer
    return TestNode(
      number, [PlainTransport(loop, places, peer, process: process)] + more, settings: settings)
  }

  @Test func nodesExchangeRoomsOverAnyLink() async throws {
    let (one, two) = (node(1), node(2))
    await two.node.connect(to: try await one.node.listen(on: Self.anyPort), wanted: one.id)
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    try await two.chat("an answer", in: room)
    try await eventually("the answer") { one.stored(room) == 2 }
    #expect(await two.node.addresses.first?.isConnected == true)
    await one.node.stop()
    try await eventually("a goodbye") { await two.node.peers.isEmpty }
    let words = await two.failure()
    #expect(words == "the other end leaves" || words.hasSuffix("did not answer in time"), "\(words)")
    await two.node.stop()
  }

  /// Which transport serves an address is what the transports say.
  @Test func anAddressIsReachedByTheTransportThatServesIt() async throws {
    let middle = node(1, and: [ChannelTransport(TCPTransport(loop), TestNode.credentials(1))])
    let inside = node(2)
    let outside = TestNode(3, TCPTransport(loop))
    await inside.node.connect(to: try await middle.node.listen(on: Self.anyPort))
    await outside.node.connect(to: try await middle.node.listen(on: Way.ipv4.anyPort))
    let room = try await inside.createRoom()
    try await eventually("the room, over both") { outside.stored(room) == 1 }
    #expect(await middle.isConnected(to: inside, outside))
    for node in [inside, outside, middle] { await node.node.stop() }
  }

  /// Two processes of one peer are both sent away, and told why.
  @Test func twoProcessesOfOnePeerAreTold() async throws {
    let host = node(1)
    let address = try await host.node.listen(on: Self.anyPort)
    let (first, second) = (node(2), node(2, process: 1))
    await first.node.connect(to: address)
    try await eventually("the first") { await host.isConnected(to: first) }
    await second.node.connect(to: address)
    let twin = ChannelError.ended(.twin, byOther: true).description
    for node in [first, second] { try await eventually("a word") { await node.failure() == twin } }
    #expect(await host.node.peers.isEmpty)
    for node in [first, second, host] { await node.node.stop() }
  }
}

import Channel
import Events
import TestKit
import Testing

@testable import Network

/// Who knows one peer comes to know its neighbours.
@Suite struct AcquaintanceTests {
  private static let somewhere = Address(host: "127.0.0.1", port: 0)

  private static func peer(_ number: UInt8) -> PeerID {
    SigningKey(seed: [UInt8](repeating: number, count: 32)).peer
  }

  /// Two peers know a third one, and nothing of each other.
  @Test func twoGuestsMeet() async throws {
    let transport = TCPTransport(try EventLoop())
    let (host, one, two) = (TestPeer(1, transport), TestPeer(2, transport), TestPeer(3, transport))
    let address = try await host.networkPeer.listen(on: Self.somewhere)
    _ = try await one.networkPeer.listen(on: Self.somewhere)
    await one.networkPeer.connect(to: address)
    try await eventually("the first guest") { await host.isConnected(to: one) }
    // The second one waits nowhere: it is the one that has to go.
    await two.networkPeer.connect(to: address)
    try await eventually("all are connected") {
      guard await one.isConnected(to: host, two), await host.isConnected(to: one, two) else { return false }
      return await two.isConnected(to: host, one)
    }
    let room = try await one.createRoom()
    await host.networkPeer.stop()
    try await one.chat("without the host", in: room)
    try await eventually("what the host did not carry") { two.stored(room) == 2 }
    for peer in [one, two] { await peer.networkPeer.stop() }
  }

  /// Who does not want it is told of nobody, and nobody is told of it.
  @Test func whoKeepsToItselfIsLeftAlone() async throws {
    let transport = TCPTransport(try EventLoop())
    var settings = NetworkSettings()
    settings.tellsOfPeers = false
    let (host, one) = (TestPeer(1, transport), TestPeer(2, transport))
    let hermit = TestPeer(3, transport, settings: settings)
    let last = TestPeer(4, transport)
    let address = try await host.networkPeer.listen(on: Self.somewhere)
    for peer in [one, hermit] { _ = try await peer.networkPeer.listen(on: Self.somewhere) }
    await one.networkPeer.connect(to: address)
    await hermit.networkPeer.connect(to: address)
    try await eventually("both") { await host.isConnected(to: one, hermit) }
    await last.networkPeer.connect(to: address)
    try await eventually("the last one meets the first") { await last.isConnected(to: host, one) }
    #expect(await hermit.isConnected(to: host))
    #expect(await hermit.networkPeer.addresses.count == 1)
    #expect(await last.networkPeer.addresses.count == 2)
    for peer in [host, one, hermit, last] { await peer.networkPeer.stop() }
  }

  /// An address that was told with another's key is tried for whoever is there once somebody here names it.
  @Test func aFalseKeyHidesNobody() async throws {
    let transport = TCPTransport(try EventLoop())
    let (one, host) = (TestPeer(1, transport), TestPeer(2, transport))
    let address = try await host.networkPeer.listen(on: Self.somewhere)
    #expect(await one.networkPeer.hear([Acquaintance(peer: Self.peer(100), address: address)]) == 1)
    await one.networkPeer.connect(to: address)
    try await eventually("a connection") { await one.isConnected(to: host) }
    #expect(await one.networkPeer.addresses.count == 1)
    for peer in [one, host] { await peer.networkPeer.stop() }
  }

  /// Somebody tells of peers where none are: few are tried, and not for ever.
  @Test func talesAreForgotten() async throws {
    let transport = TCPTransport(try EventLoop())
    var settings = NetworkSettings()
    settings.limitTold = 3
    settings.limitToldFailures = 2
    let (one, liar) = (TestPeer(1, transport, settings: settings), TestPeer(2, transport))
    await liar.networkPeer.connect(to: try await one.networkPeer.listen(on: Self.somewhere))
    try await eventually("a connection") { await one.isConnected(to: liar) }
    // Nobody waits at the lowest ports; and at the peer's own address is not who is said to be.
    let tales = (0..<10 as Range<UInt8>).map { number in
      let address = Address(host: "127.0.0.1", port: 1 + UInt16(number))
      return Acquaintance(peer: Self.peer(100 + number), address: address)
    }
    #expect(await one.networkPeer.hear(tales) == 3)
    try await eventually("all are forgotten") { await one.networkPeer.addresses.isEmpty }
    #expect(await one.isConnected(to: liar))
    await liar.networkPeer.say([0, 0, 1, 4])
    // The liar comes back at once: a connection more is what tells of the end of the one before.
    try await eventually("words without sense end it") { await one.networkPeer.admitted > 1 }
    for peer in [one, liar] { await peer.networkPeer.stop() }
  }

  @Test func listsAreReadAsTheyWereWritten() throws {
    let addresses = ["192.0.2.7:1", "[2001:db8::1]:65535", "10.0.0.1:4242", "127.0.0.1:80", "[::1]:81"]
    let others = try addresses.enumerated().map { number, text in
      Acquaintance(peer: Self.peer(UInt8(number + 1)), address: try Address(text))
    }
    let list = PeerList(port: 4_000, others: others)
    #expect(try PeerList(decoding: list.encoded) == list)
    let bytes = list.encoded
    for count in 0..<bytes.count {
      #expect(throws: FormatError.self) { try PeerList(decoding: Array(bytes.prefix(count))) }
    }
    #expect(throws: FormatError.self) { try PeerList(decoding: bytes + [0]) }
    #expect(PeerList(port: 1, others: Array(repeating: others[0], count: 300)).encoded.count == 3 + 16 * 39)
    #expect(PeerList.limit * 51 + 3 <= Channel.limitPeersBytes)
  }

  /// Examples that another implementation must read and write alike.
  @Test func vectors() throws {
    var file = VectorFile(
      "peers",
      [
        "Frames of kind 6, as Docs/PROTOCOL.md section 8.8 has them; `others` are peer@address, `-` nobody.",
        "Lists that are refused, with the reason.",
      ])
    let addresses = ["192.0.2.7:1", "[2001:db8::1]:65535", "10.0.0.1:4242", "127.0.0.1:80", "[::1]:81"]
    let others = try addresses.enumerated().map { number, text in
      Acquaintance(peer: Self.peer(UInt8(number + 1)), address: try Address(text))
    }
    for (port, count) in [(0, 0), (4_000, 0), (65_535, 1), (0, 5)] as [(UInt16, Int)] {
      let list = PeerList(port: port, others: Array(others.prefix(count)))
      let words = list.others.map { "\($0.peer)@\($0.address)" }.joined(separator: " ")
      file.records.append([
        ("type", "peers"), ("port", "\(port)"), ("others", words.isEmpty ? "-" : words),
        ("bytes", list.encoded.hex),
      ])
    }
    let key = Self.peer(1).bytes.bytes
    let refused: [[UInt8]] = [
      [0x0F], [0x0F, 0xA0, 17], [0x0F, 0xA0, 0, 0], [0, 0, 1] + key + [5, 10, 0, 0, 1, 0, 80],
      [0, 0, 1] + key + [4, 0, 0, 0, 0, 0, 80], [0, 0, 1] + key + [4, 224, 0, 0, 1, 0, 80],
      [0, 0, 1] + key + [4, 10, 0, 0, 1, 0, 0], [0, 0, 1] + key + [4, 10, 0, 0, 1, 0],
      [0, 0, 1] + key + [6, 0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1, 0, 80],
      [0, 0, 1] + key + [6] + [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0, 1, 0, 80],
    ]
    for bytes in refused {
      do throws(FormatError) {
        _ = try PeerList(decoding: bytes)
        Issue.record("\(bytes.hex) was taken")
      } catch {
        file.records.append([("type", "refused"), ("bytes", bytes.hex), ("words", error.description)])
      }
    }
    try file.check()
  }

  /// Names, and addresses that mean nobody or many or another thing elsewhere, are neither told nor believed.
  @Test(arguments: [
    "localhost:1", "[fe80::1%lo]:1", "[fe80::1]:1", "0.0.0.0:1", "224.0.0.1:1", "255.255.255.255:1", "[::]:1",
    "[ff02::1]:1", "[::ffff:10.0.0.1]:1",
  ]) func whatMeansNobodyIsNotTold(_ text: String) throws {
    let address = try Address(text)
    #expect(address.numbers == nil)
    let list = PeerList(port: 0, others: [Acquaintance(peer: Self.peer(1), address: address)])
    #expect(try PeerList(decoding: list.encoded).others.isEmpty)
  }

  /// What holds on one machine or one local network is told there alone.
  @Test func addressesHoldWhereTheyMeanTheSame() {
    func means(_ address: String, _ seen: String) -> Bool {
      Address(host: address, port: 1).means(theSameAt: Address(host: seen, port: 2))
    }
    for near in ["127.0.0.1", "::1", "10.1.1.1", "192.168.3.3", "fd00::1"] {
      #expect(!means(near, "192.0.2.1"))
      #expect(!means(near, "2001:db8::2"))
      #expect(means("192.0.2.1", near))
    }
    #expect(means("127.0.0.1", "::1"))
    #expect(!means("127.0.0.1", "10.1.1.1"))
    #expect(means("10.1.1.1", "127.0.0.1"))
    #expect(means("10.1.1.1", "192.168.3.3"))
    #expect(means("192.0.2.1", "2001:db8::2"))
  }
}

extension NetworkPeer {
  /// How many connections with peers there have been.
  fileprivate var admitted: UInt32 { connections.lastNumber }

  /// Hears of peers.
  /// - Returns: how many addresses it connects to because of that.
  fileprivate func hear(_ others: [Acquaintance]) -> Int {
    for other in others { meet(other) }
    let count = dialler.dials.count
    pump()
    return count
  }

  /// Says something of peers to everybody.
  fileprivate func say(_ list: [UInt8]) {
    for connection in connections.all { connection.link.sendPeers(list) }
    pump()
  }
}

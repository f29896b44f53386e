import Channel
import EventLog
import Events
import Games
import Gossip
import Peer
import Testing

@testable import Network

/// What is read on the loop, and what another thread reads, and in which order.
@Suite struct ReceptionTests {
  private func connections(_ count: Int) -> [Connection] {
    var table = ConnectionTable(.standard)
    return (0..<count).map { _ in
      table.add(PlainLink(.responder, Address(host: "192.0.2.1", port: 1), nil, nil), dial: nil, at: 0)
    }
  }

  /// The loop reads what is short, so much in each turn; nothing overtakes what came before it.
  @Test func theLoopReadsWhatIsShortAndInItsTurn() {
    let here = connections(2)
    var reception = Reception()
    let (short, long) = (Reception.limitShortBytes, Reception.limitShortBytes + 1)
    #expect(reception.isReadAtOnce(short, of: here[0], turn: 1) == true)
    #expect(reception.isReadAtOnce(long, of: here[0], turn: 1) == false)
    reception.add([UInt8](repeating: 0, count: long), of: here[0])
    #expect(reception.holds(here[0]) && !reception.holds(here[1]))
    #expect(reception.isReadAtOnce(1, of: here[0], turn: 1) == false, "it would overtake the long one")
    for _ in 1..<(Reception.limitTurnBytes / short) {
      #expect(reception.isReadAtOnce(short, of: here[1], turn: 1) == true)
    }
    #expect(reception.isReadAtOnce(1, of: here[1], turn: 1) == false)
    #expect(reception.isReadAtOnce(short, of: here[1], turn: 2) == true)
    // Nor does anything overtake what is being read.
    #expect(reception.nextBatch()?.map(\.count) == [long])
    #expect(reception.isReadAtOnce(1, of: here[0], turn: 3) == false)
    #expect(reception.holds(here[0]))
    #expect(reception.endBatch().map(\.number) == [here[0].number])
    #expect(reception.isReadAtOnce(1, of: here[0], turn: 3) == true)
    #expect(!reception.holds(here[0]))
  }

  /// Who has sent much keeps nobody else waiting, and one batch is read at a time.
  @Test func connectionsAreReadInTurns() {
    let here = connections(3)
    var reception = Reception()
    #expect(reception.nextBatch() == nil)
    for number in 0..<200 as Range<UInt8> { reception.add([0, number], of: here[0]) }
    for number in 0..<2 as Range<UInt8> { reception.add([1, number], of: here[1]) }
    reception.add([2, 0], of: here[2])
    reception.forget(here[2])
    #expect(!reception.holds(here[2]))
    let first = reception.nextBatch()
    #expect(first?.prefix(5) == [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]])
    #expect(first?.count == Reception.limitBatch.messages)
    #expect(reception.nextBatch() == nil, "one is being read")
    #expect(reception.endBatch().map(\.number) == first?.map { here[Int($0[0])].number })
    #expect(reception.nextBatch()?.first == [0, 62])
    _ = reception.endBatch()
    // A message more than so many bytes.
    let large = [UInt8](repeating: 2, count: Reception.limitBatch.bytes)
    for _ in 0..<2 { reception.add(large, of: here[2]) }
    reception.forget(here[0])
    #expect(reception.nextBatch() == [large])
    _ = reception.endBatch()
    #expect(reception.nextBatch() == [large])
    _ = reception.endBatch()
    #expect(reception.nextBatch() == nil)
  }

  /// The more connections there are, the less of each waits.
  @Test func eachConnectionHasAShareOfWhatWaits() {
    let here = connections(1)[0]
    var reception = Reception()
    #expect(!reception.isSated(here, of: 1))
    reception.add([UInt8](repeating: 0, count: 65_536), of: here)
    #expect(!reception.isSated(here, of: 1))
    #expect(reception.isSated(here, of: 512) && reception.isSated(here, of: 1_000_000))
    for _ in 0..<3 { reception.add([UInt8](repeating: 0, count: 65_536), of: here) }
    #expect(reception.isSated(here, of: 1))
    _ = reception.nextBatch()
    #expect(!reception.isSated(here, of: 1))
  }

  /// While as much of a connection waits as may, nothing is read from it, whatever is said of all.
  @Test func whatIsSatedIsNotReadFrom() {
    var table = ConnectionTable(.standard)
    let links = (0..<2).map { _ in PlainLink(.responder, Address(host: "192.0.2.1", port: 1), nil, nil) }
    let added = links.map { table.add($0, dial: nil, at: 0) }
    for link in links { link.start {} }
    table.setSated(true, added[0], at: 0)
    #expect(links.map(\.isReading) == [false, true])
    table.setReading(false, at: 0)
    table.setReading(true, at: 0)
    #expect(links.map(\.isReading) == [false, true])
    table.setReading(false, at: 0)
    table.setSated(false, added[0], at: 0)
    #expect(links.map(\.isReading) == [false, false])
    table.setReading(true, at: 0)
    #expect(links.map(\.isReading) == [true, true])
  }

  // MARK: - Peers

  /// A long run of somebody's own room, as a message.
  private static func runs(isForged: Bool = false) throws -> (room: RoomID, message: [UInt8], events: Int) {
    let signer = TestPeer.credentials(1).signer
    var core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), settings: .standard,
      seed: 1, now: { 0 })
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"))
    let room = try core.create(create)
    for _ in 0..<20 { _ = try core.write(.chat(String(repeating: "x", count: 200)), in: room) }
    try core.sign(room)
    let events = try #require(core.log(of: room)?.events)
    // Two runs, of which the second one may have the signature of the first.
    let parts = [Array(events.prefix(11)), Array(events.dropFirst(11))]
    let runs = parts.map { part in
      let last = isForged ? parts[0].last : part.last
      return Run(events: part, signature: signer.sign(last?.id ?? .none))
    }
    return (room, Message.runs(RunsMessage(room: room, runs: runs)).encoded(), events.count)
  }

  /// Has a peer connect to somebody who says something and leaves at once.
  private func hear(_ message: [UInt8]) async throws -> TestPeer {
    #expect(message.count > Reception.limitShortBytes)
    let (loop, places) = (try EventLoop(), PlainTransport.Places())
    let transport = PlainTransport(loop, places, TestPeer.credentials(1).signer.peer)
    let two = TestPeer(2, [PlainTransport(loop, places, TestPeer.credentials(2).signer.peer, process: 2)])
    let speaker = Speaker(transport, message)
    await two.networkPeer.connect(to: try await speaker.listen())
    try await eventually("a connection") { await speaker.count > 0 }
    return two
  }

  /// What came before a goodbye counts, though another thread reads it after the goodbye.
  @Test func whatIsSaidBeforeAGoodbyeCounts() async throws {
    let (room, message, events) = try Self.runs()
    let two = try await hear(message)
    try await eventually("all of it") { two.stored(room) == events }
    try await eventually("a goodbye") { await two.networkPeer.peers.isEmpty }
    await two.networkPeer.stop()
  }

  /// Whoever sends a forgery is refused, and what was good before it stays.
  @Test func aForgeryIsFoundOnTheOtherThread() async throws {
    let (room, message, _) = try Self.runs(isForged: true)
    let two = try await hear(message)
    try await eventually("a refusal") {
      guard case .broken(room, .badSignature) = await two.networkPeer.refusal(at: Speaker.address) else {
        return false
      }
      return true
    }
    try await eventually("the first run") { two.stored(room) == 11 }
    await two.networkPeer.stop()
  }
}

/// Somebody who says one thing to whoever comes, and leaves.
private actor Speaker {
  static let address = Address(host: Address.inProcess, port: 1)

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private let transport: PlainTransport
  private let message: [UInt8]
  private var links: [any MessageLink] = []
  /// How often somebody came.
  var count: Int { links.count }

  init(_ transport: PlainTransport, _ message: [UInt8]) {
    loop = transport.loop
    self.transport = transport
    self.message = message
  }

  func listen() throws(NetworkError) -> Address {
    try transport.listen(on: Self.address) { link in
      self.links.append(link)
      link.start {}
      link.send(self.message)
      link.end(.leaving)
      link.flush(limit: .max)
    }.address
  }
}

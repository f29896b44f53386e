import Channel
import EventLog
import Events
import Gossip
import Peer
import Platform
import Projection
import Testing

@testable import Network

/// A log that notes which rooms are read, and in which rooms can be damaged.
final class ReadingLog: EventLog {
  private let log = MemoryEventLog(network: .standard)
  private let reads = Guarded<[RoomID]>([])
  private let damaged = Guarded<Set<RoomID>>([])

  var network: NetworkID { log.network }

  /// Takes the rooms that were read since the last call, in the order of their ids.
  func takeReads() -> [RoomID] {
    reads.withLock { reads in
      defer { reads = [] }
      return reads.sorted()
    }
  }

  /// From now on a room cannot be read.
  func damage(_ room: RoomID) { damaged.withLock { _ = $0.insert(room) } }

  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try log.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try log.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try log.room(prefix: prefix) }

  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    reads.withLock { $0.append(room) }
    guard !damaged.withLock({ $0.contains(room) }) else {
      throw .corrupt(event: nil, reason: "it is damaged")
    }
    try log.read(room, verify: verify, body, byPosition: byPosition)
  }

  func forget(_ rooms: [ForgottenRoom]) throws(LogError) { try log.forget(rooms) }
  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { try log.forgottenRooms() }

  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try log.storedRooms(from: number, limit: limit)
  }

  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    try log.write(changes, clocks: clocks)
  }

  /// The rooms of which something is stored that holds, in the order of their ids.
  func known() throws -> [RoomID] {
    try storedRooms(from: 0, limit: 1_000).filter { $0.clock != nil }.map(\.room).sorted()
  }

  /// All that is stored, in another log.
  func copy() throws -> ReadingLog {
    let copy = ReadingLog()
    for stored in try storedRooms(from: 0, limit: 1_000) {
      let room = try log.load(stored.room, verify: true)
      try copy.write(
        [RoomChange(room, from: 0)], clocks: stored.clock.map { [$0] } ?? [])
    }
    return copy
  }
}

/// A start goes by what is stored of rooms that are over, and reads none of them.
@Suite(.serialized) struct KnownRoomTests {
  private static let rule = ClosingRule(version: 4) { _ in true }

  /// A store with rooms of some events each, none of which was closed.
  private func store(
    _ count: UInt8, _ transport: any Transport
  ) async throws -> (log: ReadingLog, rooms: [RoomID]) {
    let log = ReadingLog()
    let peer = TestPeer(1, transport, log: log)
    var rooms: [RoomID] = []
    for nonce in 0..<count {
      rooms.append(try await peer.createRoom(nonce))
      try await peer.chat("room \(nonce)", in: rooms[Int(nonce)])
    }
    await peer.networkPeer.stop()
    _ = log.takeReads()
    return (log, rooms.sorted())
  }

  /// Starts a peer on a store.
  private func start(
    _ log: ReadingLog, _ transport: any Transport, _ rule: ClosingRule = KnownRoomTests.rule,
    gossip: GossipSettings = .standard
  ) async throws -> TestPeer {
    let peer = TestPeer(1, transport, log: log, gossip: gossip)
    try await peer.networkPeer.openStoredRooms(closing: rule)
    return peer
  }

  @Test(arguments: Way.there) func aSecondStartReadsNothing(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let (log, rooms) = try await store(5, transport)
    #expect(try log.known().isEmpty)
    await (try await start(log, transport)).networkPeer.stop()
    #expect(log.takeReads() == rooms)
    #expect(try log.known() == rooms)
    let one = try await start(log, transport)
    #expect(log.takeReads().isEmpty)
    #expect(await one.networkPeer.takeTouched().isEmpty)
    // They are offered, and read when somebody wants them.
    let two = TestPeer(2, transport)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: way.anyPort))
    try await eventually("all rooms") { rooms.allSatisfy { two.stored($0) == 2 } }
    #expect(log.takeReads() == rooms)
    // What others write there is taken, and only that room is read at the next start.
    for room in rooms { await one.networkPeer.closeIfDurable(room, Self.rule) }
    try await two.chat("an answer", in: rooms[3])
    try await eventually("the answer") { one.stored(rooms[3]) == 3 }
    for peer in [two, one] { await peer.networkPeer.stop() }
    _ = log.takeReads()
    await (try await start(log, transport)).networkPeer.stop()
    #expect(log.takeReads() == [rooms[3]])
    await (try await start(log, transport)).networkPeer.stop()
    #expect(log.takeReads().isEmpty)
  }

  /// What one rule has found says nothing to another one, nor to who wants all rooms in memory.
  @Test func whatAnotherRuleFoundIsNotTaken() async throws {
    let transport = LocalTransport(try EventLoop())
    let (log, rooms) = try await store(3, transport)
    for version in [4, 4, 5, 4, nil] as [UInt8?] {
      let isNew = version != log.version()
      await (try await start(log, transport, ClosingRule(version: version) { _ in true })).networkPeer.stop()
      #expect(log.takeReads() == (isNew ? rooms : []), "rule \(String(describing: version))")
      #expect(try log.known() == rooms)
    }
    let all = try await start(log, transport, .never)
    #expect(log.takeReads() == rooms)
    #expect(await all.networkPeer.read { core in rooms.allSatisfy { core.log(of: $0) != nil } })
    await all.networkPeer.stop()
    // Of a room that is not over nothing is stored.
    let other = try await store(2, transport)
    let first = other.rooms[0]
    let rule = ClosingRule(version: 4) { $0.room == first }
    await (try await start(other.log, transport, rule)).networkPeer.stop()
    #expect(try other.log.known() == [first])
    _ = other.log.takeReads()
    await (try await start(other.log, transport, rule)).networkPeer.stop()
    #expect(other.log.takeReads() == [other.rooms[1]])
  }

  /// What rooms offer that are closed later is stored with what is written next, or at the end; not by itself.
  @Test func whatIsClosedLaterIsStoredWithTheNextCommit() async throws {
    let transport = LocalTransport(try EventLoop())
    let log = ReadingLog()
    let one = TestPeer(1, transport, log: log)
    let rooms = [try await one.createRoom(0), try await one.createRoom(1), try await one.createRoom(2)]
    await one.networkPeer.closeIfDurable(rooms[0], Self.rule)
    #expect(await one.networkPeer.read { $0.log(of: rooms[0]) == nil })
    await transport.loop.turn()
    #expect(try log.known().isEmpty)
    try await one.chat("somewhere else", in: rooms[1])
    #expect(try log.known() == [rooms[0]])
    await one.networkPeer.closeIfDurable(rooms[1], Self.rule)
    await one.networkPeer.closeIfDurable(rooms[2], ClosingRule(version: 4) { _ in false })
    #expect(await one.networkPeer.read { $0.log(of: rooms[2]) != nil })
    await one.networkPeer.stop()
    #expect(try log.known() == rooms[0...1].sorted())
  }

  /// Between the moment in which a room is opened to do something there and the doing it may be found to be over.
  @Test func whatIsHeldStaysInMemory() async throws {
    let transport = LocalTransport(try EventLoop())
    let one = TestPeer(1, transport)
    let room = try await one.createRoom(0)
    let peer = one.networkPeer
    await peer.hold([room])
    await peer.hold([room])
    for holders in (0..<2).reversed() {
      await peer.closeIfDurable(room, Self.rule)
      #expect(await peer.read { $0.log(of: room) != nil })
      _ = await peer.takeTouched()
      await peer.letGo([room])
      #expect(await peer.takeTouched() == [room], "\(holders) hold it")
    }
    await peer.closeIfDurable(room, Self.rule)
    #expect(await peer.read { $0.log(of: room) == nil })
    await peer.stop()
  }

  /// A store that takes no clocks is no reason to stop.
  @Test func aDiskThatIsFullIsNoticedByWhoWrites() async throws {
    let transport = LocalTransport(try EventLoop())
    let log = GatedLog()
    let first = TestPeer(1, transport, log: log)
    let room = try await first.createRoom()
    await first.networkPeer.stop()
    log.set(isFull: true)
    let one = TestPeer(1, transport, log: log)
    try await one.networkPeer.openStoredRooms(closing: Self.rule)
    let two = TestPeer(2, transport)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: Way.inProcess.anyPort))
    try await eventually("the room") { two.stored(room) == 1 }
    #expect(await one.networkPeer.shortage == nil)
    await #expect(throws: PeerError.full("no space")) { _ = try await one.createRoom(2) }
    for peer in [two, one] { await peer.networkPeer.stop() }
  }

  /// A peer that starts from an old copy in which all rooms are only known learns how far its own feeds go.
  @Test func ownHeadsAreRecoveredInRoomsThatAreOnlyKnown() async throws {
    let transport = LocalTransport(try EventLoop())
    let (log, rooms) = try await store(3, transport)
    let one = try await start(log, transport)
    let two = TestPeer(2, transport)
    let address = try await two.networkPeer.listen(on: Way.inProcess.anyPort)
    await one.networkPeer.connect(to: address)
    try await eventually("all rooms") { rooms.allSatisfy { two.stored($0) == 2 } }
    try await eventually("what they offer is stored") { log.knows(rooms) }
    let copy = try log.copy()
    try await one.networkPeer.open(rooms[1])
    try await one.chat("forgotten", in: rooms[1])
    try await eventually("the last words") { two.stored(rooms[1]) == 3 }
    await one.networkPeer.stop()
    var settings = GossipSettings.standard
    settings.recoveryMilliseconds = 300
    let again = try await start(copy, transport, gossip: settings)
    #expect(copy.takeReads().isEmpty)
    await again.networkPeer.keepOwnHeads(but: [])
    await again.networkPeer.connect(to: address)
    try await eventually("what was forgotten") { again.stored(rooms[1]) == 3 }
    try await eventually("certainty") {
      await again.networkPeer.read { $0.recovery == OwnFeedWatch.Recovery.none }
    }
    try await again.chat("remembered", in: rooms[1])
    try await eventually("new words") { two.stored(rooms[1]) == 4 }
    #expect(try two.log.load(rooms[1], verify: true).forkProofs.isEmpty)
    for peer in [again, two] { await peer.networkPeer.stop() }
  }
}

extension ReadingLog {
  /// Whether something is stored of these rooms, and of no others.
  fileprivate func knows(_ rooms: [RoomID]) -> Bool {
    do { return try known() == rooms } catch { return false }
  }

  /// By which rule the first room was found to be over.
  fileprivate func version() -> UInt8? {
    do { return try storedRooms(from: 0, limit: 1).first?.clock?.rule } catch { return nil }
  }
}

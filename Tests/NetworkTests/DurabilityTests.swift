import Channel
import EventLog
import Events
import Foundation
import Gossip
import Peer
import Platform
import Projection
import Testing

@testable import Network

/// A log whose disk stands still while it is told to, or refuses everything.
final class GatedLog: EventLog {
  private let log = MemoryEventLog(network: .standard)
  private let gate = NSCondition()
  // SAFETY: touched only while the gate's lock is held.
  nonisolated(unsafe) private var isOpen = true
  // SAFETY: touched only while the gate's lock is held.
  nonisolated(unsafe) private var isBroken = false
  // SAFETY: touched only while the gate's lock is held.
  nonisolated(unsafe) private var isFull = false
  // SAFETY: touched only while the gate's lock is held.
  nonisolated(unsafe) private var refused = 0
  // SAFETY: touched only while the gate's lock is held.
  nonisolated(unsafe) private var waiting = 0

  var network: NetworkID { log.network }

  func set(isOpen: Bool) {
    gate.withLock { unsafe self.isOpen = isOpen }
    gate.broadcast()
  }

  /// Whether a write stands still.
  var isWaiting: Bool { gate.withLock { unsafe waiting > 0 } }

  /// Has the disk take nothing, or something again.
  func set(isFull: Bool) { gate.withLock { unsafe self.isFull = isFull } }

  /// How many writes found no space.
  var refusals: Int { gate.withLock { unsafe refused } }

  func breakDown() { gate.withLock { unsafe isBroken = true } }

  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try log.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try log.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try log.room(prefix: prefix) }

  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    try log.read(room, verify: verify, body, byPosition: byPosition)
  }

  func forget(_ rooms: [ForgottenRoom]) throws(LogError) {
    if gate.withLock({ unsafe isFull }) { throw .full("no space") }
    try log.forget(rooms)
  }
  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { try log.forgottenRooms() }

  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try log.storedRooms(from: number, limit: limit)
  }

  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    let (isBroken, isFull) = gate.withLock {
      unsafe waiting += 1
      while unsafe !isOpen { gate.wait() }
      unsafe waiting -= 1
      if unsafe self.isFull { unsafe refused += 1 }
      return unsafe (self.isBroken, self.isFull)
    }
    guard !isFull else { throw .full("no space") }
    guard !isBroken else { throw .limit("the disk is full") }
    try log.write(changes, clocks: clocks)
  }
}

/// Nothing leaves before it is durable, whoever wrote it, and a disk that is behind holds the network up.
@Suite(.serialized) struct DurabilityTests {
  @Test(arguments: Way.there) func nothingLeavesBeforeItIsDurable(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let (first, second) = (GatedLog(), GatedLog())
    // The far end must not come to know the first one.
    var settings = NetworkSettings()
    settings.tellsOfPeers = false
    let one = TestPeer(1, transport, log: first, settings: settings)
    let two = TestPeer(2, transport, log: second, settings: settings)
    let three = TestPeer(3, transport, settings: settings)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: way.anyPort))
    await three.networkPeer.connect(to: try await two.networkPeer.listen(on: way.anyPort))
    let room = try await one.createRoom()
    try await eventually("the room") { three.stored(room) == 1 }
    first.set(isOpen: false)
    let writing = Task { try await one.chat("waiting", in: room) }
    try await eventually("the disk is asked") { first.isWaiting }
    await transport.loop.turn()
    #expect(two.stored(room) == 1)
    #expect(await two.networkPeer.read { $0.log(of: room)?.entries.count } == 1)
    // Now the one in the middle is the slow one: it has the event, and does not hand it on.
    second.set(isOpen: false)
    first.set(isOpen: true)
    try await writing.value
    try await eventually("the middle") { await two.networkPeer.read { $0.log(of: room)?.entries.count } == 2 }
    try await eventually("its disk is asked") { second.isWaiting }
    await transport.loop.turn()
    #expect(three.stored(room) == 1)
    second.set(isOpen: true)
    try await eventually("the far end") { three.stored(room) == 2 }
    for peer in [three, two, one] { await peer.networkPeer.stop() }
  }

  /// Where the disk stands still, what comes is not read for ever: most of it stays with who sends it.
  @Test(arguments: Way.there) func aSlowDiskHoldsTheNetworkUp(_ way: Way) async throws {
    var settings = NetworkSettings()
    settings.limitUncommittedBytes = 20_000
    // Small enough that a connection cannot hold everything.
    settings.limitQueuedBytes = 20_000
    let transport = way.transport(try EventLoop())
    let slow = GatedLog()
    let one = TestPeer(1, transport, settings: settings)
    let two = TestPeer(2, transport, log: slow, settings: settings)
    let relay = Relay(transport, to: try await one.networkPeer.listen(on: way.anyPort))
    let room = try await one.createRoom()
    await two.networkPeer.connect(to: try await relay.listen(on: way.anyPort))
    try await eventually("the room") { two.stored(room) == 1 }
    slow.set(isOpen: false)
    for number in 0..<300 {
      try await one.chat("\(number)" + String(repeating: "x", count: 400), in: room)
    }
    try await eventually("the disk is asked") { slow.isWaiting }
    await transport.loop.turn()
    // 300 events have more than 150,000 bytes.
    let here = await two.networkPeer.read { $0.log(of: room)?.entries.count ?? 0 }
    #expect(here < 200, "\(here) events were read")
    #expect(await one.isConnected(to: two))
    slow.set(isOpen: true)
    try await eventually("everything") { two.stored(room) == 301 }
    for peer in [one, two] { await peer.networkPeer.stop() }
    await relay.stop()
  }

  /// Who looks on is shown what came when it is stored, and not before; what a full disk did not take is not shown.
  @Test func nothingIsShownBeforeItIsDurable() async throws {
    let transport = LocalTransport(try EventLoop())
    let slow = GatedLog()
    let (one, two) = (TestPeer(1, transport), TestPeer(2, transport, log: slow))
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: Way.inProcess.anyPort))
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    slow.set(isOpen: false)
    try await one.chat("hello", in: room)
    try await eventually("the words, in memory") {
      await two.networkPeer.read { $0.log(of: room)?.entries.count } == 2
    }
    let isStored = Guarded(false)
    let looking = Task {
      let state = try await two.networkPeer.storedState(of: room)
      return (state?.chat.map(\.text), isStored.withLock { $0 })
    }
    for _ in 0..<20 { await transport.loop.turn() }
    isStored.withLock { $0 = true }
    slow.set(isOpen: true)
    let (chat, wasStored) = try await looking.value
    #expect(chat == ["hello"] && wasStored)
    // A disk that takes nothing ends the wait too.
    slow.set(isOpen: false)
    try await one.chat("lost", in: room)
    try await eventually("the words, in memory") {
      await two.networkPeer.read { $0.log(of: room)?.entries.count } == 3
    }
    let second = Task { try await two.networkPeer.storedState(of: room)?.chat.map(\.text) }
    slow.set(isFull: true)
    slow.set(isOpen: true)
    let shown = try await second.value
    #expect(shown == ["hello"], "\(String(describing: shown))")
    slow.set(isFull: false)
    for peer in [two, one] { await peer.networkPeer.stop() }
  }

  /// What a full disk did not take is taken back: nobody is shown it, what is stored is still passed on, and what
  /// others write comes when there is space again. Until then the disk is asked seldom, however much comes.
  @Test(arguments: Way.there) func aFullDiskRefusesAndServes(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let small = GatedLog()
    var settings = NetworkSettings()
    settings.tellsOfPeers = false
    var gossip = GossipSettings.standard
    gossip.compareMilliseconds = 200
    let one = TestPeer(1, transport, log: small, settings: settings, gossip: gossip)
    let two = TestPeer(2, transport, settings: settings, gossip: gossip)
    let address = try await one.networkPeer.listen(on: way.anyPort)
    await two.networkPeer.connect(to: address)
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    small.set(isFull: true)
    let began = ContinuousClock.now
    await #expect(throws: PeerError.full("no space")) { try await one.chat("lost", in: room) }
    #expect(await one.networkPeer.shortage == "no space")
    #expect(await one.networkPeer.read { $0.log(of: room)?.entries.count } == 1)
    await #expect(throws: PeerError.full("no space")) { try await one.createRoom(2) }
    for number in 0..<50 { try await two.chat("\(number)", in: room) }
    // Whoever comes now is given what is stored.
    let three = TestPeer(3, transport, settings: settings, gossip: gossip)
    await three.networkPeer.connect(to: address)
    try await eventually("the room") { three.stored(room) == 1 }
    #expect(one.stored(room) == 1)
    // While a write is tried again, what it would store is in memory.
    try await eventually("it is taken back") {
      await one.networkPeer.read { $0.log(of: room)?.entries.count } == 1
    }
    let (refusals, time) = (small.refusals, ContinuousClock.now - began)
    let pauses = Int(time / .milliseconds(Int(StoreSpace.pauseMilliseconds)))
    #expect(refusals <= 3 + pauses, "\(refusals) writes were tried in \(time)")
    small.set(isFull: false)
    try await eventually("what came meanwhile") { one.stored(room) == 51 && three.stored(room) == 51 }
    #expect(await one.networkPeer.shortage == nil)
    try await one.chat("kept", in: room)
    try await eventually("what is written again") { two.stored(room) == 52 }
    #expect(await one.networkPeer.failure == nil)
    for peer in [three, two, one] { await peer.networkPeer.stop() }
  }

  /// A commit may find no space between a write and the wait for it: the wait does not join the next commit, which has
  /// nothing of it.
  @Test func whoWaitsForWhatWasTakenBackIsTold() async throws {
    let small = GatedLog()
    let one = TestPeer(1, Way.there[0].transport(try EventLoop()), log: small)
    let room = try await one.createRoom()
    let known = await one.networkPeer.durable.commits.reversions
    try await one.networkPeer.awaitCommit(since: known)
    small.set(isFull: true)
    await #expect(throws: PeerError.full("no space")) { try await one.chat("lost", in: room) }
    small.set(isFull: false)
    await #expect(throws: PeerError.full("no space")) { try await one.networkPeer.awaitCommit(since: known) }
    await one.networkPeer.stop()
  }

  /// What is to be forgotten stays while the disk is full, and the peer goes on; later it goes.
  @Test func aFullDiskForgetsLater() async throws {
    let small = GatedLog()
    let one = TestPeer(1, Way.there[0].transport(try EventLoop()), log: small)
    let room = try await one.createRoom()
    small.set(isFull: true)
    await #expect(throws: PeerError.full("no space")) { try await one.networkPeer.forget([room]) }
    #expect(await one.networkPeer.failure == nil)
    #expect(await one.networkPeer.read { $0.log(of: room)?.entries.count } == 1)
    #expect(await one.networkPeer.read { !$0.gossip.isForgotten(room) })
    #expect(one.stored(room) == 1)
    small.set(isFull: false)
    try await eventually("it writes again") { await one.networkPeer.isPaused == false }
    try await one.chat("kept", in: room)
    #expect(try await one.networkPeer.forget([room]) == [room])
    #expect(one.stored(room) == 0 && small.refusals == 0)
    await one.networkPeer.stop()
  }

  /// A disk that is full when a peer stops keeps it from nothing.
  @Test func aPeerStopsOnAFullDisk() async throws {
    let small = GatedLog()
    let one = TestPeer(1, Way.there[0].transport(try EventLoop()), log: small)
    let room = try await one.createRoom()
    small.set(isFull: true)
    small.set(isOpen: false)
    let writing = Task { try await one.chat("lost", in: room) }
    try await eventually("the disk is asked") { small.isWaiting }
    let stopping = Task { await one.networkPeer.stop() }
    small.set(isOpen: true)
    await #expect(throws: PeerError.full("no space")) { try await writing.value }
    await stopping.value
    #expect(one.stored(room) == 1)
  }

  /// A disk that fails ends everything: what was not stored is said to nobody.
  @Test(arguments: Way.there) func aBrokenDiskEndsTheNode(_ way: Way) async throws {
    let transport = way.transport(try EventLoop())
    let broken = GatedLog()
    let one = TestPeer(1, transport, log: broken)
    let two = TestPeer(2, transport)
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: way.anyPort))
    let room = try await one.createRoom()
    try await eventually("the room") { two.stored(room) == 1 }
    broken.breakDown()
    await #expect(throws: PeerError.self) { try await one.chat("lost", in: room) }
    try await eventually("a goodbye") { await two.networkPeer.peers.isEmpty }
    await #expect(throws: PeerError.self) { try await one.chat("lost as well", in: room) }
    await transport.loop.turn()
    #expect(two.stored(room) == 1)
    #expect(await one.networkPeer.peers.isEmpty)
    for peer in [one, two] { await peer.networkPeer.stop() }
  }
}

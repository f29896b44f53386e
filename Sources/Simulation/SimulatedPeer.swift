import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Synchronization

/// The hands of a wall clock, which jumps as its owner likes.
final class WallClockHands: Sendable {
  private let milliseconds = Atomic<UInt64>(0)

  /// What it shows.
  var time: UInt64 { milliseconds.load(ordering: .relaxed) }

  /// Sets it.
  func set(_ time: UInt64) { milliseconds.store(time, ordering: .relaxed) }
}

/// A peer of the simulation: the product's own core, what its disk holds, and what it remembers over a restart.
///
/// Everything that the simulation asks of `PeerCore` about replication stands in this file.
struct SimulatedPeer: Sendable {
  /// The most old copies of a disk that are kept.
  private static let limitCopies = 3

  let number: Int
  let signer: any Signer
  /// How it is dishonest; empty for an honest one.
  let mischief: Set<Fault>
  private let scheme: any SignatureScheme
  private let settings: GossipSettings
  private let hands = WallClockHands()
  /// How far the wall clock is off.
  private var wallOffset: UInt64 = 1_700_000_000_000
  /// The running program; a fork has two that know nothing of each other. None while the peer is down.
  var faces: [PeerCore] = []
  /// How often it was started.
  private(set) var life = 0
  var disk = Disk()
  /// Copies of the disk as it was, the oldest first.
  private(set) var copies: [Disk] = []
  /// What is being committed.
  var commit: [RoomChange] = []
  /// Rooms with something to commit, in the order in which they changed.
  var dirty: [RoomID] = []
  /// The rooms that it limits itself to.
  private(set) var subscription: Set<RoomID>?
  /// What it does in which room, by the room's number.
  var tables: [Table?] = []
  /// How it cheats; it draws from `random`.
  var cheating: Cheat
  var random: RandomStream
  /// What time limits ask of this life.
  var timekeeper: Timekeeper
  /// When the timer that was asked for last goes off.
  var timer: UInt64 = .max
  /// What this life's clock showed at its start: clocks of different programs have nothing to do with each other.
  private var tickOffset: UInt64 = 0

  init(
    number: Int, signer: any Signer, scheme: any SignatureScheme, settings: GossipSettings,
    mischief: Set<Fault>, random: RandomStream
  ) {
    self.number = number
    self.signer = signer
    self.scheme = scheme
    self.settings = settings
    self.mischief = mischief
    timekeeper = Timekeeper(signer.peer, claimsByItself: true)
    cheating = Cheat(signer: signer, random: random)
    self.random = random
  }

  var id: PeerID { signer.peer }
  var isHonest: Bool { mischief.isEmpty }
  var isUp: Bool { !faces.isEmpty }

  /// The program's own clock.
  func tick(_ time: UInt64) -> Tick { Tick(milliseconds: time + tickOffset) }

  /// Sets the wall clock for what follows.
  func showTime(_ time: UInt64) { hands.set(time &+ wallOffset) }

  /// Has the wall clock jump, by up to a minute or a year.
  /// - Returns: how far, in words.
  mutating func jumpClock(_ random: inout RandomStream) -> String {
    let year: UInt64 = 365 * 24 * 3_600_000
    let distance = random.oneIn(2) ? random.time(0...year) : random.time(0...60_000)
    let isForward = random.oneIn(2)
    wallOffset = isForward ? wallOffset + distance : wallOffset - distance
    return "\(distance) ms \(isForward ? "forward" : "back")"
  }

  // MARK: - Lives

  /// Starts the program: rooms are read from the disk.
  mutating func start(at time: UInt64, forgetting forgotten: RoomID? = nil) {
    life += 1
    tickOffset = random.time(0...1_000_000)
    showTime(time)
    let hands = hands
    var core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: scheme, settings: settings,
      seed: random.next(),
      now: { hands.time })
    for stored in disk.rooms where stored.room != forgotten {
      core.open(disk.log(of: stored), isDurable: true, at: tick(time))
    }
    if let subscription { core.subscribe(to: Self.interest(in: subscription), at: tick(time)) }
    faces = [core]
    commit = []
    dirty = []
    timer = .max
    timekeeper = Timekeeper(id, claimsByItself: true)
    for number in tables.indices { tables[number]?.restart() }
  }

  /// Ends the program without a word.
  mutating func stop() { faces = [] }

  // MARK: - Rooms

  /// Holds a room in memory: as the disk has it, else empty, to be filled by others.
  /// - Parameter isForgotten: whether the disk is not looked at.
  mutating func open(_ room: RoomID, isForgotten: Bool = false, at time: UInt64) {
    for face in faces.indices where !isOpen(room, face: face) {
      if let stored = disk.stored(room), !isForgotten {
        faces[face].open(disk.log(of: stored), isDurable: true, at: tick(time))
      } else {
        faces[face].open(RoomLog(room: room), isDurable: false, at: tick(time))
      }
    }
  }

  func isOpen(_ room: RoomID, face: Int = 0) -> Bool {
    faces.indices.contains(face) && faces[face].withLog(of: room) { _ in true } == true
  }

  /// Whether nothing would be lost if a room left memory now.
  func mayClose(_ room: RoomID) -> Bool {
    faces.count == 1 && isRecovered && !dirty.contains(room) && !commit.contains { $0.room == room }
      && disk.stored(room) != nil && faces[0].isDurable(room) && faces[0].unsignedEvents(in: room) == 0
      && faces[0].withLog(of: room) { $0.waiting.isEmpty } == true
  }

  mutating func close(_ room: RoomID) { faces[0].close(room) }

  /// Takes the rooms that neighbours want and that are to be read from the disk.
  mutating func takeNeeded(of face: Int) -> [RoomID] { faces[face].effects.takeNeeded() }

  /// A room's events, wherever they are.
  func log(of room: RoomID) -> RoomLog? {
    faces.first?.log(of: room) ?? disk.stored(room).map { disk.log(of: $0) }
  }

  /// What a room amounts to, wherever its events are; `nil` without its `create`.
  mutating func state(of room: RoomID) -> RoomState? {
    if isOpen(room) { return faces[0].state(of: room) }
    var projection = storedProjection(of: room)
    return projection?.state
  }

  /// The hash of what a room amounts to, wherever its events are.
  mutating func digest(of room: RoomID) -> Digest? {
    if isOpen(room) { return faces[0].digest(of: room) }
    var projection = storedProjection(of: room)
    return projection?.digest()
  }

  /// What a room amounts to for somebody who sits at none of its tables.
  func stateForStrangers(of room: RoomID) -> RoomState? {
    var projection = log(of: room).flatMap { RoomProjection($0.graph, catalog: Games.catalog) }
    return projection?.state
  }

  private func storedProjection(of room: RoomID) -> RoomProjection? {
    disk.stored(room).flatMap { RoomProjection(disk.log(of: $0).graph, catalog: Games.catalog) }
  }

  /// Limits what the peer wants to some rooms, or lifts the limit.
  /// - Parameter isTold: whether the program hears of it.
  mutating func subscribe(to wanted: Set<RoomID>?, isTold: Bool = true, at time: UInt64) {
    subscription = wanted
    guard isTold else { return }
    // tidy: order does not matter because it is an optional that is asked
    let interest = wanted.map { Self.interest(in: $0) }
    for face in faces.indices { faces[face].subscribe(to: interest, at: tick(time)) }
  }

  /// What the program is told: these rooms, and now and then some games that can be joined as well.
  private static func interest(in chosen: Set<RoomID>) -> Interest {
    var interest = Interest(in: chosen)
    interest.openGames = UInt8(chosen.count % 3)
    return interest
  }

  /// Wants one room more, where it limits itself.
  /// - Parameter isTold: whether the program hears of it.
  mutating func want(_ room: RoomID, isTold: Bool, at time: UInt64) {
    guard let subscription, !subscription.contains(room) else { return }
    subscribe(to: subscription.union([room]), isTold: isTold, at: time)
  }

  /// Whether the peer wants a room.
  func wants(_ room: RoomID) -> Bool { subscription?.contains(room) ?? true }

  // MARK: - Connections

  /// Opens an end of a connection.
  /// - Parameter neighbour: the number that the core knows it by.
  mutating func connect(
    _ neighbour: Neighbour, to peer: PeerID, isNearby: Bool, face: Int, at time: UInt64
  ) {
    faces[face].connect(neighbour, as: peer, isNearby: isNearby, at: tick(time))
  }

  mutating func disconnect(_ neighbour: Neighbour, face: Int, at time: UInt64) {
    guard faces.indices.contains(face) else { return }
    faces[face].disconnect(neighbour, at: tick(time))
  }

  mutating func receive(_ bytes: [UInt8], from neighbour: Neighbour, face: Int, at time: UInt64) {
    guard faces.indices.contains(face) else { return }
    faces[face].receive(bytes, from: neighbour, at: tick(time))
  }

  /// Lets timers go off that are due.
  mutating func advance(to time: UInt64) {
    for face in faces.indices { faces[face].advance(to: tick(time)) }
  }

  /// When the next timer is due, in simulated time.
  func deadline(after time: UInt64) -> UInt64? {
    var due: UInt64?
    // Not `compactMap`: it would copy the cores.
    for face in faces.indices {
      guard let deadline = faces[face].deadline?.milliseconds else { continue }
      due = min(due ?? deadline, deadline)
    }
    return due.map { max(time + 1, $0 &- min($0, tickOffset)) }
  }

  mutating func takeOutbox(of face: Int, at time: UInt64) -> [PeerCore.Outgoing] {
    // Simulated rooms stay open.
    defer { _ = faces[face].takeUnneeded() }
    return faces[face].takeOutbox(at: tick(time))
  }

  mutating func takeRefused(of face: Int) -> [(neighbour: Neighbour, reason: Refusal)] {
    faces[face].effects.takeRefused()
  }

  /// Takes the rooms in which something of others' has come.
  mutating func takeChanged(of face: Int) -> [RoomID] { faces[face].effects.takeChanged() }

  // MARK: - Durability

  /// What is to be committed, signed; a dishonest peer's programs keep nothing and count all as durable.
  mutating func pending(_ room: RoomID, of face: Int) throws(PeerError) -> RoomChange? {
    try faces[face].prepareCommit(room)
  }

  /// Keeps a copy of the disk.
  mutating func keepCopy() {
    copies.append(disk)
    if copies.count > Self.limitCopies { copies.removeFirst() }
  }

  /// Throws all copies away.
  mutating func dropCopies() { copies = [] }

  /// Whether nothing is on its way to the disk.
  var isStored: Bool { commit.isEmpty && dirty.isEmpty }

  /// Signs what is to be committed, for the next commit.
  mutating func beginCommit() throws(PeerError) {
    let rooms = dirty
    dirty = []
    for room in rooms {
      if let change = try pending(room, of: 0) { commit.append(change) }
    }
  }

  /// Own events of its rooms that the program has and the disk has not.
  func unstored() -> [(room: RoomID, events: [EventID])] {
    tables.compactMap { $0?.room }.map { room in
      let stored = Set(disk.entries(of: room).map(\.event.id))
      let lost = faces[0].withLog(of: room) { log in
        log.graph.events.filter { $0.author == id && !stored.contains($0.id) }.map(\.id)
      }
      return (room, lost ?? [])
    }
  }

  mutating func markDurable(_ change: RoomChange, of face: Int, at time: UInt64) {
    faces[face].markDurable(change, at: tick(time))
  }

  // MARK: - Recovery

  mutating func beginRecovery(at time: UInt64) {
    for face in faces.indices { faces[face].beginDoubt(at: tick(time)) }
  }

  /// Whether the peer may write in rooms that it may have written in before.
  var isRecovered: Bool { faces.allSatisfy { $0.recovery == .none } }
}

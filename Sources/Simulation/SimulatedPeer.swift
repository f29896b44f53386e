import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection

/// A peer of the simulation: the product's own core, what its disk holds, and what it remembers over a restart.
///
/// Everything that the simulation asks of `PeerCore` about replication stands in this file.
struct SimulatedPeer: Sendable {
  let number: Int
  let signer: any Signer
  /// How it is dishonest; empty for an honest one.
  let mischief: Set<Fault>
  private let scheme: any SignatureScheme
  private let settings: GossipSettings
  var clock = SimulatedClock()
  /// The running program; a fork has two that know nothing of each other. None while the peer is down.
  var faces: [PeerCore] = []
  /// How often it was started.
  private(set) var life = 0
  var storage = Storage()
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

  // MARK: - Lives

  /// Starts the program: rooms are read from the disk.
  mutating func start(at time: UInt64, forgetting forgotten: RoomID? = nil) {
    life += 1
    clock.restart(&random)
    clock.show(time)
    var core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: scheme, settings: settings,
      seed: random.next(), now: clock.wall)
    for stored in storage.disk.rooms where stored.room != forgotten {
      core.open(storage.disk.log(of: stored), isDurable: true, at: clock.tick(time))
    }
    if let subscription { core.subscribe(to: Self.interest(in: subscription), at: clock.tick(time)) }
    faces = [core]
    storage.restart()
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
      if let stored = storage.disk.stored(room), !isForgotten {
        faces[face].open(storage.disk.log(of: stored), isDurable: true, at: clock.tick(time))
      } else {
        faces[face].open(RoomLog(room: room), isDurable: false, at: clock.tick(time))
      }
    }
  }

  func isOpen(_ room: RoomID, face: Int = 0) -> Bool {
    faces.indices.contains(face) && faces[face].withLog(of: room) { _ in true } == true
  }

  /// Whether nothing would be lost if a room left memory now.
  func mayClose(_ room: RoomID) -> Bool {
    faces.count == 1 && isRecovered && !storage.isWriting(room)
      && storage.disk.stored(room) != nil && faces[0].isDurable(room)
      && faces[0].unsignedEvents(in: room) == 0
      && faces[0].withLog(of: room) { $0.waitingRoom.isEmpty } == true
  }

  mutating func close(_ room: RoomID) { faces[0].close(room) }

  /// Takes the rooms that neighbours want and that are to be read from the disk.
  mutating func takeNeeded(of face: Int) -> [RoomID] { faces[face].effects.takeNeeded() }

  /// A room's events, wherever they are.
  func log(of room: RoomID) -> RoomLog? {
    faces.first?.log(of: room) ?? storage.disk.stored(room).map { storage.disk.log(of: $0) }
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
    storage.disk.stored(room).flatMap {
      RoomProjection(storage.disk.log(of: $0).graph, catalog: Games.catalog)
    }
  }

  /// Limits what the peer wants to some rooms, or lifts the limit.
  /// - Parameter isTold: whether the program hears of it.
  mutating func subscribe(to wanted: Set<RoomID>?, isTold: Bool = true, at time: UInt64) {
    subscription = wanted
    guard isTold else { return }
    // tidy: order does not matter because it is an optional that is asked
    let interest = wanted.map { Self.interest(in: $0) }
    for face in faces.indices { faces[face].subscribe(to: interest, at: clock.tick(time)) }
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
    faces[face].connect(neighbour, as: peer, isNearby: isNearby, at: clock.tick(time))
  }

  mutating func disconnect(_ neighbour: Neighbour, face: Int, at time: UInt64) {
    guard faces.indices.contains(face) else { return }
    faces[face].disconnect(neighbour, at: clock.tick(time))
  }

  mutating func receive(_ bytes: [UInt8], from neighbour: Neighbour, face: Int, at time: UInt64) {
    guard faces.indices.contains(face) else { return }
    faces[face].receive(bytes, from: neighbour, at: clock.tick(time))
  }

  /// Lets timers go off that are due.
  mutating func advance(to time: UInt64) {
    for face in faces.indices { faces[face].advance(to: clock.tick(time)) }
  }

  /// When the next timer is due, in simulated time.
  func deadline(after time: UInt64) -> UInt64? {
    var due: UInt64?
    // Not `compactMap`: it would copy the cores.
    for face in faces.indices {
      guard let deadline = faces[face].deadline?.milliseconds else { continue }
      due = min(due ?? deadline, deadline)
    }
    return due.map { max(time + 1, clock.time(of: $0)) }
  }

  mutating func takeOutbox(of face: Int, at time: UInt64) -> [PeerCore.Outgoing] {
    // Simulated rooms stay open.
    defer { _ = faces[face].takeUnneeded() }
    return faces[face].takeOutbox(at: clock.tick(time))
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

  /// Signs what is to be committed, for the next commit.
  mutating func beginCommit() throws(PeerError) {
    for room in storage.takeDirty() {
      if let change = try pending(room, of: 0) { storage.add(change) }
    }
  }

  /// Own events of its rooms that the program has and the disk has not.
  func unstored() -> [(room: RoomID, events: [EventID])] {
    tables.compactMap { $0?.room }.map { room in
      let stored = Set(storage.disk.entries(of: room).map(\.event.id))
      let lost = faces[0].withLog(of: room) { log in
        log.graph.events.filter { $0.author == id && !stored.contains($0.id) }.map(\.id)
      }
      return (room, lost ?? [])
    }
  }

  mutating func markDurable(_ change: RoomChange, of face: Int, at time: UInt64) {
    faces[face].markDurable(change, at: clock.tick(time))
  }

  // MARK: - Recovery

  mutating func beginRecovery(at time: UInt64) {
    for face in faces.indices { faces[face].beginDoubt(at: clock.tick(time)) }
  }

  /// Whether the peer may write in rooms that it may have written in before.
  var isRecovered: Bool { faces.allSatisfy { $0.recovery == .none } }
}

internal import BotKit
package import Channel
package import EventLog
package import Events
internal import Gossip
package import Peer

/// Who notes, for the next start, what a node learns of its own feeds, and whether its store is in its place.
package protocol OwnHeadsKeeper: Sendable {
  /// The store came into doubt.
  func noteDoubt() throws(LogError)
  /// These rooms may be written to all the same.
  func noteAllowed(_ rooms: [RoomID]) throws(LogError)
  /// Something of the rooms may leave this machine from now on.
  func noteSharing() throws(LogError)
  /// Throws where the store was moved or replaced.
  func checkPlace() throws(LogError)
}

extension FolderMarks: OwnHeadsKeeper {}

/// A peer on a network: joins the core, its store, and connections over transports. One per process.
///
/// Lives on the loop, so that what comes from sockets and timers reaches the core without a hop. Only the store
/// works elsewhere, and nothing leaves before it has answered.
package actor PeerNode {
  package nonisolated let loop: EventLoop
  let settings: NodeSettings
  let credentials: Credentials
  let log: any EventLog
  let committer: GroupCommitter
  var core: PeerCore
  var random: RandomStream
  /// In the order in which they came.
  var connections: [Connection] = []
  /// Those that the core knows, by its numbers; a number is never used again.
  var neighbours: [Neighbour: Connection] = [:]
  var lastNumber: UInt32 = 0
  /// When a channel has something to do; may be too early.
  var channelsDue = UInt64.max
  var dials: [Dial] = []
  var listeners: [any Listener] = []
  /// Ended streams that may still send their last bytes, and until when.
  var lingering: [(stream: any ByteStream, deadline: UInt64)] = []
  /// Rooms with something to commit, in the order in which they changed.
  var dirty: [RoomID] = []
  /// What rooms offer that were closed, and that is not stored.
  var clocks: [StoredClock] = []
  var isCommitting = false
  /// Who waits for the next commit to be durable, and who for the one that is under way.
  var writers: [CheckedContinuation<Result<Void, PeerError>, Never>] = []
  /// Bytes that came since the last commit began.
  var uncommittedBytes = 0
  /// How many events were made durable since the start.
  package internal(set) var storedEvents = 0
  var isReading = true
  /// Rooms that are being read from the store.
  var loading: Set<RoomID> = []
  var watchers: [AsyncStream<Void>.Continuation] = []
  /// Rooms in which something happened that nobody has taken notice of yet, in that order.
  var touched: [RoomID] = []
  var isTouched: Set<RoomID> = []
  /// Why nothing goes on; `nil` while it does.
  package internal(set) var failure: PeerError?
  /// Who notes what comes of it that the store was in doubt.
  private var keeper: (any OwnHeadsKeeper)?
  /// When it is looked next whether the store is in its place.
  private var placeDue = UInt64.max
  /// Peers of which two processes were connected at one time.
  var twins: Set<PeerID> = []
  var isStopped = false
  private var transports: [any Transport] = []
  private var timer: LoopTimer?
  /// Whether `pump` runs, and has to look again.
  private var isPumping = false
  private var hasMore = false

  // SAFETY: the actor keeps its loop as long as it lives.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// A node that is not connected to anything yet.
  /// - Parameters:
  ///   - core: the peer; its first member's key is that of the credentials.
  ///   - transports: the ways it connects; the first that takes an address is used for it.
  ///   - seed: spreads its attempts to connect over time.
  package init(
    core: PeerCore, log: any EventLog, committer: GroupCommitter, credentials: Credentials,
    transports: [any Transport], settings: NodeSettings = .standard, seed: UInt64
  ) {
    guard let loop = transports.first?.loop else { preconditionFailure("a node without a transport") }
    precondition(transports.allSatisfy { $0.loop === loop }, "a node lives on one loop")
    precondition(core.id(of: 0) == credentials.signer.peer, "the core belongs to \(core.id(of: 0))")
    self.loop = loop
    self.core = core
    self.log = log
    self.committer = committer
    self.credentials = credentials
    self.transports = transports
    self.settings = settings
    random = RandomStream(seed: seed)
  }

  /// Who this is.
  package nonisolated var peer: PeerID { credentials.signer.peer }

  // MARK: - What others ask of it

  /// Opens all rooms of the store, and offers them.
  /// - Parameter rule: which of them do not stay in memory; they are still offered, and read when a neighbour wants
  ///   of them. What is offered of them is stored, so that the next start need not read them.
  package func openStoredRooms(closing rule: ClosingRule = .never) async throws(LogError) {
    var next: UInt64? = 0
    while let first = next {
      let rooms = try log.storedRooms(from: first, limit: Self.limitClocks)
      for room in rooms { try await offer(room, closing: rule) }
      next = rooms.last.map { $0.number + 1 }
    }
    commitWhatChanged(limitClocks: 1)
    pump()
  }

  /// Waits for connections.
  /// - Returns: where, with the port that the system chose when none was given.
  package func listen(on address: Address) throws(NetworkError) -> Address {
    guard !isStopped else { throw .stopped }
    let listener = try transport(for: address).listen(on: address) { stream in self.accept(stream) }
    listeners.append(listener)
    return listener.address
  }

  /// Connects to an address, and again whenever the connection is lost.
  /// - Parameter wanted: who must be there; `nil` for anybody.
  package func connect(to address: Address, wanted: PeerID? = nil) {
    guard !isStopped else { return }
    if let known = dials.first(where: { $0.address == address }) {
      guard known.isTold else { return }
      // Who told of it may have named another key, so that nobody is reached there.
      if known.isConnected, wanted == nil || wanted == known.peer { return known.confirm(wanted: wanted) }
      known.attempt?.cancel()
      dials.removeAll { $0 === known }
    }
    dials.append(Dial(address, wanted: wanted, at: now))
    pump()
  }

  /// Connects to an address no more; a connection that stands stays.
  package func forget(_ address: Address) {
    for dial in dials where dial.address == address { dial.attempt?.cancel() }
    dials.removeAll { $0.address == address }
    pump()
  }

  /// Writes into a room, and returns when it is durable; it is on its way to others then.
  /// - Parameter body: writes, and says into which room.
  package func write(
    _ body: @Sendable (inout PeerCore) throws(PeerError) -> RoomID
  ) async throws(PeerError) -> RoomID {
    if let failure { throw failure }
    guard !isStopped else { throw .notAllowed(NetworkError.stopped.description) }
    let room = try body(&core)
    markDirty(room)
    let result = await withCheckedContinuation { writer in
      writers.append(writer)
      pump()
    }
    try result.get()
    return room
  }

  /// Writes into rooms without waiting for the disk: what nobody waits for, such as duties.
  /// - Parameter body: writes, and says into which rooms.
  /// - Returns: whether anything was written.
  @discardableResult
  package func update(
    _ body: @Sendable (inout PeerCore) throws(PeerError) -> [RoomID]
  ) throws(PeerError) -> Bool {
    if let failure { throw failure }
    guard !isStopped else { return false }
    let rooms = try body(&core)
    guard !rooms.isEmpty else { return false }
    for room in rooms { markDirty(room) }
    pump()
    return true
  }

  /// Waits until everything that was written so far is durable and on its way to those who are connected.
  package func flush() async throws(PeerError) {
    if let failure { throw failure }
    guard !isStopped else { return }
    let result = await withCheckedContinuation { writer in
      writers.append(writer)
      pump()
    }
    try result.get()
  }

  /// Says how sure it is that the store holds all that this peer has written.
  /// - Parameters:
  ///   - allowed: the rooms that may be written to without asking others; `nil` for all.
  ///   - keeper: whoever notes what comes of it, and looks whether the store is still in its place.
  package func keepOwnHeads(but allowed: Set<RoomID>?, _ keeper: (any OwnHeadsKeeper)? = nil) {
    self.keeper = keeper
    if let allowed { core.beginDoubt(but: allowed, at: tick) } else { core.watchOwnHeads() }
    placeDue = keeper == nil ? .max : now
    pump()
  }

  /// Hands on what came of it.
  private func tellKeeper() {
    guard let keeper else { return }
    let (isDoubted, allowed) = (core.takeNewDoubt(), core.takeAllowed())
    do throws(LogError) {
      if isDoubted { try keeper.noteDoubt() }
      if !allowed.isEmpty { try keeper.noteAllowed(allowed) }
    } catch { return fail(.log(error.description), []) }
    guard placeDue <= now else { return }
    placeDue = now + Self.placeMilliseconds
    do throws(LogError) { try keeper.checkPlace() } catch { fail(.log(error.description), []) }
  }

  /// Notes, before the first byte leaves, that rooms may be elsewhere from now on.
  /// - Returns: whether that is durable.
  func mayShare() -> Bool {
    do throws(LogError) { try keeper?.noteSharing() } catch {
      fail(.log(error.description), [])
      return false
    }
    return true
  }

  /// How often it is looked whether the store is in its place.
  private static let placeMilliseconds: UInt64 = 2_000

  /// Takes the rooms in which something happened since the last call, in that order.
  package func takeTouched() -> [RoomID] {
    defer {
      touched = []
      isTouched = []
    }
    return touched
  }

  /// Somebody here asks for the rooms whose ids begin so: they are taken in, whatever their edition.
  package func ask(for prefix: RoomPrefix) {
    guard !isStopped else { return }
    core.ask(for: prefix, at: tick)
    pump()
  }

  /// Opens a room of the store that is wanted here.
  package func open(_ room: RoomID) async throws(LogError) {
    guard core.log(of: room) == nil else { return }
    let stored = try await Self.load(room, from: log)
    guard core.log(of: room) == nil else { return }
    core.open(stored, isDurable: true, at: tick)
    noteTouched(room)
    pump()
  }

  /// Keeps a room no longer in memory, when everything of it is durable; it is still offered, and read again when a
  /// neighbour wants of it.
  /// - Parameter rule: whether the room is over.
  package func closeIfDurable(_ room: RoomID, _ rule: ClosingRule) {
    // What is being sent of it would have to be asked for again; when all is sent the room is touched once more.
    guard !dirty.contains(room), core.isDurable(room), !core.isServing(room) else { return }
    closeIfOver(room, rule)
  }

  /// Reads what the core holds.
  package func read<Result: Sendable>(_ body: @Sendable (inout PeerCore) -> Result) -> Result { body(&core) }

  /// A signal for each time that something may have changed; several that nobody has taken yet are one.
  package func changes() -> AsyncStream<Void> {
    let (stream, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    if isStopped { watcher.finish() } else { watchers.append(watcher) }
    return stream
  }

  /// Leaves the network: says goodbye to all, and waits until what was written is durable.
  package func stop() async {
    guard !isStopped else { return }
    isStopped = true
    for listener in listeners { listener.close() }
    listeners = []
    for dial in dials { dial.attempt?.cancel() }
    dials = []
    for connection in connections {
      connection.channel.end(.leaving)
      drop(connection)
    }
    channelsDue = .max
    tellKeeper()
    while isCommitting || (!(dirty.isEmpty && clocks.isEmpty) && failure == nil) {
      _ = await withCheckedContinuation { writer in
        writers.append(writer)
        commitWhatChanged()
      }
    }
    for watcher in watchers { watcher.finish() }
    watchers = []
    setTimer()
  }

  // MARK: - Time

  var now: UInt64 { EventLoop.now }
  var tick: Tick { Tick(milliseconds: now) }

  func transport(for address: Address) -> any Transport {
    let isLocal = address.host == Address.inProcess
    return transports.first { ($0 is LocalTransport) == isLocal } ?? transports[0]
  }

  /// Sets the timer to whatever is due first; when nothing will ever be, closes it.
  private func setTimer() {
    var deadline = isStopped ? nil : core.deadline?.milliseconds
    func consider(_ time: UInt64?) { if let time { deadline = min(deadline ?? time, time) } }
    consider(channelsDue == .max ? nil : channelsDue)
    for dial in dials { consider(dial.attempt == nil ? dial.due : dial.attemptDeadline) }
    for connection in connections where connection.rival != nil { consider(connection.rivalDeadline) }
    for item in lingering { consider(item.deadline) }
    if !isStopped, failure == nil, placeDue != .max { consider(placeDue) }
    if isStopped, deadline == nil {
      timer?.close()
      timer = nil
      return
    }
    if timer == nil { timer = LoopTimer(loop) { self.pump() } }
    timer?.set(deadline)
  }

  /// Does whatever is due, and hands on what is to be sent; called after anything has happened.
  func pump() {
    hasMore = true
    guard !isPumping else { return }
    isPumping = true
    while hasMore {
      hasMore = false
      advance()
      if exchange() { hasMore = true }
    }
    isPumping = false
    if failure == nil, !isStopped { tellKeeper() }
    commitWhatChanged()
    setTimer()
    watchers.removeAll { watcher in
      if case .terminated = watcher.yield() { true } else { false }
    }
  }

  private func advance() {
    let now = now
    if let due = core.deadline, due.milliseconds <= now { core.advance(to: Tick(milliseconds: now)) }
    if channelsDue <= now { advanceChannels(to: now) }
    for connection in connections where connection.rivalDeadline <= now {
      endRivalry(connection, isAlive: false)
    }
    for item in lingering where item.deadline <= now { item.stream.close(afterWriting: false) }
    lingering.removeAll { $0.deadline <= now || $0.stream.queuedBytes == 0 }
    for dial in dials { advance(dial, at: now) }
  }

  private func advanceChannels(to now: UInt64) {
    channelsDue = .max
    for connection in connections {
      connection.channel.advance(to: now)
      if connection.channel.closing != nil { drop(connection) }
      noteDeadline(of: connection)
    }
  }

  /// Sees that a channel's deadline is not slept through.
  func noteDeadline(of connection: Connection) {
    if let deadline = connection.channel.deadline { channelsDue = min(channelsDue, deadline) }
  }

  /// Carries out what the core wants.
  /// - Returns: whether there may be more.
  private func exchange() -> Bool {
    for room in core.takeNeeded() { load(room) }
    for room in core.takeChanged() { markDirty(room) }
    var isBusy = false
    for (neighbour, reason) in core.takeRefused() {
      guard let connection = neighbours[neighbour] else { continue }
      connection.dial?.failure = reason.description
      connection.dial?.refusal = reason
      connection.channel.end(.refused)
      drop(connection)
      isBusy = true
    }
    if send() { isBusy = true }
    for connection in connections { connection.flush(limit: settings.limitQueuedBytes) }
    return isBusy
  }

  /// Seals what the core has for its neighbours.
  private func send() -> Bool {
    // The core asks for one neighbour after the other, and again after each message that it has put out.
    var asked: (neighbour: Neighbour, messages: Int)?
    let outgoing = core.takeOutbox(at: tick) { neighbour in
      guard let connection = neighbours[neighbour] else { return false }
      let messages = asked?.neighbour == neighbour ? (asked?.messages ?? 0) + 1 : 0
      asked = (neighbour, messages)
      return connection.queuedBytes + messages * Message.limitBytes < settings.limitQueuedBytes
    }
    for room in core.takeServed() { noteTouched(room) }
    for message in outgoing {
      guard let connection = neighbours[message.to] else { continue }
      do throws(ChannelError) { try connection.channel.send(message.bytes) } catch { drop(connection) }
    }
    return !outgoing.isEmpty
  }
}

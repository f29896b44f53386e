internal import Channel
package import EventLog
package import Events
package import Gossip
package import Peer
package import Projection

/// A peer on a network: joins the core, its store, and connections over transports. One per process.
///
/// Lives on the loop, so that what comes from sockets and timers reaches the core without a hop. Only the store
/// works elsewhere, and nothing leaves before it has answered. Its parts are values that know nothing of each other
/// (`DurableCore`, `ConnectionTable`, `Dialler`); here they are joined.
package actor NetworkPeer {
  package nonisolated let loop: EventLoop
  /// Who this is.
  package nonisolated let peer: PeerID
  let settings: NetworkSettings
  let log: any EventLog
  let committer: GroupCommitter
  var transports: Transports
  var durable: DurableCore
  var connections: ConnectionTable
  var dialler: Dialler
  private var watchers = Watchers()
  /// Who is called when something may have changed.
  private var observer: (@Sendable () -> Void)?
  /// Why nothing goes on; `nil` while it does.
  package internal(set) var failure: PeerError?
  var isStopped = false
  /// Who notes what comes of it that the store was in doubt.
  private var heads: OwnHeadsWatch?
  private var timer: (any LoopTimer)?
  private var turns = PumpTurns()

  // SAFETY: the actor keeps its loop as long as it lives.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// A peer that is not connected to anything yet.
  /// - Parameters:
  ///   - core: the peer; its first member is whom the transports prove this to be.
  ///   - transports: the ways it connects, all on one loop; the first that serves an address is used for it.
  ///   - seed: spreads its attempts to connect over time.
  package init(
    core: PeerCore, log: any EventLog, committer: GroupCommitter, transports: [any LinkTransport],
    settings: NetworkSettings = .standard, seed: UInt64
  ) {
    let ways = Transports(transports)
    precondition(core.id == ways.peer, "the core belongs to \(core.id)")
    loop = ways.loop
    peer = ways.peer
    self.transports = ways
    durable = DurableCore(core, settings)
    self.log = log
    self.committer = committer
    self.settings = settings
    connections = ConnectionTable(settings)
    dialler = Dialler(settings, seed: seed)
  }

  // MARK: - What others ask of it

  /// Opens all rooms of the store, and offers them.
  /// - Parameter rule: which of them do not stay in memory; they are still offered, and read when a neighbour wants
  ///   of them. What is offered of them is stored, so that the next start need not read them.
  package func openStoredRooms(closing rule: ClosingRule = .never) async throws(LogError) {
    try durable.rememberForgotten(in: log)
    var next: UInt64? = 0
    while let first = next {
      let rooms = try log.storedRooms(from: first, limit: CommitQueue.limitClocks)
      for room in rooms {
        try await offer(room, closing: rule)
        durable.noteStored(room)
      }
      durable.closeUnneeded()
      next = rooms.last.map { $0.number + 1 }
    }
    commitWhatChanged(limitClocks: 1)
    if settings.keepsWhatIsStored { durable.strangers.keepWhatIsStored() }
    // What is stored may be too much: the limit is another, or this peer ended while it forgot.
    forgetExcess()
    pump()
  }

  /// Waits for connections.
  /// - Returns: where, with the port that the system chose when none was given.
  package func listen(on address: Address) throws(NetworkError) -> Address {
    guard !isStopped else { throw .stopped }
    return try transports.listen(on: address) { link in self.accept(link) }
  }

  /// Connects to an address, and again whenever the connection is lost.
  /// - Parameter wanted: who must be there; `nil` for anybody.
  package func connect(to address: Address, wanted: PeerID? = nil) {
    guard !isStopped else { return }
    dialler.add(address, wanted: wanted, at: now)
    pump()
  }

  /// Connects to somebody who may be at an address behind a relay.
  package func hear(of address: Address) {
    guard !isStopped else { return }
    dialler.hear(of: address, at: now)
    pump()
  }

  /// Connects to an address no more; a connection that stands stays.
  package func forget(_ address: Address) {
    dialler.remove(address)
    pump()
  }

  /// Writes into a room, and returns when it is durable; it is on its way to others then.
  /// - Parameter body: writes, and says into which room.
  package func write(
    _ body: @Sendable (inout PeerCore) throws(PeerError) -> RoomID
  ) async throws(PeerError) -> RoomID {
    if let failure { throw failure }
    guard !isStopped else { throw .notAllowed(NetworkError.stopped.description) }
    if let words = durable.space.refusal { throw .full(words) }
    let room = try body(&durable.core)
    durable.noteWritten([room])
    try await awaitCommit(since: durable.commits.reversions)
    return room
  }

  /// Writes into rooms without waiting for the disk: what nobody waits for, such as duties.
  /// - Parameter body: writes, and says into which rooms.
  /// - Returns: those rooms; none where this peer has stopped.
  @discardableResult
  package func update(
    _ body: @Sendable (inout PeerCore) throws(PeerError) -> [RoomID]
  ) throws(PeerError) -> [RoomID] {
    if let failure { throw failure }
    guard !isStopped else { return [] }
    if let words = durable.space.refusal { throw .full(words) }
    let rooms = try body(&durable.core)
    guard !rooms.isEmpty else { return [] }
    durable.noteWritten(rooms)
    pump()
    return rooms
  }

  /// Waits until everything that was written so far is durable and on its way to those who are connected.
  package func flush() async throws(PeerError) {
    if let failure { throw failure }
    guard !isStopped else { return }
    try await awaitCommit(since: durable.commits.reversions)
  }

  /// What a room amounts to now, once all of that is durable: what is shown is not gone after a power cut. What a full
  /// disk did not take is not in it.
  /// - Returns: `nil` for a room that is not in memory.
  package func storedState(of room: RoomID) async throws(PeerError) -> RoomState? {
    if let failure { throw failure }
    while let state = durable.core.state(of: room) {
      guard !durable.core.isDurable(room) else { return state }
      guard !isStopped else { return state }
      do throws(PeerError) {
        try await awaitCommit(since: durable.commits.reversions)
        return state
      } catch {
        // It was taken back.
        guard case .full = error else { throw error }
      }
    }
    return nil
  }

  /// How many events were made durable since the start.
  package var storedEvents: Int { durable.commits.storedEvents }

  /// Waits until what there is is durable.
  /// - Parameter known: the commits' `reversions` when it was there. Others may run before this does, and a commit may
  ///   end.
  func awaitCommit(since known: Int) async throws(PeerError) {
    let result = await withCheckedContinuation { (writer: CommitQueue.Writer) in
      guard known == durable.commits.reversions, failure == nil else {
        let error = failure ?? PeerError.full(durable.space.shortage ?? "there was no space")
        return writer.resume(returning: .failure(error))
      }
      durable.commits.add(writer)
      // The end of a commit that is under way begins the next one.
      if !durable.commits.isCommitting { pump() }
    }
    try result.get()
  }

  /// Says how sure it is that the store holds all that this peer has written.
  /// - Parameters:
  ///   - allowed: the rooms that may be written to without asking others; `nil` for all.
  ///   - keeper: whoever notes what comes of it, and looks whether the store is still in its place.
  package func keepOwnHeads(but allowed: Set<RoomID>?, _ keeper: (any OwnHeadsKeeper)? = nil) {
    heads = keeper.map { OwnHeadsWatch($0, at: now) }
    if let allowed { durable.core.beginDoubt(but: allowed, at: tick) } else { durable.core.watchOwnHeads() }
    pump()
  }

  private func tellKeeper() {
    do throws(LogError) { try heads?.advance(to: now, &durable.core) } catch { note(error) }
  }

  /// A mark of the data folder could not be written: for want of space it is tried again, else nothing goes on.
  private func note(_ error: LogError) {
    guard case .full(let words) = error else { return fail(.log(error.description), []) }
    durable.pauseWriting(words, at: now)
  }

  /// Notes, before the first byte leaves, that rooms may be elsewhere from now on.
  /// - Returns: whether that is durable.
  func mayShare() -> Bool {
    do throws(LogError) { try heads?.keeper.noteSharing() } catch {
      note(error)
      return false
    }
    return true
  }

  /// Takes the rooms in which something happened since the last call, in that order.
  package func takeTouched() -> [RoomID] { durable.touched.takeAll() }

  /// Limits what this peer wants, besides rooms that name it or were asked for; `nil` lifts the limit.
  package func subscribe(to wanted: Interest?) {
    guard !isStopped else { return }
    durable.core.subscribe(to: wanted, at: tick)
    pump()
  }

  /// Somebody here asks for the rooms whose ids begin so: they are taken in, whatever their edition.
  package func ask(for prefix: RoomPrefix) {
    guard !isStopped else { return }
    durable.core.ask(for: prefix, at: tick)
    pump()
  }

  /// Opens a room of the store that is wanted here.
  package func open(_ room: RoomID) async throws(LogError) {
    guard durable.core.log(of: room) == nil else { return }
    let stored = try await log.loadConcurrently(room)
    guard durable.open(stored, at: tick) else { return }
    pump()
  }

  /// Has rooms stay in memory until as many calls of `letGo`: what is done next is done in rooms that are open.
  package func hold(_ rooms: [RoomID]) { durable.hold(rooms) }

  /// Ends a `hold`.
  package func letGo(_ rooms: [RoomID]) { durable.letGo(rooms) }

  /// Keeps a room no longer in memory, when everything of it is durable; it is still offered, and read again when a
  /// neighbour wants of it.
  /// - Parameter rule: whether the room is over.
  package func closeIfDurable(_ room: RoomID, _ rule: ClosingRule) { durable.closeIfDurable(room, rule) }

  /// Takes in a guest's key. Rooms in which it has a part are looked at: what it owes there has waited for it.
  package func admit(_ signer: any Signer) {
    guard durable.core.keys.number(of: signer.peer) == nil else { return }
    _ = durable.core.admit(signer)
    for room in durable.core.openRooms {
      guard let state = durable.core.state(of: room),
        state.creator == signer.peer || state.seat(of: signer.peer) != nil
      else { continue }
      durable.touched.add(room)
    }
    observer?()
  }

  /// Lets go of a guest's key, when all that it wrote is durable.
  package func dismiss(_ guest: PeerID) {
    if let member = durable.core.keys.number(of: guest) { durable.core.dismiss(member) }
  }

  /// Reads what the core holds.
  package func read<Result: Sendable>(_ body: @Sendable (inout PeerCore) -> Result) -> Result {
    body(&durable.core)
  }

  /// A signal for each time that something may have changed; several that nobody has taken yet are one.
  package func changes() -> Changes {
    watchers.add()
  }

  /// Calls `body` on the loop each time that something may have changed, until this peer stops; it must not come back
  /// here before it returns. There is one such: a task that waits for signals comes by way of the pool of tasks.
  package func observe(_ body: @escaping @Sendable () -> Void) { observer = body }

  /// Leaves the network: says goodbye to all, and waits until what was written is durable.
  package func stop() async {
    guard !isStopped else { return }
    isStopped = true
    leave()
    tellKeeper()
    while failure == nil, durable.commits.isCommitting || durable.commits.hasMore {
      _ = await withCheckedContinuation { (writer: CommitQueue.Writer) in
        // After a failure nothing is stored any more, and nobody would be told.
        if let failure { return writer.resume(returning: .failure(failure)) }
        durable.commits.add(writer)
        commitWhatChanged()
      }
    }
    watchers.end()
    observer = nil
    setTimer()
  }

  /// Ends all connections, and makes and takes no others.
  func leave() {
    transports.close()
    dialler.halt()
    for connection in connections.all {
      connection.link.end(.leaving)
      drop(connection)
    }
  }

  // MARK: - Time

  var now: UInt64 { loop.now }
  var tick: Tick { Tick(milliseconds: now) }

  /// Sets the timer to whatever is due first; when nothing will ever be, closes it.
  private func setTimer() {
    var times = [connections.deadline, dialler.deadline]
    if !isStopped { times += [durable.core.deadline?.milliseconds, durable.space.deadline] }
    if !isStopped, failure == nil { times.append(heads?.deadline) }
    let deadline = times.compactMap { $0 }.min()
    if isStopped, deadline == nil {
      timer?.close()
      timer = nil
      return
    }
    if timer == nil { timer = loop.timer { self.pump() } }
    timer?.set(deadline)
  }

  /// Calls `pump` when all that the loop has found was looked at: what came over many links at once is handed on at
  /// once, and costs no look at all of them for each.
  func pumpSoon() {
    guard turns.plan() else { return }
    loop.later {
      if self.turns.isPlanned { self.pump() }
    }
  }

  /// Does whatever is due, and hands on what is to be sent; called after anything has happened.
  func pump() {
    guard turns.begin() else { return }
    while turns.next() {
      advance()
      exchange()
    }
    if failure == nil, !isStopped { tellKeeper() }
    commitWhatChanged()
    readWhatWaits()
    connections.setReading(!durable.commits.isBehind, at: now)
    setTimer()
    watchers.tell()
    observer?()
  }

  private func advance() {
    let now = now
    if durable.triesAgain(at: now) { forgetExcess() }
    if let due = durable.core.deadline, due.milliseconds <= now {
      durable.core.advance(to: Tick(milliseconds: now))
    }
    for (neighbour, reason) in durable.core.effects.takeRefused() {
      guard let connection = connections[neighbour] else { continue }
      dialler.refused(connection.dial, reason)
      connections.reception.forget(connection)
      connection.link.end(.refused)
    }
    // What was said before an end counts.
    for connection in connections.advance(to: now) where !connections.reception.holds(connection) {
      drop(connection)
      turns.noteMore()
    }
    for dial in dialler.takeDue(at: now, connections.reaches) { attempt(dial) }
  }

  /// Carries out what the core wants. Links that end meanwhile are found by `advance`.
  private func exchange() {
    for room in durable.core.effects.takeNeeded() { load(room) }
    durable.markChanged()
    send()
    for connection in connections.all { connection.link.flush(limit: settings.limitQueuedBytes) }
  }

  /// Sends what the core has for its neighbours.
  private func send() {
    // The core asks for one neighbour after the other, and again after each message that it has put out.
    var asked: (neighbour: Neighbour, messages: Int)?
    let limit = connections.limitAskedBytes
    let outgoing = durable.core.takeOutbox(at: tick) { neighbour in
      guard let connection = connections[neighbour] else { return false }
      let messages = asked?.neighbour == neighbour ? (asked?.messages ?? 0) + 1 : 0
      asked = (neighbour, messages)
      return connection.link.queuedBytes + messages * Message.limitBytes < limit
    }
    durable.closeSent()
    for message in outgoing {
      connections[message.to]?.link.send(message.bytes)
      turns.noteMore()
    }
    guard !outgoing.isEmpty else { return }
    while let connection = connections.mostUnread {
      connection.link.close(afterSending: false)
      drop(connection)
    }
  }
}

package import EventLog
package import Events
package import Gossip
package import Projection
package import Rules

/// The peers of one process as a value: their keys, their one copy of each room, and what they write.
///
/// The owner, who is member 0, and the local bots each have a key and a feed of their own, and act through the same
/// calls, which say who acts. They share the copy of a room: what one writes the others would be handed at once. No
/// input or output: messages come in through `receive`, and what is to be sent lies in the outbox. What a seat owes
/// the protocol is done by `Duties`.
package struct PeerCore: Sendable {
  private let catalog: GameCatalog
  let hasher: EventHasher
  private let now: @Sendable () -> UInt64
  /// What replicates the rooms.
  package internal(set) var gossip: GossipCore
  /// Whose keys it has.
  package internal(set) var keys: Keyring
  /// Into which rooms it may write.
  package var ownHeads = OwnHeads()
  /// What this process does as the host of rounds.
  package var hosting = Hosting()
  /// What salts are derived from in place of a room's id (`Session.Place.fixesSalts`).
  var saltNames: [RoomID: RoomID] = [:]
  /// What is to be done.
  package var effects = Effects()

  /// A message in its bytes, for a neighbour.
  package struct Outgoing: Sendable {
    package let bytes: [UInt8]
    package let to: Neighbour
  }

  /// A peer that holds nothing yet.
  /// - Parameters:
  ///   - now: milliseconds since 1970, for people to read in events.
  ///   - seed: where the gossip core's salts come from; other peers must not know it.
  package init(
    signer: any Signer, network: NetworkID, catalog: GameCatalog, scheme: any SignatureScheme,
    settings: GossipSettings = .standard, seed: UInt64 = 0, now: @escaping @Sendable () -> UInt64
  ) {
    keys = Keyring(owner: signer)
    self.catalog = catalog
    self.now = now
    hasher = EventHasher(network: network)
    gossip = GossipCore(scheme: scheme, hasher: hasher, settings: settings, seed: seed)
    gossip.own = keys.ids
  }

  /// Milliseconds since 1970, for people to read in events.
  package var wallTime: UInt64 { now() }

  // MARK: - Members

  /// Adds the key of a local bot, or of a guest.
  /// - Parameter isNew: whether it was made for this process, and nothing was written with it elsewhere.
  /// - Returns: the member's number.
  package mutating func admit(_ signer: any Signer, isNew: Bool = false) -> Int {
    defer { gossip.own = keys.ids }
    return keys.add(signer, isNew: isNew)
  }

  /// Lets go of the key of a guest, of whom everything is durable; its number may become another's.
  package mutating func dismiss(_ member: Int) {
    keys.dismiss(member)
    for at in gossip.rooms.open.indices where gossip.rooms.open[at].own.indices.contains(member) {
      gossip.rooms.open[at].own[member] = Room.OwnFeed()
    }
  }

  /// The rooms whose events are in memory.
  package var openRooms: [RoomID] { gossip.rooms.open.map(\.id) }

  /// Takes a new key where nobody can say how far the old one's feeds go: what it writes contradicts nothing.
  /// - Returns: the number of the member who has it, who may write into every room.
  /// - Throws: when own heads are known, or may still be learned.
  package mutating func goOn(with signer: any Signer) throws(PeerError) -> Int {
    guard case .alone = gossip.replica.recovery else {
      throw .notAllowed("only a peer that may have forgotten events, and can ask nobody, takes a new key")
    }
    return admit(signer, isNew: true)
  }

  /// The owner's public key.
  package var id: PeerID { keys.ids[0] }

  /// The events of a room.
  package func log(of room: RoomID) -> RoomLog? { gossip.rooms.log(of: room) }

  /// Reads the events of a room without copying what describes them.
  package func withLog<Result>(of room: RoomID, _ body: (borrowing RoomLog) -> Result) -> Result? {
    gossip.rooms.withLog(of: room, body)
  }

  /// What a room amounts to; `nil` while its `create` is not here.
  package mutating func state(of room: RoomID) -> RoomState? {
    guard let at = gossip.rooms.place(of: room) else { return nil }
    return gossip.rooms.open[at].knownState() ?? reading(room) { $0.state }
  }

  /// The hash of what a room amounts to.
  package mutating func digest(of room: RoomID) -> Digest? { reading(room) { $0.digest() } }

  mutating func reading<Result>(
    _ room: RoomID, _ body: (inout RoomProjection) -> Result
  ) -> Result? {
    guard let at = gossip.rooms.place(of: room) else { return nil }
    var result: Result?
    gossip.rooms.open[at].read(catalog, seenBy: keys.ids) { result = body(&$0) }
    return result
  }

  // MARK: - Rooms and neighbours

  /// Creates a room.
  package mutating func create(
    _ create: Create, at wallTime: UInt64? = nil, by member: Int = 0
  ) throws(PeerError) -> RoomID {
    let event = try PeerError.mapped { () throws(FormatError) in
      try Event.author(
        .create(create), room: .none, author: keys.ids[member], sequence: 1, previous: .none, parents: [],
        wallTime: wallTime ?? now(), hasher: hasher)
    }
    try take(event, by: member)
    ownHeads.noteMade(event.id)
    return event.id
  }

  /// Starts to hold a room: from a log, or empty, to be filled by neighbours.
  package mutating func open(_ log: RoomLog, isDurable: Bool, at now: Tick = .start) {
    let directives = gossip.open(log, durable: isDurable ? log.graph.events.count : 0, at: now)
    carryOut(directives)
    showInvited(log.room, at: now)
  }

  /// Stops holding a room.
  package mutating func close(_ room: RoomID) { gossip.close(room) }

  // MARK: - Writing

  /// Writes a member's event into a room. It is signed later, by `sign`.
  /// - Parameters:
  ///   - citing: events it must name among its parents.
  ///   - opening: what opens it, where it is a commit.
  package mutating func write(
    _ action: Action, in room: RoomID, citing: [EventID] = [], opening: Room.OwnFeed.Opening? = nil,
    by member: Int = 0
  ) throws(PeerError) -> Event {
    guard let at = gossip.rooms.place(of: room) else { throw .unknownRoom(room) }
    gossip.rooms.open[at].noteMembers(keys.ids.count)
    if !ownHeads.isCertain, !keys.isNew(member), let refusal = writingRefusal(in: room) {
      throw refusal
    }
    let author = keys.ids[member]
    let next = gossip.rooms.open[at].next(of: author, as: member, citing: citing)
    if let kept = ownHeads.kept(of: author, in: room), !gossip.rooms.open.span[at].log.hasComeBack(kept) {
      throw PeerError(kept, in: room)
    }
    // An event of this peer's own that waits for others is one that it has forgotten writing.
    guard !next.isForgotten else { throw .recovering }
    guard !next.own.isForked else {
      throw .notAllowed("this peer's feed in the room is forked; it can write nothing more there")
    }
    let event = try PeerError.mapped { () throws(FormatError) in
      try Event.author(
        action, room: room, author: author, sequence: (next.own.event?.sequence ?? 0) + 1,
        previous: next.own.event?.id ?? .none, parents: next.parents, wallTime: now(), hasher: hasher)
    }
    try signBefore(event, by: member, at: at)
    try take(event, opening, by: member)
    gossip.rooms.open[at].own[member].cited = next.cited
    return event
  }

  private mutating func take(
    _ event: Event, _ opening: Room.OwnFeed.Opening? = nil, by member: Int
  ) throws(PeerError) {
    do throws(LogError) { try gossip.append(event) } catch .misnamed {
      throw .unplayable(
        "nothing more can be written here: this peer is no member yet and has written"
          + " \(Membership.limitStrangersEvents) events, the creator has granted as many requests as it may, or the"
          + " room's log is damaged: `parlor log verify \(event.room.short)` tells")
    } catch { throw .log(error.description) }
    guard let at = gossip.rooms.place(of: event.room) else { return }
    gossip.rooms.open[at].noteMembers(keys.ids.count)
    gossip.rooms.open[at].own[member].note(event, opening: opening)
  }

  /// Signs before a run would grow over its limits.
  private mutating func signBefore(_ event: Event, by member: Int, at place: Int) throws(PeerError) {
    let bytes = gossip.rooms.open[place].own[member].unsignedBytes + event.bodyBytes
    if gossip.rooms.open[place].own[member].unsigned >= Run.limitEvents || bytes > Run.limitBytes {
      try sign(member, at: place)
    }
  }

  /// The most events of one member in a room that no signature covers yet.
  package func unsignedEvents(in room: RoomID) -> Int {
    guard let at = gossip.rooms.place(of: room) else { return 0 }
    var most = 0
    for member in gossip.rooms.open[at].own.indices {
      most = max(most, gossip.rooms.open[at].own[member].unsigned)
    }
    return most
  }

  /// Signs every member's last event in a room, and with it everything before: all at one moment, because runs
  /// that end at different places would wait for each other (Docs/PROTOCOL.md §3.1).
  package mutating func sign(_ room: RoomID) throws(PeerError) {
    guard let at = gossip.rooms.place(of: room) else { return }
    for member in gossip.rooms.open[at].own.indices { try sign(member, at: at) }
  }

  private mutating func sign(_ member: Int, at place: Int) throws(PeerError) {
    guard gossip.rooms.open[place].own[member].unsigned > 0,
      let event = gossip.rooms.open[place].own[member].last
    else {
      return
    }
    let signature = keys.signers[member].sign(event.id)
    try PeerError.mapped { () throws(LogError) in
      try gossip.attach(signature, to: event.id, in: event.room)
    }
    gossip.rooms.open[place].own[member].noteSigned()
  }

  // MARK: - Durability

  // One sequence for whoever holds a core: `prepareCommit`, the store's commit, `markDurable`. Nothing is sent before.

  /// Signs what is not durable yet of a room, for the store.
  /// - Returns: `nil` when all is durable.
  package mutating func prepareCommit(_ room: RoomID) throws(PeerError) -> RoomChange? {
    try sign(room)
    let durable = gossip.durable(room)
    return gossip.rooms.withLog(of: room) { log in
      log.graph.count > durable ? RoomChange(log, from: durable) : nil
    } ?? nil
  }

  /// Whether all that is here of a room is durable.
  @_effects(readonly)
  package func isDurable(_ room: RoomID) -> Bool {
    gossip.rooms.withLog(of: room) { $0.entries.count } == gossip.durable(room)
  }

  /// Notes that the store has made a change durable: its events are offered to neighbours.
  package mutating func markDurable(_ change: RoomChange, at now: Tick = .start) {
    carryOut(gossip.markDurable(change.room, count: change.end, at: now))
    showInvited(change.room, at: now)
  }

  /// Whether events of others are taken in; not while there is no space to store them.
  package var takesIn: Bool {
    get { gossip.replica.takesIn }
    set { gossip.replica.takesIn = newValue }
  }

  /// Takes back what is not durable of rooms, because the store did not take it: nothing of it has left this process.
  /// They are shorter then, or gone.
  package mutating func revert(_ rooms: [RoomID], at now: Tick = .start) {
    for room in rooms {
      hosting.lookAgain(at: room)
      carryOut(gossip.revert(room, at: now))
      showInvited(room, at: now)
    }
    effects.forgetChanges(in: Set(rooms))
  }

  /// Shows a room of the invited to those whose invitation is durable.
  private mutating func showInvited(_ room: RoomID, at now: Tick) {
    guard let at = gossip.rooms.place(of: room),
      let shown = gossip.rooms.open[at].takeShown(catalog, seenBy: keys.ids)
    else { return }
    carryOut(gossip.setAccess(.invited(shown), of: room, at: now))
  }
}

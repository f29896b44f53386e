package import EventLog
package import Events

/// What the core tells its shell to do.
package enum Directive: Sendable {
  /// Send this.
  case send(Message, to: Neighbour)
  /// These events are new here, in causal order, and are to be made durable.
  case taken(RoomID, [Event])
  /// A neighbour needs a room that is not open: open it.
  case load(RoomID)
  /// The neighbour did what it must not: disconnect.
  case refuse(Neighbour, Refusal)
  /// A room is not taken in, because its edition is not known here: tell the user.
  case notTaken(RoomNotTaken)
}

/// Why a neighbour is refused.
package enum Refusal: Hashable, Sendable, CustomStringConvertible {
  /// It sent bytes that are no message.
  case malformed(FormatError)
  /// It sent events of a room that their author did not sign, or that cannot follow what they name.
  case broken(RoomID, LogError)
  /// It sent more than it may.
  case flood

  /// What happened.
  package var description: String {
    switch self {
    case .malformed(let error): "it sent what is not a message: \(error)"
    case .broken(let room, let error): "it sent what no honest peer sends, in room \(room.short): \(error)"
    case .flood: "it sent more than it may"
    }
  }
}

/// Replication of rooms between peers, as a value without input or output: what happens goes in, with the time;
/// directives come out.
///
/// How this peer stands with its neighbours is the `replica`'s; what they send is taken in here, when it is signed and
/// complete (`+Take`). Docs/PROTOCOL.md §7 is what this does.
package struct GossipCore: Sendable {
  package let scheme: any SignatureScheme
  let hasher: EventHasher
  /// What is here, and how it stands with the neighbours.
  package var replica: Replica
  /// What is asked of neighbours by ids, because runs wait for it.
  var fetches = Fetches()

  /// A core that holds nothing.
  /// - Parameter seed: where its salts and its choice of neighbours come from.
  package init(
    scheme: any SignatureScheme, hasher: EventHasher, settings: GossipSettings = .standard, seed: UInt64 = 0
  ) {
    self.scheme = scheme
    self.hasher = hasher
    replica = Replica(settings, seed: seed)
  }

  /// The peers whose keys are here.
  package var own: [PeerID] {
    get { replica.interest.own }
    set { replica.interest.own = newValue }
  }

  var settings: GossipSettings { replica.offers.settings }

  /// The rooms that are open, and what of them is offered to whom.
  package var offers: Offers {
    _read { yield replica.offers }
    _modify { yield &replica.offers }
  }
  /// The rooms that are open.
  package var rooms: RoomTable {
    _read { yield replica.offers.rooms }
    _modify { yield &replica.offers.rooms }
  }
  var directory: Directory {
    _read { yield replica.offers.directory }
  }
  /// The connections.
  var linkTable: LinkTable {
    _read { yield replica.offers.linkTable }
    _modify { yield &replica.offers.linkTable }
  }
  var links: [Link] {
    _read { yield replica.offers.linkTable.links }
    _modify { yield &replica.offers.linkTable.links }
  }

  /// The connections, in order.
  package var neighbours: [Neighbour] { links.map(\.neighbour) }
}

// MARK: - Rooms

extension GossipCore {
  /// How many of a room's events are durable.
  package func durable(_ room: RoomID) -> Int {
    rooms.place(of: room).map { rooms.open.span[$0].durable } ?? 0
  }

  /// Makes room for rooms and feeds that come.
  package mutating func reserve(rooms: Int, feeds: Int) { offers.reserve(rooms: rooms, feeds: feeds) }

  /// Offers a room that stays in the store until somebody wants of it.
  /// - Parameter tournament: of which it has games.
  package mutating func know(
    _ room: RoomID, _ access: Access, _ clock: VectorClock, of tournament: RoomID? = nil
  ) {
    if directory.number(of: room) == nil { offers.add(room, access, clock, of: tournament) }
  }

  /// Opens a room: with what the store holds of it, or empty, to be filled by neighbours.
  package mutating func open(_ log: RoomLog, durable: Int, at now: Tick) -> [Directive] {
    replica.offer(offers.open(log), through: durable, at: now)
    offers.serveDeferred(log.room, at: now)
    replica.askForMissed(of: log.room, at: now)
    return linkTable.takeDirectives()
  }

  /// Closes a room; it is still offered, and opened again when somebody wants of it.
  package mutating func close(_ room: RoomID) {
    if offers.close(room) { fetches.keep(of: room) { _ in false } }
  }

  /// Takes back what of a room is not durable. What others had sent of it comes again when it is asked for.
  package mutating func revert(_ room: RoomID, at now: Tick) -> [Directive] {
    guard let at = rooms.place(of: room) else { return [] }
    let (durable, entries) = (rooms.open.span[at].durable, rooms.open.span[at].log.entries)
    for entry in entries.dropFirst(durable) { replica.shares.takeBack(entry.event) }
    close(room)
    guard durable > 0 else { return [] }
    return open(RoomLog(room: room, restoring: entries.prefix(durable)), durable: durable, at: now)
  }

  /// Says who may hold a room of invited peers, when more are named; those who are here are shown it.
  package mutating func setAccess(_ access: Access, of room: RoomID, at now: Tick) -> [Directive] {
    guard let at = rooms.place(of: room), let number = rooms.open.span[at].number,
      directory.access(number) != access
    else {
      return []
    }
    offers.setAccess(access, of: number, members: rooms.open.span[at].feeds.compactMap { $0 }, at: now)
    offers.shareNews(of: at, naming: Array(rooms.open.span[at].names), isNew: true, at: now)
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// Takes an event made in this process. It is offered when it is signed and durable.
  package mutating func append(_ event: Event, signature: Signature? = nil) throws(LogError) {
    try rooms.open[rooms.addPlace(of: event.room)].log.append(event, signature: signature)
  }

  /// Notes this process's own signature over an event.
  package mutating func attach(_ signature: Signature, to event: EventID, in room: RoomID) throws(LogError) {
    guard let at = rooms.place(of: room) else { throw .unknownRoom(room.short) }
    try rooms.open[at].log.attach(signature, to: event)
  }

  /// Notes that a room's first `count` events are durable: what of them is signed is offered from now on.
  package mutating func markDurable(_ room: RoomID, count: Int, at now: Tick) -> [Directive] {
    guard let at = rooms.place(of: room) else { return [] }
    replica.offer(at, through: count, at: now)
    return linkTable.takeDirectives()
  }
}

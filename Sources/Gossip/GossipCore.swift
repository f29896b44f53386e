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
/// Two peers compare hashes of all that they may share (`+Compare`), ask each other for what they lack
/// (`+Request`), take it in when it is signed and complete (`+Take`), and tell each other of what is new
/// (`Offers`). Docs/PROTOCOL.md §7 is what this does.
package struct GossipCore: Sendable {
  package let scheme: any SignatureScheme
  let hasher: EventHasher
  /// The rooms that are open, and what of them is offered to whom.
  package var offers: Offers
  /// What is asked of neighbours by feeds, and by ids.
  var requests = Requests()
  var fetches = Fetches()
  /// What this peer wants, and what it does not take in.
  var interest = OwnInterest()
  var unwanted = UnwantedRooms()
  /// How much of whom is here.
  var shares = StoredShares()
  /// Whether events of others are asked for and taken in; not while there is no space to store them.
  package var takesIn = true {
    didSet { if !takesIn { requests = Requests() } }
  }
  /// Whether this peer knows how far its own feeds go.
  var watch: OwnFeedWatch
  /// When a neighbour is compared with next.
  var compareAt: Tick?
  /// When something was done last.
  package internal(set) var lastAct = Tick.start

  /// A core that holds nothing.
  /// - Parameter seed: where its salts and its choice of neighbours come from.
  package init(
    scheme: any SignatureScheme, hasher: EventHasher, settings: GossipSettings = .standard, seed: UInt64 = 0
  ) {
    self.scheme = scheme
    self.hasher = hasher
    offers = Offers(settings, draws: Draws(seed: seed))
    watch = OwnFeedWatch(settings)
  }

  /// The peers whose keys are here.
  package var own: [PeerID] {
    get { interest.own }
    set { interest.own = newValue }
  }

  var settings: GossipSettings { offers.settings }

  /// The rooms that are open.
  package var rooms: RoomTable {
    _read { yield offers.rooms }
    _modify { yield &offers.rooms }
  }

  /// All that is offered.
  var directory: Directory {
    _read { yield offers.directory }
  }

  /// The connections.
  var linkTable: LinkTable {
    _read { yield offers.linkTable }
    _modify { yield &offers.linkTable }
  }
  var links: [Link] {
    _read { yield offers.linkTable.links }
    _modify { yield &offers.linkTable.links }
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
    offer(offers.open(log), through: durable, at: now)
    offers.serveDeferred(log.room, at: now)
    askForMissed(of: log.room, at: now)
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
    for entry in entries.dropFirst(durable) { shares.takeBack(entry.event) }
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
    offer(at, through: count, at: now)
    return linkTable.takeDirectives()
  }
}

// MARK: - Offering

extension GossipCore {
  /// Brings the directory up to what is durable, and tells the neighbours.
  private mutating func offer(_ at: Int, through count: Int, at now: Tick) {
    let before = rooms.open.span[at].durable
    let count = min(count, rooms.open.span[at].log.graph.events.count)
    guard count > before else { return }
    rooms.open[at].durable = count
    var changed: [(feed: UInt32, before: UInt64, isGathered: Bool)] = []
    let (isHost, isNew) = (
      rooms.open.span[at].isHosted(by: interest.own),
      rooms.open.span[at].number.flatMap(directory.access) == nil
    )
    var authors: [PeerID] = []
    for feed in rooms.open.span[at].touchedFeeds(from: before) {
      guard let change = offers.offerFeed(feed, at) else { continue }
      let author = rooms.open.span[at].log.graph.author(ofFeed: feed)
      changed.append((change.feed, change.before, isHost && !own.contains(author)))
      if change.before == 0 { authors.append(author) }
    }
    // What is here is not unwanted any more.
    if isNew, rooms.open.span[at].number != nil { unwanted.release(rooms.open.span[at].id) }
    let names = offers.note(at, authors, since: before, isNew: isNew)
    if let create = rooms.open.span[at].create {
      interest.noteTournament(rooms.open.span[at].id, create, naming: names)
    }
    if isNew || !names.isEmpty, offers.isLimited {
      offers.shareNews(of: at, naming: names, isNew: isNew, at: now)
    }
    for (feed, sequence, isGathered) in changed {
      offers.noteNews(feed, before: sequence, isGathered: isGathered, at: now)
    }
    offers.tellAtOnce(at: now)
  }
}

extension Access {
  /// Who may hold a room by its `create` alone.
  package init(_ create: Create, by creator: PeerID) {
    switch create.scope {
    case .open: self = .open
    case .local: self = .local
    case .invited: self = .invited([creator, create.referee].filter(\.isSome).sorted())
    }
  }
}

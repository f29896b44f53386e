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
/// (`+Request`, `+Serve`), take it in when it is signed and complete (`+Take`), and tell each other of what is new
/// (`+Tell`). Only what is durable and signed is ever offered. Docs/PROTOCOL.md §7 is what this does.
package struct GossipCore: Sendable {
  package let scheme: any SignatureScheme
  let hasher: EventHasher
  let settings: GossipSettings
  /// The peers whose keys are here.
  package var own: [PeerID] = [] {
    didSet { isInterestStale = isInterestStale || own != oldValue }
  }
  var directory = Directory()
  /// The rooms that are open.
  package var rooms: [Room] = []
  /// Where each room lies in `rooms`: elements of an array are changed where they are.
  private var places: [RoomID: Int] = [:]
  /// Connections, by their numbers.
  var links: [Link] = []
  var memories: [(peer: PeerID, memory: Link.Memory)] = []
  var requests = Requests()
  /// What is asked of whom when the message at hand was looked through.
  var wants: [(neighbour: Neighbour, want: Want)] = []
  /// In which rooms runs of whom wait for other events.
  var waiting: [Fetching] = []
  /// How many bytes came to wait since it was looked how many wait in all rooms.
  var waitedBytes = 0
  /// Open rooms without their `create`, oldest first.
  var nascent: [RoomID] = []
  /// Rooms of which all was sent that a neighbour wanted, or all came that was asked for, or cannot any more.
  var unneeded: [RoomID] = []
  /// Rooms of which something came while they were not open.
  var missed: Set<RoomID> = []
  /// Bytes of others' events here, by author.
  var storedBytes: [PeerID: Int] = [:]
  /// Feeds of authors who have used up what they may store here.
  var barred: Set<UInt64> = []
  /// Feeds of strangers for which their rooms have no place.
  var crowdedOut: [UInt64: RoomID] = [:]
  /// Whether events of others are asked for and taken in; not while there is no space to store them.
  package var takesIn = true {
    didSet { if !takesIn { requests = Requests() } }
  }
  /// Rooms of editions that are not known here, which are not taken in.
  var notTaken = RoomsNotTaken()
  /// Rooms that were forgotten here.
  var forgotten = ForgottenRooms()
  /// Peers whose rooms are not taken in.
  package internal(set) var blocked: Set<PeerID> = []
  /// The rooms that somebody here asked for by their ids.
  var askedFor: [RoomPrefix] = []
  /// When a link may be taken out of those that carry pushes.
  var pruneAt = Tick.start
  /// When a neighbour is compared with next.
  var compareAt: Tick?
  /// What this peer wants besides its own rooms and those that were asked for; `nil` for everything.
  var subscription: Interest?
  /// Whether what is wanted has changed since the neighbours were told, and when that was.
  var isInterestStale = false
  var interestToldAt: Tick?
  /// Which rooms name whom, the games that can be joined, and the tournaments in which this peer takes part.
  var index = RoomIndex()
  var openGames = OpenGames()
  var ownTournaments: [RoomID] = []
  package internal(set) var recovery = Recovery.none
  var attention = Attention.none
  /// When something was done last.
  package internal(set) var lastAct = Tick.start
  /// When it is looked whether recovery has ended.
  var recoveryCheckAt: Tick?
  var out: [Directive] = []
  private let seed: UInt64
  private var drawn: UInt64 = 0

  /// What is asked for by id in a room because runs of one giver wait for it: whom it was asked of last, and when it
  /// is asked for again.
  struct Fetching: Sendable {
    let room: RoomID
    /// Nobody, when the giver is gone.
    var giver: Neighbour?
    var asked: Neighbour?
    var due: Tick
    var tries = 0
  }

  /// Whether this peer knows how far its own feeds go.
  package enum Recovery: Hashable, Sendable {
    /// It does.
    case none
    /// It asks its neighbours, since this moment.
    case asking(since: Tick)
    /// Nobody could be asked so far.
    case alone(since: Tick)
  }

  /// A core that holds nothing.
  /// - Parameter seed: where its salts and its choice of neighbours come from.
  package init(
    scheme: any SignatureScheme, hasher: EventHasher, settings: GossipSettings = .standard, seed: UInt64 = 0
  ) {
    self.scheme = scheme
    self.hasher = hasher
    self.settings = settings
    self.seed = seed
  }

  /// A number that nobody else foresees.
  mutating func draw() -> UInt64 {
    drawn += 1
    var hash = Blake2b(domain: "parlor-draws-1")
    hash.update(bigEndian: seed)
    hash.update(bigEndian: drawn)
    return hash.digest().prefix64
  }

  mutating func takeDirectives() -> [Directive] {
    defer { out = [] }
    return out
  }

  /// The connections, in order.
  package var neighbours: [Neighbour] { links.map(\.neighbour) }

  /// Where a connection lies in `links`, whose numbers ascend.
  func link(_ neighbour: Neighbour) -> Int? {
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].neighbour < neighbour { low = middle + 1 } else { high = middle }
    }
    return low < links.count && links[low].neighbour == neighbour ? low : nil
  }

  mutating func send(_ message: Message, to link: Int) {
    out.append(.send(message, to: links[link].neighbour))
  }
}

// MARK: - Rooms

extension GossipCore {
  /// The events of a room that is open.
  package func log(of room: RoomID) -> RoomLog? { place(of: room).map { rooms[$0].log } }

  /// Calls `body` with the events of a room that is open.
  package func withLog<Result>(of room: RoomID, _ body: (borrowing RoomLog) -> Result) -> Result? {
    // A closure here would copy the log, and so would an element of the array: those of a span are lent.
    guard let at = place(of: room) else { return nil }
    return body(rooms.span[at].log)
  }

  /// How many of a room's events are durable.
  package func durable(_ room: RoomID) -> Int { place(of: room).map { rooms[$0].durable } ?? 0 }

  /// Where a room lies in `rooms`. The newest one is looked at first: who plays at one table has no other.
  package func place(of room: RoomID) -> Int? {
    if let last = rooms.indices.last, rooms[last].id == room { return last }
    return places[room]
  }

  mutating func addPlace(of room: RoomID) -> Int {
    if let at = place(of: room) { return at }
    rooms.append(Room(log: RoomLog(room: room)))
    places[room] = rooms.count - 1
    return rooms.count - 1
  }

  /// Makes room for rooms and feeds that come.
  package mutating func reserve(rooms: Int, feeds: Int) { directory.reserve(rooms: rooms, feeds: feeds) }

  /// Offers a room that stays in the store until somebody wants of it.
  /// - Parameter tournament: of which it has games.
  package mutating func know(
    _ room: RoomID, _ access: Access, _ clock: VectorClock, of tournament: RoomID? = nil
  ) {
    guard directory.number(of: room) == nil else { return }
    let number = directory.add(room)
    directory.setAccess(access, of: number, members: [])
    if let tournament { index.add(number, of: tournament) }
    for entry in clock.entries {
      index.add(number, naming: entry.author.bytes.prefix64)
      _ = directory.addFeed(of: entry.author, room: number, entry: entry)
    }
  }

  /// Opens a room: with what the store holds of it, or empty, to be filled by neighbours.
  package mutating func open(_ log: RoomLog, durable: Int, at now: Tick) -> [Directive] {
    let at = addPlace(of: log.room)
    rooms[at] = Room(log: log, number: directory.number(of: log.room))
    adoptKnownFeeds(at)
    offer(at, through: durable, at: now)
    serveDeferred(log.room, at: now)
    askForMissed(of: log.room, at: now)
    return takeDirectives()
  }

  /// Finds the feeds of a room that was offered from the store.
  private mutating func adoptKnownFeeds(_ at: Int) {
    guard rooms[at].number != nil else { return }
    let room = rooms[at].log.room
    var known: [UInt64: UInt32] = [:]
    for feed in directory.feeds(of: room).reversed() { known[directory.feeds[Int(feed)].key] = feed }
    rooms[at].feeds = rooms[at].log.graph.feeds.map { known[Feed.key(room: room, author: $0.author)] }
  }

  /// Closes a room; it is still offered, and opened again when somebody wants of it.
  package mutating func close(_ room: RoomID) {
    guard let at = places.removeValue(forKey: room) else { return }
    openGames.remove(room, by: rooms[at].log.membership.creator)
    rooms.swapAt(at, rooms.count - 1)
    rooms.removeLast()
    if at < rooms.count { places[rooms[at].id] = at }
    for link in links.indices { links[link].servings.removeAll { $0.room == room } }
    nascent.removeAll { $0 == room }
    waiting.removeAll { $0.room == room }
  }

  /// Takes back what of a room is not durable. What others had sent of it comes again when it is asked for.
  package mutating func revert(_ room: RoomID, at now: Tick) -> [Directive] {
    guard let at = place(of: room) else { return [] }
    let (durable, entries) = (rooms[at].durable, rooms[at].log.entries)
    for entry in entries.dropFirst(durable) {
      guard let bytes = storedBytes[entry.event.author] else { continue }
      storedBytes[entry.event.author] = max(0, bytes - entry.event.bodyBytes)
    }
    close(room)
    guard durable > 0 else { return [] }
    return open(RoomLog(room: room, restoring: entries.prefix(durable)), durable: durable, at: now)
  }

  /// Says who may hold a room of invited peers, when more are named; those who are here are shown it.
  package mutating func setAccess(_ access: Access, of room: RoomID, at now: Tick) -> [Directive] {
    guard let at = place(of: room), let number = rooms[at].number, directory.access(number) != access else {
      return []
    }
    let before = links.map { directory.isShown(number, to: $0.circles) }
    let feeds = rooms[at].feeds.compactMap { $0 }
    directory.setAccess(access, of: number, members: feeds)
    // To those who see the room only now all of it is new, whatever was equal before.
    let keys = feeds.map { directory.feeds[Int($0)].key }
    for link in links.indices where !before[link] && directory.isShown(number, to: links[link].circles) {
      for key in keys { links[link].noteChange(key, from: 0) }
      links[link].compareAt = now
    }
    for at in memories.indices { for key in keys { memories[at].memory.noteChange(key, from: 0) } }
    shareNews(at, naming: Array(rooms[at].names), isNew: true, at: now)
    act(at: now)
    return takeDirectives()
  }

  /// Takes an event made in this process. It is offered when it is signed and durable.
  package mutating func append(_ event: Event, signature: Signature? = nil) throws(LogError) {
    try rooms[addPlace(of: event.room)].log.append(event, signature: signature)
  }

  /// Notes this process's own signature over an event.
  package mutating func attach(_ signature: Signature, to event: EventID, in room: RoomID) throws(LogError) {
    guard let at = place(of: room) else { throw .unknownRoom(room.short) }
    try rooms[at].log.attach(signature, to: event)
  }

  /// Notes that a room's first `count` events are durable: what of them is signed is offered from now on.
  package mutating func markDurable(_ room: RoomID, count: Int, at now: Tick) -> [Directive] {
    guard let at = place(of: room) else { return [] }
    offer(at, through: count, at: now)
    return takeDirectives()
  }
}

// MARK: - Offering

extension GossipCore {
  /// Brings the directory up to what is durable, and tells the neighbours.
  private mutating func offer(_ at: Int, through count: Int, at now: Tick) {
    let before = rooms[at].durable
    let count = min(count, rooms[at].log.graph.events.count)
    guard count > before else { return }
    rooms[at].durable = count
    var changed: [(feed: UInt32, before: UInt64, isGathered: Bool)] = []
    let (isHost, isNew) = (isHost(at), rooms[at].number.flatMap(directory.access) == nil)
    var authors: [PeerID] = []
    for feed in touchedFeeds(at, from: before) {
      guard let change = offerFeed(feed, at) else { continue }
      let author = rooms[at].log.feeds[feed].author
      changed.append((change.feed, change.before, isHost && !own.contains(author)))
      if change.before == 0 { authors.append(author) }
    }
    let names = noteFacts(at, authors, since: before, isNew: isNew)
    if isNew || !names.isEmpty { shareNews(at, naming: names, isNew: isNew, at: now) }
    for (feed, sequence, isGathered) in changed {
      noteNews(feed, before: sequence, isGathered: isGathered, at: now)
    }
    tellAtOnce(at: now)
  }

  /// Whether the host of a room of hosted rounds is of this process: what its players say is gathered here.
  private func isHost(_ at: Int) -> Bool {
    rooms[at].log.membership.isHosted && own.contains(rooms[at].log.membership.creator)
  }

  /// The feeds, by number, that have events from this position on.
  private func touchedFeeds(_ at: Int, from position: Int) -> [Int] {
    let log = rooms[at].log
    if log.graph.feeds.count <= log.graph.events.count - position { return Array(log.graph.feeds.indices) }
    var touched = Set(log.graph.events[position...].compactMap { log.number(of: $0.author) })
    for feed in min(rooms[at].feeds.count, log.graph.feeds.count)..<log.graph.feeds.count {
      touched.insert(feed)
    }
    return touched.sorted()
  }

  private mutating func offerFeed(_ number: Int, _ at: Int) -> (feed: UInt32, before: UInt64)? {
    while rooms[at].feeds.count <= number { rooms[at].feeds.append(nil) }
    guard let entry = entry(of: number, at) else { return nil }
    guard let known = rooms[at].feeds[number] else {
      guard let room = offeredRoom(at) else { return nil }
      let feed = directory.addFeed(of: entry.author, room: room, entry: entry)
      rooms[at].feeds[number] = feed
      noteNewFeed(feed)
      return (feed, 0)
    }
    let before = directory.feeds[Int(known)]
    guard entry.isForked != before.isForked || entry.sequence != before.sequence else { return nil }
    directory.set(known, entry)
    for link in links.indices { links[link].narrow?.touch(before.key) }
    return (known, min(before.sequence, entry.isForked ? entry.sequence - 1 : .max))
  }

  /// The number in the directory of a room whose `create` is durable.
  private mutating func offeredRoom(_ at: Int) -> Int? {
    if let number = rooms[at].number, directory.access(number) != nil { return number }
    guard let first = rooms[at].log.graph.events.first, case .create(let create) = first.action else {
      return nil
    }
    let number = directory.add(rooms[at].log.room)
    rooms[at].number = number
    noteTaken(rooms[at].log.room)
    directory.setAccess(Access(create, by: first.author), of: number, members: [])
    return number
  }

  /// A feed's clock entry, as far as it is durable and signed.
  private func entry(of number: Int, _ at: Int) -> VectorClock.Entry? {
    let log = rooms[at].log
    let feed = log.graph.feeds[number]
    if let fork = feed.forkSequence, isProofDurable(feed, at) {
      return .init(author: feed.author, sequence: fork, head: .none, isForked: true)
    }
    var through = Int(log.verifiedThrough(number))
    while through > 0, feed.positions[through - 1] >= rooms[at].durable { through -= 1 }
    while through > 0, log.signature(at: feed.positions[through - 1]) == nil { through -= 1 }
    guard through > 0, through <= Feed.limitSequence else { return nil }
    return .init(
      author: feed.author, sequence: UInt64(through), head: log.graph.events[feed.positions[through - 1]].id)
  }

  /// Whether both branches of a fork are durable.
  private func isProofDurable(_ feed: CausalGraph.Feed, _ at: Int) -> Bool {
    guard let fork = feed.forkSequence, feed.positions.count >= fork else { return false }
    return feed.positions[Int(fork) - 1] < rooms[at].durable
      && feed.branches.contains { branch in branch.first.map { $0 < rooms[at].durable } ?? false }
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

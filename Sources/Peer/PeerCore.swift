package import EventLog
package import Events
package import Gossip
package import Projection
package import Rules

/// One peer as a value: its key, its copy of rooms, what they amount to, and what it writes.
///
/// No input or output: messages come in through `receive`, and what is to be sent lies in the outbox. People,
/// bots and organizers all act through this type; what a seat owes the protocol it does by `Duties`.
package struct PeerCore: Sendable {
  /// The key that signs.
  package let signer: any Signer
  private let catalog: GameCatalog
  private let hasher: EventHasher
  private let now: @Sendable () -> UInt64
  private var gossip: GossipCore
  private var projections: [RoomID: RoomProjection] = [:]
  private var writing: [RoomID: Writing] = [:]
  /// Messages to send, in order.
  package private(set) var outbox: [(message: Message, to: Neighbour)] = []
  /// Neighbours that sent what they must not, with the reason.
  package private(set) var refused: [(neighbour: Neighbour, error: LogError)] = []

  /// What this peer knows of its own feed in a room.
  private struct Writing {
    /// The own event written last in this process.
    var last = EventID.none
    /// How much of each feed is in that event's past.
    var cited: [PeerID: UInt64] = [:]
    /// Own events since the last signature, and their bytes.
    var unsigned = 0
    var unsignedBytes = 0
    /// How many entries of the log have been made durable.
    var durable = 0
  }

  /// A peer that holds nothing yet.
  /// - Parameter now: milliseconds since 1970, for people to read in events.
  package init(
    signer: any Signer, network: NetworkID, catalog: GameCatalog, scheme: any SignatureScheme,
    now: @escaping @Sendable () -> UInt64
  ) {
    self.signer = signer
    self.catalog = catalog
    self.now = now
    hasher = EventHasher(network: network)
    gossip = GossipCore(scheme: scheme)
  }

  /// This peer's public key.
  package var id: PeerID { signer.peer }

  /// The events of a room.
  package func log(of room: RoomID) -> RoomLog? { gossip.logs[room] }

  /// What a room amounts to; `nil` while its `create` is not here.
  package mutating func state(of room: RoomID) -> RoomState? { projections[room]?.state }

  /// The hash of what a room amounts to.
  package mutating func digest(of room: RoomID) -> Digest? { projections[room]?.digest() }

  // MARK: - Rooms and neighbours

  /// Creates a room.
  package mutating func create(_ create: Create) throws(PeerError) -> RoomID {
    let event = try Self.mapped { () throws(FormatError) in
      try Event.author(
        .create(create), room: .none, author: id, sequence: 1, previous: .none, parents: [], wallTime: now(),
        hasher: hasher)
    }
    try take(event)
    return event.id
  }

  /// Starts to hold a room: from a log, or empty, to be filled by neighbours.
  package mutating func open(_ log: RoomLog, isDurable: Bool) {
    let directives = gossip.open(log)
    writing[log.room] = Writing(durable: isDurable ? log.entries.count : 0)
    projections[log.room] = nil
    apply(log.entries.map(\.event), to: log.room)
    carryOut(directives)
  }

  /// The highest sequence of each feed in an event's past.
  private static func past(of position: Int, in log: RoomLog) -> [PeerID: UInt64] {
    var highest: [PeerID: UInt64] = [:]
    var seen: Set<Int> = [position]
    var stack = [position]
    while let next = stack.popLast() {
      let event = log.entries[next].event
      highest[event.author] = max(highest[event.author] ?? 0, event.sequence)
      for id in event.parents + [event.previous] {
        if let before = log.position(of: id), seen.insert(before).inserted { stack.append(before) }
      }
    }
    return highest
  }

  /// Stops holding a room.
  package mutating func close(_ room: RoomID) {
    gossip.close(room)
    projections[room] = nil
    writing[room] = nil
  }

  /// A connection stands.
  package mutating func connect(_ neighbour: Neighbour, kind: GossipCore.Kind) {
    carryOut(gossip.connect(neighbour, kind: kind))
  }

  /// Takes a message.
  package mutating func receive(_ message: Message, from neighbour: Neighbour) {
    carryOut(gossip.receive(message, from: neighbour))
  }

  /// Takes the outbox's messages.
  package mutating func takeOutbox() -> [(message: Message, to: Neighbour)] {
    defer { outbox.removeAll(keepingCapacity: true) }
    return outbox
  }

  private mutating func carryOut(_ directives: [Directive]) {
    for directive in directives {
      switch directive {
      case .send(let message, let neighbour): outbox.append((message, neighbour))
      case .taken(let room, let events): apply(events, to: room)
      case .disconnect(let neighbour, let error):
        gossip.disconnect(neighbour)
        refused.append((neighbour, error))
      }
    }
  }

  private mutating func apply(_ events: [Event], to room: RoomID) {
    for event in events {
      if projections[room] == nil {
        projections[room] = RoomProjection(create: event, catalog: catalog)
      } else {
        projections[room]?.apply(event)
      }
    }
  }

  // MARK: - Writing

  /// Writes an event of this peer into a room. It is signed later, by `sign`.
  /// - Parameter citing: events it must name among its parents.
  package mutating func write(
    _ action: Action, in room: RoomID, citing: [EventID] = []
  ) throws(PeerError) -> Event {
    guard let log = gossip.logs[room] else { throw .unknownRoom(room) }
    let own = log.feed(id)
    guard own?.forkSequence == nil else {
      throw .notAllowed("this peer's feed in the room is forked; it can write nothing more there")
    }
    let previous = own?.positions.last.map { log.entries[$0].event }
    if let previous, writing[room]?.last != previous.id, let position = own?.positions.last {
      writing[room, default: Writing()].cited = Self.past(of: position, in: log)
    }
    let parents = newlySeen(in: log, citing: citing)
    let event = try Self.mapped { () throws(FormatError) in
      try Event.author(
        action, room: room, author: id, sequence: (previous?.sequence ?? 0) + 1,
        previous: previous?.id ?? .none,
        parents: parents, wallTime: now(), hasher: hasher)
    }
    try signBefore(event, in: room)
    try take(event)
    return event
  }

  /// Heads of other feeds that this peer's events have not cited yet, the required ones first, at most 32.
  private mutating func newlySeen(in log: RoomLog, citing: [EventID]) -> [EventID] {
    var parents = citing.filter { id in
      log.position(of: id).map { log.entries[$0].event.author != self.id } ?? false
    }
    for feed in log.feeds where feed.author != id && parents.count < Event.limitParents {
      // Of a forked feed nothing beyond the fork is cited, or it would be anchored.
      let through = feed.forkSequence.map { $0 - 1 } ?? feed.last
      guard through > writing[log.room]?.cited[feed.author] ?? 0,
        let event = log.event(of: feed.author, at: through)
      else { continue }
      if !parents.contains(event.id) { parents.append(event.id) }
      writing[log.room, default: Writing()].cited[feed.author] = event.sequence
    }
    return Array(parents.prefix(Event.limitParents))
  }

  private mutating func take(_ event: Event) throws(PeerError) {
    let directives = try Self.mapped { () throws(LogError) in try gossip.append(event) }
    writing[event.room, default: Writing()].last = event.id
    writing[event.room]?.unsigned += 1
    writing[event.room]?.unsignedBytes += event.body.count
    apply([event], to: event.room)
    carryOut(directives)
  }

  /// Signs before a run would grow over its limits.
  private mutating func signBefore(_ event: Event, in room: RoomID) throws(PeerError) {
    guard let state = writing[room] else { return }
    if state.unsigned >= Run.limitEvents || state.unsignedBytes + event.body.count > Run.limitBytes {
      try sign(room)
    }
  }

  /// How many of this peer's events in a room no signature covers yet.
  package func unsignedEvents(in room: RoomID) -> Int { writing[room]?.unsigned ?? 0 }

  /// Signs this peer's last event in a room, and with it everything before.
  package mutating func sign(_ room: RoomID) throws(PeerError) {
    guard writing[room]?.unsigned ?? 0 > 0, let log = gossip.logs[room],
      let last = log.feed(id)?.positions.last
    else { return }
    let event = log.entries[last].event
    let signature = signer.sign(event.id)
    let directives = try Self.mapped { () throws(LogError) in
      try gossip.attach(signature, to: event.id, in: room)
    }
    writing[room]?.unsigned = 0
    writing[room]?.unsignedBytes = 0
    carryOut(directives)
  }

  // MARK: - Durability

  /// What is not durable yet of a room, to be handed to the store; every feed's part must end signed.
  package func pending(_ room: RoomID) -> RoomChange? {
    guard let log = gossip.logs[room], let durable = writing[room]?.durable, log.entries.count > durable
    else {
      return nil
    }
    return RoomChange(room: room, base: durable, entries: Array(log.entries[durable...]))
  }

  /// Notes that the first `count` entries of a room are durable.
  package mutating func markDurable(_ room: RoomID, count: Int) { writing[room]?.durable = count }

  private static func mapped<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(PeerError) -> Value {
    do throws(Failure) { return try body() } catch { throw .log(error.description) }
  }
}

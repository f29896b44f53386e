package import Events

/// The events of one room in memory, in causal order, with their signatures: the rules of appending.
///
/// The log only grows. An event is here when its previous and all its parents are, so every prefix of
/// `entries` is closed under “happened before”. Two ways lead in: `append` for events made in this process,
/// which may still be unsigned, and `receive` for runs from others, which are checked first.
package struct RoomLog: Sendable {
  /// One event with its signature, if it has one of its own.
  package struct Entry: Sendable {
    package let event: Event
    package internal(set) var signature: Signature?

    package init(event: Event, signature: Signature?) {
      self.event = event
      self.signature = signature
    }
  }

  /// The room; its `create` is the first entry.
  package let room: RoomID
  /// Events in the order in which they were taken in, which is a causal order, and how they stand to each other.
  package private(set) var graph: CausalGraph
  /// The signature over each event, where it has one of its own.
  private var signatures: [Signature?] = []
  /// For each feed, by its number, the last sequence that a checked signature covers.
  private var verified: [UInt64] = []
  /// Verified runs that wait for previous or parents.
  package internal(set) var waitingRoom = WaitingRoom()
  /// When it is looked through them.
  var release = Release()
  /// Events that had waited and can never be taken in, with the reasons.
  var refused: [EventID: LogError] = [:]
  /// Who is a member of the room, and whom its events name.
  package private(set) var membership = Membership()
  /// What the events count for whose authors were no members when they wrote them: their bodies, and
  /// `strangersEventBytes` for each.
  package private(set) var strangersBytes = 0

  /// What a stranger's event counts for besides its body: its id, signature, place and index.
  package static let strangersEventBytes = 256

  /// An empty log of a room, with room for `capacity` events.
  package init(room: RoomID, capacity: Int = 0) {
    self.room = room
    signatures.reserveCapacity(capacity)
    graph = CausalGraph(capacity: capacity)
  }

  /// The log of entries that were checked before, in a causal order.
  package init(room: RoomID, restoring entries: some Collection<Entry>) {
    self.init(room: room, capacity: entries.count)
    for entry in entries { restore(entry.event, signature: entry.signature) }
  }

  /// The events with their signatures, in the order in which they were taken in.
  package var entries: Entries { Entries(graph.events, signatures) }

  /// The events, in the same order.
  package var events: [Event] { graph.events }

  /// The signature of its own over the event at a position.
  package func signature(at position: Int) -> Signature? { signatures[position] }

  /// Lends the graph to somebody for as long as `body` takes: nothing is copied, as it would be to hand it out.
  package mutating func lendGraph<Borrower>(
    to borrower: inout Borrower, _ body: (inout CausalGraph, inout Borrower) -> Void
  ) {
    body(&graph, &borrower)
  }

  /// Feeds, in the order of their first events here.
  package var feeds: [CausalGraph.Feed] { graph.feeds }

  /// The last sequence of a feed, by its number, that a checked signature covers.
  package func verifiedThrough(_ feed: Int) -> UInt64 { verified[feed] }

  /// The last sequence of an author's feed that a checked signature covers.
  package func verifiedThrough(of author: PeerID) -> UInt64 { number(of: author).map(verifiedThrough) ?? 0 }

  /// The feed of an author.
  @_effects(readonly)
  package func feed(_ author: PeerID) -> CausalGraph.Feed? { graph.feed(of: author) }

  /// The number of an author's feed in `feeds`.
  package func number(of author: PeerID) -> Int? { graph.number(of: author) }

  /// Where an author's feed ends here: at no event when there is none.
  package struct Head: Sendable {
    package let position: Int?
    package let event: Event?
    package let isForked: Bool
  }

  /// The head of an author's feed.
  package func head(of author: PeerID) -> Head {
    guard let feed = number(of: author) else { return Head(position: nil, event: nil, isForked: false) }
    let position = graph.end(ofFeed: feed)
    return Head(
      position: position, event: position.map { graph.events[$0] }, isForked: graph.isForked(feed: feed))
  }

  /// The position of the last event of an author's feed.
  func lastPosition(of author: PeerID) -> Int? {
    number(of: author).flatMap { graph.end(ofFeed: $0) }
  }

  /// How many events the first branch of an author's feed has.
  package func length(of author: PeerID) -> UInt64 {
    number(of: author).map { graph.length(ofFeed: $0) } ?? 0
  }

  /// The position of an event.
  package func position(of id: EventID) -> Int? { graph.position(of: id) }

  /// An event's place in its author's feed.
  package func sequence(of id: EventID) -> UInt64? { position(of: id).map { graph.sequence($0) } }

  /// Whether an author has written an event like this; the newest ones are looked at first.
  package func hasWritten(_ author: PeerID, _ isIt: (borrowing Event) -> Bool) -> Bool {
    guard let number = number(of: author) else { return false }
    let events = graph.events.span
    for position in graph.feeds[number].positions.reversed() where isIt(events[position]) { return true }
    return false
  }

  /// Whether the event is here.
  package func contains(_ id: EventID) -> Bool { position(of: id) != nil }

  /// The event at a sequence of the first branch of a feed.
  package func event(of author: PeerID, at sequence: UInt64) -> Event? {
    guard let feed = feed(author), sequence >= 1, sequence <= feed.last else { return nil }
    return graph.events[feed.positions[Int(sequence) - 1]]
  }

  /// What is held: one clock entry per feed.
  package var clock: VectorClock {
    VectorClock(
      feeds.map { feed in
        if let fork = feed.forkSequence {
          return .init(author: feed.author, sequence: fork, head: .none, isForked: true)
        }
        let head = feed.positions.last.map { graph.events[$0].id } ?? .none
        return .init(author: feed.author, sequence: feed.last, head: head)
      })
  }

  /// Takes an event made in this process, signed or not yet.
  /// - Throws: when it does not follow the author's last event here, or names events that are not here.
  package mutating func append(_ event: Event, signature: Signature? = nil) throws(LogError) {
    guard event.room == room else { throw .wrongRoom(event.id) }
    guard isNext(event) else {
      if contains(event.id) { return }
      throw .brokenChain(event.id, sequence: event.sequence)
    }
    add(event, try checkLinks(of: event), signature)
  }

  /// Takes an event that was checked before, with its run or when a store of this program's own took it: at the end of
  /// its feed, or on a branch of a fork.
  package mutating func restore(_ event: Event, signature: Signature?) {
    let (links, feed) = graph.restore(event)
    note(event, links, signature, feed)
  }

  /// Takes an entry whose signature the caller vouches for: at the end of its feed, or on any branch of a fork.
  /// - Throws: when its chain does not link, or names events that are not here.
  package mutating func adopt(_ entry: Entry) throws(LogError) {
    guard entry.event.room == room else { throw .wrongRoom(entry.event.id) }
    guard !contains(entry.event.id) else { return }
    add(entry.event, try checkLinks(of: entry.event), entry.signature)
  }

  /// Notes the signature over an event that is here; the caller vouches for it.
  package mutating func attach(_ signature: Signature, to id: EventID) throws(LogError) {
    guard let position = position(of: id) else { throw .missing(id) }
    signatures[position] = signature
    let event = graph.events[position]
    if let feed = number(of: event.author) { noteVerified(event, at: position, of: feed) }
  }

  /// Notes that a signature covers an event and what is before it, where that is on the branch that came first.
  private mutating func noteVerified(_ event: Event, at position: Int, of feed: Int) {
    guard graph.feeds[feed].last >= event.sequence,
      graph.feeds[feed].positions[Int(event.sequence) - 1] == position
    else { return }
    verified[feed] = max(verified[feed], event.sequence)
  }

  /// Whether an event is the next of the first branch of its feed, or the first of a feed that is not here.
  private func isNext(_ event: Event) -> Bool {
    guard let feed = number(of: event.author), let last = graph.end(ofFeed: feed) else {
      return event.sequence == 1
    }
    return event.sequence == graph.length(ofFeed: feed) + 1 && event.previous == graph.events[last].id
  }

  /// What an event names.
  /// - Throws: unless previous and parents are here, the chain links, and it names only whom its author may name.
  private func checkLinks(of event: Event) throws(LogError) -> CausalGraph.Links {
    switch graph.linking(of: event) {
    case .whole(let links):
      guard membership.standing(of: event, links) != nil else { throw .misnamed(event.id) }
      return links
    case .missing(let id): throw .missing(id)
    case .broken: throw .brokenChain(event.id, sequence: event.sequence)
    }
  }

  private mutating func add(_ event: Event, _ links: CausalGraph.Links, _ signature: Signature?) {
    let feed = graph.add(event, links)
    note(event, links, signature, feed)
  }

  /// Notes what the last event of the graph is, and who vouches for it.
  private mutating func note(
    _ event: Event, _ links: CausalGraph.Links, _ signature: Signature?, _ feed: Int
  ) {
    let position = signatures.count
    signatures.append(signature)
    if feed == verified.count { verified.append(0) }
    membership.add(event, links, graph)
    if !isMembers(at: position) { strangersBytes += event.bodyBytes + Self.strangersEventBytes }
    if event.code == Kind.grant.rawValue, graph.end(ofFeed: feed) == position {
      membership.noteFirstBranch(grant: position)
    }
    if signature != nil { noteVerified(event, at: position, of: feed) }
  }
}

// MARK: - Entries

extension RoomLog {
  /// A log's events with their signatures.
  package struct Entries: RandomAccessCollection, Sendable {
    private let events: [Event]
    private let signatures: [Signature?]

    fileprivate init(_ events: [Event], _ signatures: [Signature?]) {
      self.events = events
      self.signatures = signatures
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { events.count }
    package subscript(position: Int) -> Entry {
      Entry(event: events[position], signature: signatures[position])
    }
  }
}

// MARK: - Members

extension RoomLog {
  /// Whether the author of the event at a position was a member when it wrote it.
  package func isMembers(at position: Int) -> Bool { membership.standing(at: position).isMembers }
}

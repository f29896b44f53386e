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

  /// One author's events here.
  package struct Feed: Sendable {
    package let author: PeerID
    /// Index in `entries` of the event at each sequence, from sequence 1; the branch that came first.
    package internal(set) var positions: [Int] = []
    /// The last sequence that a checked signature covers.
    package internal(set) var verifiedThrough: UInt64 = 0
    /// The lowest sequence at which branches differ.
    package internal(set) var forkSequence: UInt64?
    /// Other branches, each from its first differing event; indexes in `entries`.
    package internal(set) var branches: [[Int]] = []

    package init(author: PeerID) { self.author = author }

    /// The last sequence held.
    package var last: UInt64 { UInt64(positions.count) }

    /// The last event before branches differ, when it is after this sequence: its sequence, and its index in
    /// `entries`.
    package func lastBeforeFork(after sequence: UInt64) -> (sequence: UInt64, position: Int)? {
      // A damaged store may hold a branch that begins beyond the end.
      let through = min(forkSequence.map { $0 - 1 } ?? last, last)
      return through > sequence ? (through, positions[Int(through) - 1]) : nil
    }
  }

  /// The room; its `create` is the first entry.
  package let room: RoomID
  /// Events in the order in which they were taken in, which is a causal order.
  package internal(set) var entries: [Entry] = []
  /// Feeds, in the order of their first events here.
  package internal(set) var feeds: [Feed] = []
  /// Verified runs that wait for previous or parents.
  var waitingRoom = WaitingRoom()
  /// Events that had waited and can never be taken in, with the reasons.
  var refused: [EventID: LogError] = [:]
  /// Who is a member of the room, and whom its events name.
  package private(set) var membership = Membership()
  private var table: PositionTable
  private var numbers = FeedNumbers()

  /// An empty log of a room, with room for `capacity` events.
  package init(room: RoomID, capacity: Int = 0) {
    self.room = room
    entries.reserveCapacity(capacity)
    table = PositionTable(capacity: capacity)
  }

  /// Verified events that wait for previous or parents, in order of arrival.
  package var waiting: [Entry] { waitingRoom.entries }

  /// The most bytes that wait of one giver.
  package static let limitWaitingBytes = WaitingRoom.limitBytes

  /// How many bytes wait of the giver of most.
  package var waitingBytes: Int { waitingRoom.mostBytes }

  /// How many events wait.
  package var waitingEvents: Int { waitingRoom.count }

  /// Whether something waits that a giver gave.
  package func isWaiting(for giver: UInt32?) -> Bool { waitingRoom.bytes(of: giver) > 0 }

  /// The feed of an author.
  package func feed(_ author: PeerID) -> Feed? { number(of: author).map { feeds[$0] } }

  /// The number of an author's feed in `feeds`.
  package func number(of author: PeerID) -> Int? { numbers[author] }

  /// Where an author's feed ends here: at no event when there is none.
  package struct Head: Sendable {
    package let position: Int?
    package let event: Event?
    package let isForked: Bool
  }

  /// The head of an author's feed.
  package func head(of author: PeerID) -> Head {
    guard let feed = number(of: author) else { return Head(position: nil, event: nil, isForked: false) }
    let position = feeds[feed].positions.last
    return Head(
      position: position, event: position.map { entries[$0].event },
      isForked: feeds[feed].forkSequence != nil)
  }

  /// The position of an event in `entries`.
  package func position(of id: EventID) -> Int? { table.position(of: id, in: entries) }

  /// Whether the event is here.
  package func contains(_ id: EventID) -> Bool { position(of: id) != nil }

  /// The event at a sequence of the first branch of a feed.
  package func event(of author: PeerID, at sequence: UInt64) -> Event? {
    guard let feed = feed(author), sequence >= 1, sequence <= feed.last else { return nil }
    return entries[feed.positions[Int(sequence) - 1]].event
  }

  /// What is held: one clock entry per feed.
  package var clock: VectorClock {
    VectorClock(
      feeds.map { feed in
        if let fork = feed.forkSequence {
          return .init(author: feed.author, sequence: fork, head: .none, isForked: true)
        }
        let head = feed.positions.last.map { entries[$0].event.id } ?? .none
        return .init(author: feed.author, sequence: feed.last, head: head)
      })
  }

  /// Takes an event made in this process, signed or not yet.
  /// - Throws: when it does not follow the author's last event here, or names events that are not here.
  package mutating func append(_ event: Event, signature: Signature? = nil) throws(LogError) {
    guard event.room == room else { throw .wrongRoom(event.id) }
    let feed = number(of: event.author)
    guard isNext(event, of: feed) else {
      if contains(event.id) { return }
      throw .brokenChain(event.id, sequence: event.sequence)
    }
    for index in 0..<event.parentCount {
      let parent = event.parent(index)
      guard let at = position(of: parent) else { throw .missing(parent) }
      guard entries[at].event.author != event.author else {
        throw .brokenChain(event.id, sequence: event.sequence)
      }
    }
    if entries.isEmpty, event.id != room { throw .missing(room) }
    guard standing(of: event, after: standing(ofPreviousOf: event)) != nil else { throw .misnamed(event.id) }
    add(event, signature: signature, to: feed ?? addFeed(of: event.author))
  }

  /// Takes an event from a store of this program's own, which is trusted: nothing is checked.
  package mutating func restore(_ event: Event, signature: Signature?) {
    place(event, signature: signature)
  }

  /// Takes an entry whose signature the caller vouches for: at the end of its feed, or on any branch of a fork.
  /// - Throws: when its chain does not link, or names events that are not here.
  package mutating func adopt(_ entry: Entry) throws(LogError) {
    guard entry.event.room == room else { throw .wrongRoom(entry.event.id) }
    guard !contains(entry.event.id) else { return }
    try checkLinks(of: entry.event)
    place(entry.event, signature: entry.signature)
  }

  /// Notes the signature over an event that is here; the caller vouches for it.
  package mutating func attach(_ signature: Signature, to id: EventID) throws(LogError) {
    guard let position = position(of: id) else { throw .missing(id) }
    entries[position].signature = signature
    let event = entries[position].event
    guard let at = number(of: event.author) else { return }
    if feeds[at].positions.count >= event.sequence, feeds[at].positions[Int(event.sequence) - 1] == position {
      feeds[at].verifiedThrough = max(feeds[at].verifiedThrough, event.sequence)
    }
  }

  /// Whether an event is the next of the first branch of a feed, or the first of a feed that is not here.
  private func isNext(_ event: Event, of feed: Int?) -> Bool {
    guard let feed, let last = feeds[feed].positions.last else { return event.sequence == 1 }
    return event.sequence == feeds[feed].last + 1 && event.previous == entries[last].event.id
  }

  /// How an event's previous and parents stand to what is here.
  enum Link {
    /// All are here and the chain links.
    case whole
    /// This one is not here.
    case missing(EventID)
    /// The chain does not link, whatever may come.
    case broken
  }

  /// How an event links to what is here; `before` is a checked event of its feed that is about to be taken
  /// in.
  func link(of event: Event, after before: EventID? = nil) -> Link {
    var missing: EventID?
    if event.sequence > 1, event.previous != before {
      if let at = position(of: event.previous) {
        guard follows(event, entries[at].event) else { return .broken }
      } else {
        missing = event.previous
      }
    }
    for index in 0..<event.parentCount {
      let parent = event.parent(index)
      if let at = position(of: parent) {
        guard entries[at].event.author != event.author else { return .broken }
      } else {
        missing = missing ?? parent
      }
    }
    // The room's own event is the first one, so that there is nothing to look up.
    if event.id != room, entries.first?.event.id != room { missing = missing ?? room }
    return missing.map { .missing($0) } ?? .whole
  }

  /// Whether `event` may name `before` as its previous.
  func follows(_ event: Event, _ before: Event) -> Bool {
    before.author == event.author && before.sequence + 1 == event.sequence
  }

  /// Throws unless previous and parents are here, the chain links, and it names only whom its author may name.
  func checkLinks(of event: Event) throws(LogError) {
    switch link(of: event) {
    case .whole:
      guard standing(of: event, after: standing(ofPreviousOf: event)) != nil else {
        throw .misnamed(event.id)
      }
    case .missing(let id): throw .missing(id)
    case .broken: throw .brokenChain(event.id, sequence: event.sequence)
    }
  }

  /// Adds an event whose links hold: at the end of its feed, or on a branch of a fork.
  mutating func place(_ event: Event, signature: Signature?) {
    let feed = number(of: event.author) ?? addFeed(of: event.author)
    if isNext(event, of: feed) {
      add(event, signature: signature, to: feed)
    } else {
      let previous = event.sequence > 1 ? position(of: event.previous) : nil
      addToBranch(event, position: addEntry(event, signature, after: previous), feed: feed)
    }
  }

  /// Adds the next event of the first branch of a feed.
  private mutating func add(_ event: Event, signature: Signature?, to feed: Int) {
    let position = addEntry(event, signature, after: feeds[feed].positions.last)
    feeds[feed].positions.append(position)
    membership.noteFirstBranch(grant: position)
    if signature != nil { feeds[feed].verifiedThrough = event.sequence }
  }

  /// - Returns: the event's position.
  private mutating func addEntry(_ event: Event, _ signature: Signature?, after previous: Int?) -> Int {
    let position = entries.count
    if position == 0 {
      membership.begin(event.action, by: event.author)
    } else {
      note(event, after: previous)
    }
    entries.append(Entry(event: event, signature: signature))
    table.set(event.id, at: position, in: entries)
    return position
  }

  /// - Returns: the number of the new feed.
  private mutating func addFeed(of author: PeerID) -> Int {
    feeds.append(Feed(author: author))
    return numbers.add(author)
  }

  private mutating func addToBranch(_ event: Event, position: Int, feed at: Int) {
    let fork = feeds[at].forkSequence ?? event.sequence
    let known = feeds[at].branches.firstIndex {
      $0.last.map { entries[$0].event.id == event.previous } ?? false
    }
    if let known {
      feeds[at].branches[known].append(position)
    } else {
      feeds[at].branches.append([position])
      feeds[at].forkSequence = min(fork, event.sequence)
    }
  }
}

// MARK: - Members

extension RoomLog {
  /// What an event is by its own past, which is here but for what lies in the run before it.
  /// - Returns: `nil` when it names what its author may not name.
  func standing(of event: Event, after previous: Membership.Standing?) -> Membership.Standing? {
    if entries.isEmpty { return .create }
    return membership.standing(
      of: Membership.Subject(event), after: previous,
      parent: { position(of: event.parent($0)).map(membership.standing(at:)) },
      grantee: { position(of: event.parent($0)).flatMap(membership.grantee(at:)) })
  }

  /// What the author's event before is by its own past.
  func standing(ofPreviousOf event: Event) -> Membership.Standing? {
    event.sequence > 1 ? position(of: event.previous).map(membership.standing(at:)) : nil
  }

  /// Notes what an event is that may be here.
  private mutating func note(_ event: Event, after previous: Int?) {
    let subject = Membership.Subject(event)
    let standing = membership.trustedStanding(
      of: subject, after: previous.map(membership.standing(at:)),
      grantee: { position(of: event.parent($0)).flatMap(membership.grantee(at:)) })
    let request =
      standing.isCreators ? subject.request.flatMap { position(of: event.parent($0)) } : nil
    membership.add(standing, grantee: request.map { entries[$0].event.author })
  }

  /// Whether the author of the event at a position was a member when it wrote it.
  package func isMembers(at position: Int) -> Bool { membership.standing(at: position).isMembers }
}

extension PositionTable {
  /// Notes that the event of this id lies at a position, and at no earlier one in `entries`.
  mutating func set(_ id: EventID, at position: Int, in entries: [RoomLog.Entry]) {
    set(id, at: position) { entries[$0].event.id == id }
  }

  /// The position of an event in `entries`.
  func position(of id: EventID, in entries: [RoomLog.Entry]) -> Int? {
    position(of: id) { entries[$0].event.id == id }
  }
}

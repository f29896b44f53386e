package import EventLog
package import Events
package import Projection
package import Rules

/// A room that is open: its events, how many of them are durable, what they amount to, and who may hold them.
///
/// One value for all who work with it. `GossipCore` replicates it, the peer above writes into it and reads what it
/// amounts to.
package struct Room: Sendable {
  /// What a member of this process knows of its own feed in a room.
  package struct OwnFeed: Sendable {
    /// The own event written last in this process.
    package private(set) var last: Event?
    /// What it commits to, where it is a commit that was made in this process.
    package private(set) var opening: Opening?
    /// How much of each feed is in that event's past, by the feed's number in the log.
    package var cited: [UInt64] = []
    /// Own events since the last signature, and their bytes.
    package private(set) var unsigned = 0
    package private(set) var unsignedBytes = 0

    package init() {}

    /// What a commit is opened with.
    package struct Opening: Sendable {
      package let choice: MoveCode
      package let salt: Digest

      package init(choice: MoveCode, salt: Digest) {
        self.choice = choice
        self.salt = salt
      }
    }

    /// Notes an event that the member has just written, and what opens it, where it is a commit.
    package mutating func note(_ event: Event, opening: Opening? = nil) {
      last = event
      self.opening = opening
      unsigned += 1
      unsignedBytes += event.bodyBytes
    }

    /// Notes that the last event is signed, and with it all before.
    package mutating func noteSigned() { (unsigned, unsignedBytes) = (0, 0) }
  }

  /// The events.
  package internal(set) var log: RoomLog
  /// How many of the log's events are durable.
  package internal(set) var durable = 0
  /// What each member of this process knows of its own feed, by its number.
  package var own: [OwnFeed] = []
  /// Who brought the first of it in this process.
  var source: Neighbour?
  /// Bytes of events that others brought since it was opened.
  var takenBytes = 0
  /// Whom it names, by the first eight bytes of keys: who has written, is invited, or is the referee.
  var names: Set<UInt64> = []
  /// The feeds of members and of those who are invited, when there were so many of them.
  var welcome: (count: Int, keys: Set<UInt64>)?
  /// Its number in the directory, once something of it is offered.
  var number: Int?
  /// The number in the directory of each of the log's feeds.
  private(set) var feeds: [UInt32?] = []
  /// How many of them have one.
  private var offeredFeeds = 0
  /// Their numbers in the log; `nil` until somebody looks for one.
  private var numbers: [UInt32: Int]?
  /// What the first events amount to, as many as there were when somebody asked last.
  private var projection: RoomProjection?
  /// Of a room of the invited: those who are shown it.
  private var shown: [PeerID] = []

  init(log: RoomLog, number: Int? = nil) {
    self.log = log
    self.number = number
  }

  /// The room's id.
  package var id: RoomID { log.room }

  /// Makes room for what so many members know of their own feeds.
  package mutating func noteMembers(_ count: Int) {
    while own.count < count { own.append(OwnFeed()) }
  }

  /// What opened the room; `nil` while it is not here.
  package var create: Create? {
    guard log.graph.count > 0, case .create(let create) = log.graph.events[0].action else { return nil }
    return create
  }

  /// The numbers in the log of the feeds with a key of which nothing is offered yet.
  func feedsNotOffered(like key: UInt64) -> [Int] {
    // To look through all is much where many have written.
    guard offeredFeeds < log.graph.feedCount else { return [] }
    return (0..<log.graph.feedCount).filter { feed in
      self.feed(ofFeed: feed) == nil && Feed.key(room: id, author: log.graph.author(ofFeed: feed)) == key
    }
  }

  /// The number in the directory of one of the log's feeds; `nil` while nothing of it is offered.
  func feed(ofFeed number: Int) -> UInt32? { number < feeds.count ? feeds[number] : nil }

  /// Notes that it was looked whether something of the first feeds is to be offered, through this number.
  mutating func noteLooked(through number: Int) {
    while feeds.count <= number { feeds.append(nil) }
  }

  /// Notes the number in the directory of one of the log's feeds, of which nothing was offered.
  mutating func note(_ feed: UInt32, ofFeed number: Int) {
    noteLooked(through: number)
    feeds[number] = feed
    offeredFeeds += 1
    numbers?[feed] = number
  }

  /// Notes the numbers of all feeds.
  private mutating func note(feeds: [UInt32?]) {
    self.feeds = feeds
    offeredFeeds = feeds.count { $0 != nil }
    numbers = nil
  }

  /// Gives the feeds the numbers that they have after others were taken out.
  /// - Parameter numbers: by the old ones.
  mutating func renumber(_ numbers: [UInt32?]) { note(feeds: feeds.map { $0.flatMap { numbers[Int($0)] } }) }

  /// The number in the log of a feed of the directory.
  mutating func number(of feed: UInt32) -> Int? {
    if let numbers { return numbers[feed] }
    var found: [UInt32: Int] = [:]
    for (number, feed) in feeds.enumerated() { if let feed { found[feed] = number } }
    numbers = found
    return found[feed]
  }

  /// Reads what the room amounts to, after what is new was taken in. Events are projected when somebody asks what they
  /// amount to: most rooms that pass through a peer nobody looks at there.
  /// - Parameter viewers: the peers of this process.
  /// - Parameter body: not called while the room's `create` is not here. It returns nothing, because generic functions
  ///   of other modules are slow.
  package mutating func read(
    _ catalog: GameCatalog, seenBy viewers: [PeerID], _ body: (inout RoomProjection) -> Void
  ) {
    // The projection is changed where it is: nothing is copied, as it would be to see whether there is one.
    var isHere = false
    log.lendGraph(to: &projection) { graph, projection in
      isHere = projection?.read(&graph, body) != nil
    }
    guard !isHere, log.graph.count > 0 else { return }
    projection = RoomProjection(create: log.graph.events[0], catalog: catalog, seenBy: viewers)
    log.lendGraph(to: &projection) { graph, projection in projection?.read(&graph, body) }
  }

  /// What the room amounts to, when that was read since its last event came.
  package mutating func knownState() -> RoomState? { projection?.known(of: log.graph.count) }

  /// What the next event of a member's feed follows and names.
  package struct Next: Sendable {
    /// The feed's end.
    package let own: RoomLog.Head
    package let parents: [EventID]
    /// How much of each feed is in that event's past, by the feed's number, once it is written.
    package let cited: [UInt64]
    /// Whether an event of the feed waits for others: the member has forgotten writing it.
    package let isForgotten: Bool
  }

  /// What an event names that a member writes now. What is known to be cited is taken out, and put back when the event
  /// is written; else it is found out anew.
  /// - Parameter citing: events it must name among its parents.
  package mutating func next(of author: PeerID, as member: Int, citing: [EventID]) -> Next {
    let head = log.head(of: author)
    var cited = own[member].cited
    own[member].cited = []
    if let position = head.position, cited.isEmpty || own[member].last?.id != head.event?.id {
      cited = log.graph.highestSequences(through: position)
    }
    let parents = log.newlySeen(by: author, required: citing, named: &cited)
    return Next(own: head, parents: parents, cited: cited, isForgotten: log.waitingRoom.contains(by: author))
  }

  /// Whom a room of the invited is shown to now: those whose invitation is durable.
  /// - Returns: `nil` when that has not changed, and for rooms of other scopes.
  package mutating func takeShown(_ catalog: GameCatalog, seenBy viewers: [PeerID]) -> [PeerID]? {
    guard create?.scope == .invited else { return nil }
    var found: [PeerID]?
    read(catalog, seenBy: viewers) { found = $0.state.members }
    guard let members = found, members != shown else { return nil }
    let named = log.named(through: durable)
    shown = members.filter(named.contains)
    return shown
  }
}

// MARK: - Offering

extension Room {
  /// Whether the room is of hosted rounds and its host one of these peers: what its players say is gathered here.
  func isHosted(by peers: [PeerID]) -> Bool {
    log.membership.isHosted && peers.contains(log.membership.creator)
  }

  /// Finds the feeds of a room that was offered from the store.
  mutating func adoptFeeds(of directory: Directory) {
    guard number != nil else { return }
    let feeds = directory.feeds(of: id)
    var known = [UInt64: UInt32](minimumCapacity: feeds.count)
    for feed in feeds.reversed() { known[directory.feeds[Int(feed)].key] = feed }
    note(
      feeds: (0..<log.graph.feedCount).map { feed in
        known[Feed.key(room: id, author: log.graph.author(ofFeed: feed))]
      })
  }

  /// The feeds, by number, that have events from this position on, and those of which nothing is offered.
  func touchedFeeds(from position: Int) -> [Int] {
    let all = log.graph.feedCount
    if all <= log.graph.count - position { return Array(0..<all) }
    var touched: Set<Int> = []
    for at in position..<log.graph.count { touched.insert(log.graph.feed(at)) }
    for feed in min(feeds.count, all)..<all { touched.insert(feed) }
    return touched.sorted()
  }
}

extension RoomLog {
  /// A feed's clock entry, as far as it is signed and among the first events, which are durable.
  @_effects(readonly)
  func offered(_ number: Int, durable: Int) -> VectorClock.Entry? {
    let feed = graph.feeds[number]
    if let fork = feed.forkSequence, isProofDurable(feed, durable) {
      return .init(author: feed.author, sequence: fork, head: .none, isForked: true)
    }
    var through = Int(verifiedThrough(number))
    while through > 0, feed.positions[through - 1] >= durable { through -= 1 }
    while through > 0, signature(at: feed.positions[through - 1]) == nil { through -= 1 }
    guard through > 0, through <= Feed.limitSequence else { return nil }
    return .init(
      author: feed.author, sequence: UInt64(through), head: graph.events[feed.positions[through - 1]].id)
  }

  /// Whether both branches of a fork are durable.
  private func isProofDurable(_ feed: CausalGraph.Feed, _ durable: Int) -> Bool {
    guard let fork = feed.forkSequence, feed.positions.count >= fork else { return false }
    return feed.positions[Int(fork) - 1] < durable
      && feed.branches.contains { branch in branch.first.map { $0 < durable } ?? false }
  }

  /// Who is named in the first events of a room of the invited: its creator, its referee, and whom the creator
  /// invites.
  fileprivate func named(through count: Int) -> Set<PeerID> {
    guard count > 0, let first = graph.events.first, case .create(let create) = first.action else {
      return []
    }
    var named: Set = [first.author, create.referee]
    guard let feed = feed(first.author) else { return named }
    for position in (feed.positions + feed.branches.joined()) where position < count {
      if case .invite(let peer) = graph.events[position].action { named.insert(peer) }
    }
    return named
  }
}

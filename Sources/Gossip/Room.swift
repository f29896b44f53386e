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
    /// How much of each feed is in that event's past, by the feed's number in the log.
    package var cited: [UInt64] = []
    /// Own events since the last signature, and their bytes.
    package private(set) var unsigned = 0
    package private(set) var unsignedBytes = 0

    package init() {}

    /// Notes an event that the member has just written.
    package mutating func note(_ event: Event) {
      last = event
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
  /// The feeds of members and of those who are invited, when there were so many of them.
  var welcome: (count: Int, keys: Set<UInt64>)?
  /// Its number in the directory, once something of it is offered.
  var number: Int?
  /// The number in the directory of each of the log's feeds.
  var feeds: [UInt32?] = [] {
    didSet { numbers = nil }
  }
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

  /// What opened the room; `nil` while it is not here.
  package var create: Create? {
    guard log.graph.count > 0, case .create(let create) = log.graph.events[0].action else { return nil }
    return create
  }

  /// The numbers in the log of the feeds of which nothing is offered yet.
  var feedsNotOffered: [Int] {
    log.feeds.indices.filter { $0 >= feeds.count || feeds[$0] == nil }
  }

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
  /// - Returns: `nil` while the room's `create` is not here.
  package mutating func reading<Result>(
    _ catalog: GameCatalog, seenBy viewers: [PeerID], _ body: (inout RoomProjection) -> Result
  ) -> Result? {
    // The graph is taken out of the log for as long, and the projection changed where it is: nothing is copied, as it
    // would be to see whether there is one.
    var graph = CausalGraph()
    log.exchange(&graph)
    defer { log.exchange(&graph) }
    if let result = projection?.reading(&graph, body) { return result }
    guard let first = graph.events.first else { return nil }
    projection = RoomProjection(create: first, catalog: catalog, seenBy: viewers)
    return projection?.reading(&graph, body)
  }

  /// Whom a room of the invited is shown to now: those whose invitation is durable.
  /// - Returns: `nil` when that has not changed, and for rooms of other scopes.
  package mutating func takeShown(_ catalog: GameCatalog, seenBy viewers: [PeerID]) -> [PeerID]? {
    guard create?.scope == .invited,
      let members = reading(catalog, seenBy: viewers, { $0.state.members }) ?? nil, members != shown
    else { return nil }
    let named = log.named(through: durable)
    shown = members.filter(named.contains)
    return shown
  }
}

extension RoomLog {
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

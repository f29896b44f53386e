package import EventLog
package import Events

/// A room that is not taken in, because its edition is not known here and nobody asked for it.
package struct RoomNotTaken: Hashable, Sendable {
  package let room: RoomID
  /// The edition that its `create` names.
  package let edition: UInt16
}

/// Rooms of editions that are not known here and that nobody asked for (Docs/PROTOCOL.md §3): what is remembered of
/// them, so that they are not asked for with every comparison.
///
/// A feed counts as seen only with the hash of its head, because somebody could look for a room whose feeds have the
/// keys of others.
struct RoomsNotTaken: Sendable {
  private var rooms: Set<RoomID> = []
  /// By key, how far a feed was seen.
  private var feeds: [UInt64: Feed] = [:]

  /// How many rooms and feeds are remembered.
  var count: Int { rooms.count + feeds.count }

  func contains(_ room: RoomID) -> Bool { rooms.contains(room) }

  /// Whether an entry says what was seen of a room that is not taken.
  func hasSeen(_ entry: FeedEntry, salt: UInt64) -> Bool {
    feeds[entry.key].map { $0.entry(salt: salt) == entry } ?? false
  }

  /// How far a feed of such a room was seen.
  func seen(of key: UInt64) -> UInt64 { feeds[key]?.sequence ?? 0 }

  /// After which sequence there may be something new.
  func sequence(before entry: FeedEntry) -> UInt64 {
    guard !entry.isForked, let feed = feeds[entry.key], !feed.isForked, feed.sequence < entry.sequence else {
      return 0
    }
    return feed.sequence
  }

  /// Remembers a room.
  /// - Parameter limit: the most rooms and feeds; beyond, the others are forgotten.
  /// - Returns: whether it is remembered for the first time.
  mutating func note(_ room: RoomID, limit: Int) -> Bool {
    if count >= limit { self = RoomsNotTaken() }
    return rooms.insert(room).inserted
  }

  /// Remembers how far a feed was seen. Once it is forked only a lower fork says something new.
  mutating func note(_ feed: Feed, limit: Int) {
    if !feed.isForked, feeds[feed.key]?.isForked ?? false { return }
    if count >= limit { self = RoomsNotTaken() }
    feeds[feed.key] = feed
  }

  /// Forgets the rooms that are wanted now.
  /// - Returns: whether there were any.
  mutating func forget(_ isWanted: (RoomID) -> Bool) -> Bool {
    let wanted = rooms.filter(isWanted)
    guard !wanted.isEmpty else { return false }
    rooms.subtract(wanted)
    // The first half of a key is the room's. Another room that shares it is asked for once more.
    let halves = Set(wanted.map { $0.bytes.prefix64 >> 32 })
    feeds = feeds.filter { !halves.contains($0.key >> 32) }
    return true
  }
}

extension GossipCore {
  /// Somebody here asks for the rooms whose ids begin so: they are taken in, whatever their edition.
  package mutating func ask(for prefix: RoomPrefix, at now: Tick) -> [Directive] {
    guard replica.ask(for: prefix, at: now) else { return [] }
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// Whether a room of this edition may be taken in.
  private func isTaken(_ edition: UInt16, _ room: RoomID) -> Bool {
    edition == Create.edition || settings.keepsArchive || replica.interest.isWantedByID(room)
  }

  /// Whether runs are of a room that is not to be taken in. The id is the hash of its `create`, so that nobody can say
  /// of a room that it is of another edition; nothing else of the runs is looked at.
  mutating func passesOver(_ message: RunsMessage, from link: Int) -> Bool {
    let room = message.room
    if replica.unwanted.isForgotten(room), !offers.isHeld(room) {
      for last in message.heads { noteSeen(last, of: room, from: link) }
      links[link].account.unanswered = 0
      return true
    }
    let create = message.create
    guard create != nil || replica.unwanted.isNotTaken(room), !offers.isHeld(room) else { return false }
    let isBlocked = message.creator.map(replica.unwanted.isBlocked) ?? false
    let isUnwanted =
      create.map { !isTaken($0.edition, room) || !replica.isWanted(message, $0, of: link) } ?? false
    guard isBlocked || isUnwanted || replica.unwanted.isNotTaken(room) else { return false }
    if !isBlocked, !isUnwanted, links[link].said.mine?.names(someoneOf: message) == true {
      // It names a wanted peer since: the next comparison asks for all of it.
      replica.unwanted.releaseNotTaken(room)
      links[link].account.unanswered = 0
      return true
    }
    if rooms.place(of: room) != nil { close(room) }
    let limit = settings.budget.feedsNotTaken
    if replica.unwanted.note(room, limit: limit), let edition = create?.edition, !isBlocked,
      !isTaken(edition, room)
    {
      linkTable.out.append(.notTaken(RoomNotTaken(room: room, edition: edition)))
    }
    for last in message.heads { noteSeen(last, of: room, from: link) }
    links[link].account.unanswered = 0
    return true
  }

  /// Notes how far a feed of such a room was seen, and that it was answered what was asked.
  private mutating func noteSeen(_ last: Event, of room: RoomID, from link: Int) {
    let key = Feed.key(room: room, author: last.author)
    let request = replica.requests[key].flatMap { $0.neighbour == links[link].neighbour ? $0 : nil }
    var feed = Feed(key: key, room: 0)
    let isFork = request?.isOfFork ?? false
    feed.set(
      .init(
        author: last.author, sequence: isFork ? request?.target ?? 0 : last.sequence,
        head: isFork ? .none : last.id, isForked: isFork))
    replica.unwanted.note(feed, of: room, limit: settings.budget.feedsNotTaken)
    if request != nil { replica.requests.remove(key) }
  }
}

extension RunsMessage {
  /// The last event of each author, in the order of their first runs.
  fileprivate var heads: [Event] {
    var heads: [Event] = []
    for run in runs {
      guard let last = run.events.last else { continue }
      guard let at = heads.firstIndex(where: { $0.author == last.author }) else {
        heads.append(last)
        continue
      }
      if heads[at].sequence < last.sequence { heads[at] = last }
    }
    return heads
  }

  /// Who created the room, where its `create` is among the events.
  var creator: PeerID? {
    runs.lazy.compactMap(\.events.first).first { $0.id == room }?.author
  }

  /// The room's `create`, where it is among the events.
  fileprivate var create: Create? {
    for run in runs {
      guard let first = run.events.first, first.id == room else { continue }
      if case .create(let create) = first.action { return create }
    }
    return nil
  }
}

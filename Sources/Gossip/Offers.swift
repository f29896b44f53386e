import EventLog
import Events

/// What is here for others: the rooms that are open, all that is offered, and what of it each neighbour is shown and
/// compared with, told (`+Telling`) and sent (`+Serving`). Only what is durable and signed is ever offered.
package struct Offers: Sendable {
  let settings: GossipSettings
  /// The rooms that are open.
  var rooms = RoomTable()
  private(set) var directory = Directory()
  var linkTable = LinkTable()
  /// Which of it names whom.
  private var index = RoomIndex()
  /// Where salts come from.
  var draws: Draws

  init(_ settings: GossipSettings, draws: Draws) {
    self.settings = settings
    self.draws = draws
  }

  /// The connections.
  var links: [Link] {
    _read { yield linkTable.links }
    _modify { yield &linkTable.links }
  }

  /// Makes room for what comes.
  mutating func reserve(rooms: Int, feeds: Int) { directory.reserve(rooms: rooms, feeds: feeds) }

  // MARK: - Rooms that are open

  /// Opens a room, of which something may be offered already.
  /// - Returns: its place.
  mutating func open(_ log: RoomLog) -> Int {
    let at = rooms.addPlace(of: log.room)
    rooms.open[at] = Room(log: log, number: directory.number(of: log.room))
    rooms.open[at].adoptFeeds(of: directory)
    return at
  }

  /// Closes a room; it is still offered.
  /// - Returns: whether it was open.
  mutating func close(_ room: RoomID) -> Bool {
    guard let creator = rooms.remove(room) else { return false }
    index.openGames.remove(room, by: creator)
    for link in links.indices { links[link].serving.remove(room) }
    return true
  }

  /// Whether a room's `create` is here.
  func isHeld(_ room: RoomID) -> Bool {
    directory.number(of: room) != nil
      || rooms.place(of: room).map { !rooms.open.span[$0].log.graph.events.isEmpty } ?? false
  }

  /// The feeds of open rooms that have a key, also where nothing of them is offered yet.
  mutating func openFeeds(_ key: UInt64) -> [(place: Int, feed: Int)] {
    let offered = directory.find(key).compactMap { number -> (place: Int, feed: Int)? in
      guard let at = rooms.place(of: directory.room(of: number)) else { return nil }
      return rooms.open[at].number(of: number).map { (at, $0) }
    }
    guard offered.isEmpty else { return offered }
    var found: [(place: Int, feed: Int)] = []
    for at in rooms.places(ofFeedsLike: key) {
      found += rooms.open.span[at].feedsNotOffered(like: key).map { (at, $0) }
    }
    return found
  }

  // MARK: - Rooms and feeds that are offered

  /// Adds a room of which somebody may hold all, with what each feed has.
  /// - Parameter tournament: of which it has games.
  mutating func add(_ room: RoomID, _ access: Access, _ clock: VectorClock, of tournament: RoomID?) {
    let number = directory.add(room)
    directory.setAccess(access, of: number, members: [])
    if let tournament { index.add(number, of: tournament) }
    for entry in clock.entries {
      index.add(number, naming: entry.author.bytes.prefix64)
      _ = directory.addFeed(of: entry.author, room: number, entry: entry)
    }
  }

  /// Brings what is offered of a feed up to what is durable.
  /// - Parameters:
  ///   - number: the feed's, in the log.
  ///   - at: where its room lies.
  /// - Returns: the feed, and how far it went before; `nil` when nothing has changed.
  mutating func offerFeed(_ number: Int, _ at: Int) -> (feed: UInt32, before: UInt64)? {
    rooms.open[at].noteLooked(through: number)
    let durable = rooms.open.span[at].durable
    guard let entry = rooms.open.span[at].log.offered(number, durable: durable) else { return nil }
    guard let known = rooms.open.span[at].feeds[number] else {
      guard let room = offeredRoom(at) else { return nil }
      let feed = addFeed(entry, room: room)
      rooms.open[at].note(feed, ofFeed: number)
      return (feed, 0)
    }
    let before = directory.feeds[Int(known)]
    guard entry.isForked != before.isForked || entry.sequence != before.sequence else { return nil }
    directory.set(known, entry)
    for link in links.indices { links[link].shared?.touch(before.key) }
    return (known, min(before.sequence, entry.isForked ? entry.sequence - 1 : .max))
  }

  /// The number in the directory of a room whose `create` is durable.
  private mutating func offeredRoom(_ at: Int) -> Int? {
    if let number = rooms.open.span[at].number, directory.access(number) != nil { return number }
    guard let first = rooms.open.span[at].log.graph.events.first, case .create(let create) = first.action
    else { return nil }
    let number = directory.add(rooms.open.span[at].id)
    directory.setAccess(Access(create, by: first.author), of: number, members: [])
    rooms.open[at].number = number
    return number
  }

  /// Adds a feed of a room.
  /// - Returns: its number.
  private mutating func addFeed(_ entry: VectorClock.Entry, room: Int) -> UInt32 {
    let feed = directory.addFeed(of: entry.author, room: room, entry: entry)
    for link in links.indices where links[link].shared?.contains(room) == true {
      linkTable.links[link].shared?.add(feed: feed, directory.feeds)
    }
    return feed
  }

  /// Says who may hold a room, when that has changed: to those who see it only now all of it is new, whatever was equal
  /// before.
  mutating func setAccess(_ access: Access, of room: Int, members feeds: [UInt32], at now: Tick) {
    let before = links.map { directory.isShown(room, to: $0.circles) }
    directory.setAccess(access, of: room, members: feeds)
    let keys = feeds.map { directory.feeds[Int($0)].key }
    for link in links.indices where !before[link] && directory.isShown(room, to: links[link].circles) {
      for key in keys { links[link].baseline.noteChange(key, from: 0) }
      links[link].compareAt = now
    }
    for key in keys { linkTable.noteChangeForAbsent(key, from: 0) }
  }

  /// Takes rooms out. What is left gets new numbers, so many are better taken out at once.
  mutating func remove(_ unwanted: Set<RoomID>) {
    // tidy: order does not matter because it is a set again
    let gone = Set(unwanted.compactMap { directory.number(of: $0) })
    guard !gone.isEmpty else { return }
    let shared = links.map { $0.shared?.numbers.map { directory.rooms[$0] } }
    let (moved, numbers) = directory.remove(gone)
    index.renumber(moved)
    for link in links.indices {
      links[link].news = links[link].news.compactMap { news in
        numbers[Int(news.feed)].map { ($0, news.after) }
      }
      // What was found out of differences goes by the old numbers, and what was agreed on by what was there.
      links[link].descent = nil
      links[link].baseline.root = nil
      links[link].baseline.alike = nil
      share(again: shared[link], with: link, moved)
    }
    linkTable.forgetAbsent()
    for at in rooms.open.indices {
      rooms.open[at].number = directory.number(of: rooms.open.span[at].id)
      rooms.open[at].renumber(numbers)
    }
  }

  /// Rooms have new numbers: those that were shared are shared again.
  /// - Parameter numbers: the new number of each room by its old one.
  private mutating func share(again rooms: [RoomID]?, with link: Int, _ numbers: [Int?]) {
    guard let rooms else { return }
    links[link].shared = links[link].shared?.renumbered(numbers)
    for room in rooms.sorted() { if let number = directory.number(of: room) { share(number, with: link) } }
  }

  // MARK: - What a neighbour is shown

  /// Does something with one of the tries that are shared with a neighbour.
  mutating func withTrie<Result>(
    _ trie: Int, _ link: Int, _ body: (inout HashTrie, FeedTable) -> Result
  ) -> Result? {
    guard links[link].shared == nil else {
      return trie == 0 ? linkTable.links[link].shared?.withTrie(directory.feeds, body) : nil
    }
    return directory.withTrie(trie, links[link].circles, body)
  }

  /// What parts of the tries hold.
  mutating func contents(of parts: ArraySlice<PartName>, _ link: Int, salt: UInt64) -> [PartContent] {
    parts.map { name in
      let part = withTrie(Int(name.trie), link) { trie, feeds in trie.part(name.prefix, feeds) }
      switch part ?? .feeds([]) {
      case .feeds(let few):
        // More than a few have one key, which somebody has looked for: each salt shows others of them.
        let entries = few.map { directory.entry(of: $0, salt: salt) }.sorted { $0.tag < $1.tag }
        return .feeds(Array(entries.prefix(PartContent.limitFeeds)))
      case .quarters(let smallest, let hashes):
        let isSame = smallest == name.prefix
        return .quarters(
          of: isSame ? nil : PartName(trie: Int(name.trie), smallest),
          (0..<4).map { hashes[$0].tag(salt: salt) })
      }
    }
  }

  /// The hash of what is compared with a neighbour.
  mutating func root(_ link: Int) -> ShortHash {
    guard links[link].shared != nil else { return directory.root(links[link].circles) }
    let root = withTrie(0, link) { trie, feeds in trie.root(feeds) } ?? .zero
    // What both want is in it, so that they notice when one has not heard what the other wants.
    var hash = Blake2b(domain: "parlor-interest-root-2")
    hash.update(links[link].said.hash(isMineFirst: links[link].begins))
    hash.update(root)
    return ShortHash(hash.digest())
  }

  /// Whether a neighbour was last found to hold all that both may share and want, and nothing of that has changed here
  /// since. Rooms that it holds and that are not taken here do not count.
  ///
  /// Only what is durable counts, on both sides.
  package mutating func isEqual(with neighbour: Neighbour) -> Bool {
    guard let at = linkTable.place(of: neighbour), links[at].descent == nil else { return false }
    let root = root(at).high
    return links[at].baseline.root == root || links[at].baseline.alike?.mine == root
  }

  /// Whether a neighbour may hear of a feed, and wants to.
  func isShown(_ feed: UInt32, to link: Int) -> Bool {
    let room = Int(directory.feeds[Int(feed)].room)
    return links[link].shared?.contains(room) ?? directory.isShown(room, to: links[link].circles)
  }

  /// The feeds with a key of which a neighbour may hear.
  mutating func find(_ key: UInt64, _ link: Int) -> [UInt32] {
    guard links[link].shared != nil else { return directory.find(key, links[link].circles) }
    return withTrie(0, link) { trie, feeds in trie.find(key, feeds) } ?? []
  }

  /// The feeds that changed since both were equal.
  mutating func changedFeeds(_ link: Int) -> [UInt32] {
    links[link].baseline.known.keys.sorted().flatMap { find($0, link) }
  }

  // MARK: - Sharing

  /// Whether a neighbour can be shown all that it wants. Before, it is shown nothing: it would take that for all there
  /// is, and a peer that looks for its own events would write others in their place.
  func isReady(_ link: Int) -> Bool {
    links[link].shared == nil
      || links[link].said.isTheirsHeard && !links[link].isShareComing && links[link].said.late == nil
  }

  /// Compares only rooms that the neighbour wants or shows, when either limits itself.
  mutating func limit(_ link: Int) {
    guard links[link].said.isLimited else { return links[link].stopSharing() }
    guard links[link].shared == nil else { return }
    links[link].stopSharing()
    var shared = SharedRooms()
    // Who has not said what it wants is shown nothing.
    if links[link].said.isTheirsHeard {
      shared.announce(links[link].said.theirs.map { wanted($0) } ?? Array(directory.rooms.indices))
    }
    links[link].shared = shared
  }

  /// The numbers of the rooms that are wanted by somebody, ascending.
  func wanted(_ interest: Interest) -> [Int] {
    var found: Set<UInt32> = []
    for peer in interest.peers { found.formUnion(index.rooms(naming: peer.value)) }
    // tidy: order does not matter because the rooms become a set
    for prefix in interest.rooms {
      let rooms = directory.rooms(prefix.value)
      found.formUnion(rooms)
      // A tournament that is not here is known by its whole id only.
      for room in rooms { found.formUnion(index.games(of: directory.rooms[Int(room)])) }
      if rooms.isEmpty { found.formUnion(index.games(of: prefix.value.lowest)) }
    }
    for room in index.openGames.first(Int(interest.openGames)) {
      if let number = directory.number(of: room) { found.insert(UInt32(number)) }
    }
    return found.sorted().map(Int.init)
  }

  /// Adds rooms that are wanted to those that are compared, some in each turn.
  mutating func shareSome(_ count: Int, at now: Tick) {
    var left = count
    for link in links.indices where links[link].isShareComing && left > 0 {
      let rooms = links[link].shared?.takeComing(left) ?? []
      left -= rooms.count
      for room in rooms { share(room, with: link) }
      if !links[link].isShareComing { links[link].compareAt = now }
    }
  }

  /// Whether more rooms are to be added.
  var isShareComing: Bool { links.contains(where: \.isShareComing) }

  /// Adds a room to those that are compared with a neighbour.
  /// - Returns: its feeds, where it was not among them and may be shown.
  @discardableResult
  mutating func share(_ room: Int, with link: Int) -> [UInt32] {
    guard links[link].shared?.contains(room) == false, directory.isShown(room, to: links[link].circles) else {
      return []
    }
    let feeds = directory.feeds(of: directory.rooms[room])
    linkTable.links[link].shared?.add(room, feeds: feeds, directory.feeds)
    for feed in feeds { links[link].baseline.noteChange(directory.feeds[Int(feed)].key, from: 0) }
    return feeds
  }

  private func isShared(_ room: RoomID, with link: Int) -> Bool {
    directory.number(of: room).map { links[link].shared?.contains($0) == true } ?? false
  }

  /// A neighbour shows a feed that it is not shown: its room is compared from now on.
  mutating func shareWhatIsShown(_ key: UInt64, by link: Int) {
    guard links[link].shared != nil else { return }
    for feed in directory.find(key) { share(Int(directory.feeds[Int(feed)].room), with: link) }
  }

  // MARK: - What rooms tell

  /// The rooms that are said to be games of a tournament.
  func games(of tournament: RoomID) -> [RoomID] {
    index.games(of: tournament).map { directory.rooms[Int($0)] }
  }

  /// The games of a creator that can be joined, of rooms that are open.
  func openGames(by creator: PeerID) -> [RoomID] { index.openGames.rooms(by: creator) }

  /// Notes what newly durable events tell of who wants a room.
  /// - Parameters:
  ///   - at: where it lies.
  ///   - authors: who has written there for the first time.
  ///   - before: how many events were durable before.
  ///   - isNew: whether nothing of the room was offered before.
  /// - Returns: whom the room names since.
  mutating func note(_ at: Int, _ authors: [PeerID], since before: Int, isNew: Bool) -> [UInt64] {
    guard let number = rooms.open.span[at].number, let create = rooms.open.span[at].create else { return [] }
    let (room, creator) = (rooms.open.span[at].id, rooms.open.span[at].log.membership.creator)
    var names = authors.map(\.bytes.prefix64)
    var isOver = false
    for position in before..<rooms.open.span[at].durable {
      switch rooms.open.span[at].log.graph.events[position].action {
      case .invite(let peer) where isNew || before > 0: names.append(peer.bytes.prefix64)
      case .start: isOver = true
      case .leave where rooms.open.span[at].log.graph.events[position].author == creator: isOver = true
      default: break
      }
    }
    if isNew {
      if create.referee.isSome { names.append(create.referee.bytes.prefix64) }
      if let tournament = create.tournament { index.add(number, of: tournament) }
    }
    for name in names {
      index.add(number, naming: name)
      rooms.open[at].names.insert(name)
    }
    if before == 0 {
      rooms.open[at].names.formUnion(rooms.open.span[at].log.feeds.map(\.author.bytes.prefix64))
      if create.isForStrangers { index.openGames.add(room, by: creator) }
    }
    if isOver { index.openGames.remove(room, by: creator) }
    return names
  }

  /// Whether some neighbour is compared with in some rooms only.
  var isLimited: Bool { links.contains { $0.shared != nil } }

  /// Peers may have a room that they might not before, or are named there now: whoever wants it is told of all of it.
  /// - Parameters:
  ///   - at: where it lies.
  ///   - names: whom it names since.
  mutating func shareNews(of at: Int, naming names: [UInt64], isNew: Bool, at now: Tick) {
    guard let number = rooms.open.span[at].number, let create = rooms.open.span[at].create else { return }
    let room = rooms.open.span[at].id
    let open = index.openGames.rooms(by: rooms.open.span[at].log.membership.creator)
    let keys = rooms.open.span[at].feeds.compactMap { $0.map { directory.feeds[Int($0)].key } }
    for link in links.indices where links[link].shared?.contains(number) == false {
      var isShared = keys.contains {
        links[link].baseline.known[$0] != nil || links[link].baseline.given[$0] != nil
      }
      if links[link].said.isTheirsHeard {
        if let wanted = links[link].said.theirs {
          isShared = isShared || names.contains(where: wanted.names)
          isShared = isShared || isNew && wanted.names(room, of: create.tournament)
          if !isShared, isNew, open.contains(room) {
            let known = open.count { self.isShared($0, with: link) }
            isShared = known < Int(wanted.openGames)
          }
        } else {
          isShared = true
        }
      }
      guard isShared else { continue }
      let given = keys.filter { links[link].baseline.given[$0] != nil }
      for feed in share(number, with: link) where !given.contains(directory.feeds[Int(feed)].key) {
        links[link].news.append((feed, 0))
        links[link].tellAt = min(links[link].tellAt ?? now, now)
      }
    }
  }
}

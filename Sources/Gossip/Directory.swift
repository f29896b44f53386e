import EventLog
package import Events

/// Who may hold a room.
package enum Access: Hashable, Sendable {
  /// Anybody.
  case open
  /// Peers nearby.
  case local
  /// These peers, ascending.
  case invited([PeerID])
}

/// Everything that is offered, for each circle of peers a trie of its own: two peers compare the tries of the
/// circles that they share, and never hear of other rooms.
struct Directory: Sendable {
  /// Who may hold a room, in a byte; the names of the invited lie in `invited`.
  private enum Circle: UInt8 { case unknown, open, local, invited }

  private(set) var feeds = FeedTable()
  private var circles: [Circle] = []
  private var invited: [Int: [PeerID]] = [:]
  private var numbers = RoomNumbers()
  /// The tries: of open rooms, of local rooms, of rooms of the invited, which nobody compares, and of those that a
  /// peer may hold because it is named.
  private var open = HashTrie()
  private var local = HashTrie()
  private var secret = HashTrie()
  private var named: [PeerID: HashTrie] = [:]

  /// The rooms that are known, by number.
  var rooms: [RoomID] { feeds.rooms }

  /// The room of a feed.
  func room(of feed: UInt32) -> RoomID { rooms[Int(feeds[Int(feed)].room)] }

  /// How a feed stands.
  func entry(of feed: UInt32, salt: UInt64) -> FeedEntry { feeds[Int(feed)].entry(salt: salt) }

  /// Makes room for what comes.
  mutating func reserve(rooms: Int, feeds: Int) {
    self.feeds.reserve(rooms: rooms, feeds: feeds)
    circles.reserveCapacity(rooms)
    numbers.reserve(rooms, self.rooms)
    local.reserve(feeds)
  }

  /// The number of a room that is known.
  func number(of room: RoomID) -> Int? { numbers.number(of: room, rooms) }

  /// The number of a room, which is new when it was not known.
  mutating func add(_ room: RoomID) -> Int {
    if let known = number(of: room) { return known }
    feeds.add(room)
    circles.appendSparingly(.unknown)
    numbers.addLast(rooms)
    return rooms.count - 1
  }

  /// Who may hold a room; `nil` until its `create` is offered.
  func access(_ room: Int) -> Access? {
    switch circles[room] {
    case .unknown: nil
    case .open: .open
    case .local: .local
    case .invited: .invited(invited[room] ?? [])
    }
  }

  private mutating func set(_ access: Access, _ room: Int) {
    switch access {
    case .open: circles[room] = .open
    case .local: circles[room] = .local
    case .invited(let peers):
      circles[room] = .invited
      invited[room] = peers
    }
  }

  /// Adds a feed of a room whose access is known.
  /// - Returns: its number.
  mutating func addFeed(of author: PeerID, room: Int, entry: VectorClock.Entry) -> UInt32 {
    var feed = Feed(key: Feed.key(room: rooms[room], author: author), room: room)
    feed.set(entry)
    return insert(feed)
  }

  private mutating func insert(_ feed: Feed) -> UInt32 {
    let (room, new) = (Int(feed.room), feeds.add(feed))
    switch access(room) {
    case .open: open.insert(new, feeds)
    case .local: local.insert(new, feeds)
    case .invited(let peers):
      secret.insert(new, feeds)
      for peer in peers { named[peer, default: HashTrie()].insert(new, feeds) }
    case nil: preconditionFailure("a feed of room \(rooms[room].short), whose access is not known")
    }
    return new
  }

  /// Notes what is offered of a feed now.
  mutating func set(_ feed: UInt32, _ entry: VectorClock.Entry) {
    feeds[Int(feed)].set(entry)
    let key = feeds[Int(feed)].key
    switch access(Int(feeds[Int(feed)].room)) {
    case .open: open.touch(key)
    case .local: local.touch(key)
    case .invited(let peers): for peer in peers { named[peer]?.touch(key) }
    case nil: break
    }
  }

  /// Says who may hold a room. Of an invited room, more peers may be named later; nothing else changes.
  /// - Parameter members: the room's feeds here.
  mutating func setAccess(_ access: Access, of room: Int, members: [UInt32]) {
    guard let before = self.access(room) else { return set(access, room) }
    guard case .invited(let old) = before, case .invited(let new) = access else { return }
    set(access, room)
    for peer in new where !old.contains(peer) {
      for feed in members { named[peer, default: HashTrie()].insert(feed, feeds) }
    }
  }

  /// Takes rooms out. Everything that is left gets new numbers.
  /// - Returns: by its old number, the new number of each room and each feed.
  mutating func remove(_ gone: Set<Int>) -> (rooms: [Int?], feeds: [UInt32?]) {
    var left = Directory()
    left.reserve(rooms: rooms.count - gone.count, feeds: feeds.count)
    var numbers = [Int?](repeating: nil, count: rooms.count)
    for room in rooms.indices where !gone.contains(room) {
      numbers[room] = left.add(rooms[room])
      if let access = access(room) { left.setAccess(access, of: left.rooms.count - 1, members: []) }
    }
    let moved = (0..<feeds.count).map { number in
      let feed = feeds[number]
      return numbers[Int(feed.room)].map { left.insert(feed.moved(to: $0)) }
    }
    self = left
    return (numbers, moved)
  }

  /// The rooms whose ids begin so, by number; some more than once, in no order.
  func rooms(_ prefix: RoomPrefix) -> [UInt32] {
    guard prefix.digits < RoomPrefix.limitDigits else {
      return number(of: prefix.lowest).map { [UInt32($0)] } ?? []
    }
    // A digit has four bits, and half of a key is the room's.
    let part = HashTrie.Prefix(bits: prefix.lowest.bytes.prefix64, depth: UInt8(min(2 * prefix.digits, 16)))
    return [open, local, secret].flatMap { trie in
      trie.all(part, feeds).map { feeds[Int($0)].room }.filter { prefix.matches(rooms[Int($0)]) }
    }
  }

  /// Whether a room may be shown to a peer.
  func isShown(_ room: Int, to circles: Circles) -> Bool {
    switch access(room) {
    case .open: true
    case .local: circles.isNearby
    case .invited(let peers): peers.contains(circles.peer)
    case nil: false
    }
  }

  /// The circles that two peers share: which tries they compare.
  struct Circles: Sendable {
    let peer: PeerID
    let isNearby: Bool
  }

  /// How many tries there are to compare.
  static let trieCount = 3

  /// Does something with one of the tries that two peers compare; `nil` when they do not share it.
  mutating func withTrie<Result>(
    _ number: Int, _ circles: Circles, _ body: (inout HashTrie, FeedTable) -> Result
  ) -> Result? {
    switch number {
    case 0: return body(&open, feeds)
    case 1: return circles.isNearby ? body(&local, feeds) : nil
    case 2:
      guard var trie = named.removeValue(forKey: circles.peer) else { return nil }
      defer { named[circles.peer] = trie }
      return body(&trie, feeds)
    default: return nil
    }
  }

  /// One hash over all that two peers may share; zero when it is nothing.
  mutating func root(_ circles: Circles) -> ShortHash {
    let roots = (0..<Self.trieCount).map { number in
      withTrie(number, circles) { trie, feeds in trie.root(feeds) } ?? .zero
    }
    guard roots.contains(where: { $0 != .zero }) else { return .zero }
    var hash = Blake2b(domain: "parlor-directory-1")
    for root in roots { hash.update(root) }
    return ShortHash(hash.digest())
  }

  /// The feeds of a room.
  func feeds(of room: RoomID) -> [UInt32] {
    guard let number = number(of: room) else { return [] }
    let trie: HashTrie? =
      switch access(number) {
      case .open: open
      case .local: local
      case .invited: secret
      case nil: nil
      }
    // The first half of a key is the room's.
    let near = trie?.all(HashTrie.Prefix(bits: room.bytes.prefix64, depth: 16), feeds) ?? []
    return near.filter { Int(feeds[Int($0)].room) == number }
  }

  /// The feeds with a key, whoever may hold their rooms.
  func find(_ key: UInt64) -> [UInt32] {
    [open, local, secret].flatMap { $0.find(key, feeds) }
  }

  /// The feeds with a key that may be shown.
  mutating func find(_ key: UInt64, _ circles: Circles) -> [UInt32] {
    (0..<Self.trieCount).flatMap { number in
      withTrie(number, circles) { trie, feeds in trie.find(key, feeds) } ?? []
    }
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

package import Events

/// One feed as the directory knows it: what is offered of it.
struct Feed: Sendable {
  private static let forkMark: UInt32 = 1 << 31
  /// The highest sequence that is offered.
  static let limitSequence = UInt64(forkMark - 1)

  /// What names the feed between peers: four bytes of the room's id, so that feeds of one room lie together, and
  /// four of a hash of room and author.
  let key: UInt64
  /// The hash of the feed's clock entry.
  private(set) var state: ShortHash
  private var marked: UInt32
  /// Its room, by number.
  let room: UInt32

  init(key: UInt64, room: Int) {
    self.key = key
    self.room = UInt32(truncatingIfNeeded: room)
    state = .zero
    marked = 0
  }

  /// The last sequence that is offered; of a forked feed the fork's.
  var sequence: UInt64 { UInt64(marked & ~Self.forkMark) }
  var isForked: Bool { marked & Self.forkMark != 0 }

  static func key(room: RoomID, author: PeerID) -> UInt64 {
    var hash = Blake2b(domain: "parlor-feed-1")
    hash.update(room)
    hash.update(author)
    return room.bytes.prefix64 & ~0xFFFF_FFFF | (hash.digest().prefix64 >> 32)
  }

  /// Takes a new clock entry.
  mutating func set(_ entry: VectorClock.Entry) {
    var hash = Blake2b(domain: "parlor-entry-1")
    hash.update(bigEndian: key)
    hash.update(entry.author)
    hash.update(bigEndian: entry.sequence)
    hash.update(bigEndian: UInt8(entry.isForked ? 1 : 0))
    hash.update(entry.head)
    state = ShortHash(hash.digest())
    marked = UInt32(min(entry.sequence, Self.limitSequence)) | (entry.isForked ? Self.forkMark : 0)
  }
}

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

  private(set) var feeds: [Feed] = []
  /// The rooms that are known, by number.
  private(set) var rooms: [RoomID] = []
  private var circles: [Circle] = []
  private var invited: [Int: [PeerID]] = [:]
  private var numbers = RoomNumbers()
  /// The tries: of open rooms, of local rooms, and of rooms that a peer may hold because it is named.
  private var open = HashTrie()
  private var local = HashTrie()
  private var named: [PeerID: HashTrie] = [:]

  /// Makes room for what comes.
  mutating func reserve(rooms: Int, feeds: Int) {
    self.rooms.reserveCapacity(rooms)
    circles.reserveCapacity(rooms)
    numbers.reserve(rooms, self.rooms)
    self.feeds.reserveCapacity(feeds)
    local.reserve(feeds)
  }

  /// The number of a room that is known.
  func number(of room: RoomID) -> Int? { numbers.number(of: room, rooms) }

  /// The number of a room, which is new when it was not known.
  mutating func add(_ room: RoomID) -> Int {
    if let known = number(of: room) { return known }
    rooms.append(room)
    circles.append(.unknown)
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
    feeds.append(feed)
    let new = UInt32(feeds.count - 1)
    switch access(room) {
    case .open: open.insert(new, feeds)
    case .local: local.insert(new, feeds)
    case .invited(let peers): for peer in peers { named[peer, default: HashTrie()].insert(new, feeds) }
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
    _ number: Int, _ circles: Circles, _ body: (inout HashTrie, [Feed]) -> Result
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
      case .invited(let peers): peers.first.flatMap { named[$0] }
      case nil: nil
      }
    // The first half of a key is the room's.
    let near = trie?.all(HashTrie.Prefix(bits: room.bytes.prefix64, depth: 16), feeds) ?? []
    return near.filter { Int(feeds[Int($0)].room) == number }
  }

  /// The feeds with a key that may be shown.
  mutating func find(_ key: UInt64, _ circles: Circles) -> [UInt32] {
    (0..<Self.trieCount).flatMap { number in
      withTrie(number, circles) { trie, feeds in trie.find(key, feeds) } ?? []
    }
  }
}

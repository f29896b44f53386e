import Events

/// One feed as the directory knows it: what is offered of it.
struct Feed: Sendable {
  fileprivate static let forkMark: UInt32 = 1 << 31
  /// The highest sequence that is offered.
  static let limitSequence = UInt64(forkMark - 1)

  /// What names the feed between peers: four bytes of the room's id, so that feeds of one room lie together, and
  /// four of a hash of room and author.
  let key: UInt64
  /// The hash of the feed's clock entry.
  fileprivate(set) var state = ShortHash.zero
  fileprivate var marked: UInt32 = 0
  /// Its room, by number.
  let room: UInt32

  init(key: UInt64, room: Int) {
    self.key = key
    self.room = UInt32(truncatingIfNeeded: room)
  }

  /// The same feed, where its room has another number.
  func moved(to room: Int) -> Feed {
    var feed = Feed(key: key, room: room)
    (feed.state, feed.marked) = (state, marked)
    return feed
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

  /// How the feed stands, under a message's salt.
  func entry(salt: UInt64) -> FeedEntry {
    FeedEntry(key: key, sequence: sequence, isForked: isForked, tag: state.tag(salt: salt))
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

/// All feeds that are offered, and their rooms, by number: 28 bytes a feed, because half of a key is in its room.
struct FeedTable: Sendable {
  private struct Row {
    /// The hash of the clock entry, in words that leave no gap behind it.
    var state: (UInt32, UInt32, UInt32, UInt32)
    var marked: UInt32
    let lowKey: UInt32
    let room: UInt32
  }

  private var rows: [Row] = []
  private(set) var rooms: [RoomID] = []

  /// How many feeds there are.
  var count: Int { rows.count }

  /// Makes room for what comes.
  mutating func reserve(rooms: Int, feeds: Int) {
    self.rooms.reserveCapacity(rooms)
    rows.reserveCapacity(feeds)
  }

  /// Adds a room that is not here; its number is the last one then.
  mutating func add(_ room: RoomID) { rooms.appendSparingly(room) }

  /// Adds a feed of a room that is here.
  /// - Returns: its number.
  mutating func add(_ feed: Feed) -> UInt32 {
    rows.appendSparingly(Self.row(of: feed))
    return UInt32(rows.count - 1)
  }

  subscript(number: Int) -> Feed {
    get {
      let row = rows[number]
      var feed = Feed(
        key: rooms[Int(row.room)].bytes.prefix64 & ~0xFFFF_FFFF | UInt64(row.lowKey), room: Int(row.room))
      feed.marked = row.marked
      feed.state = ShortHash(
        high: UInt64(row.state.0) << 32 | UInt64(row.state.1),
        low: UInt64(row.state.2) << 32 | UInt64(row.state.3))
      return feed
    }
    set { rows[number] = Self.row(of: newValue) }
  }

  private static func row(of feed: Feed) -> Row {
    let (high, low) = (feed.state.high, feed.state.low)
    return Row(
      state: (
        UInt32(high >> 32), UInt32(truncatingIfNeeded: high), UInt32(low >> 32),
        UInt32(truncatingIfNeeded: low)
      ),
      marked: feed.marked, lowKey: UInt32(truncatingIfNeeded: feed.key), room: feed.room)
  }
}

extension Array {
  /// Appends to a list that may be long: it grows by a quarter, where `append` would double it.
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 4 + 8) }
    append(element)
  }
}

import Events

/// The rooms that are compared with a neighbour, by their numbers in the directory, where either does not want
/// everything.
struct SharedRooms: Sendable {
  private var added: Set<Int> = []
  /// Their feeds.
  private var trie = HashTrie()
  /// The rooms that are to be added, by number.
  private(set) var coming: [Int] = []

  init() {}

  func contains(_ room: Int) -> Bool { added.contains(room) }

  /// All of them, ascending.
  var numbers: [Int] { added.sorted() }

  /// Adds a room with its feeds.
  mutating func add(_ room: Int, feeds: [UInt32], _ table: FeedTable) {
    added.insert(room)
    for feed in feeds { trie.insert(feed, table) }
  }

  /// Adds a feed of one of the rooms.
  mutating func add(feed: UInt32, _ table: FeedTable) { trie.insert(feed, table) }

  /// A feed of one of the rooms has changed.
  mutating func touch(_ key: UInt64) { trie.touch(key) }

  /// Does something with the trie of their feeds.
  mutating func withTrie<Result>(_ feeds: FeedTable, _ body: (inout HashTrie, FeedTable) -> Result) -> Result
  {
    body(&trie, feeds)
  }

  // MARK: - Coming

  /// Notes rooms that are to be added.
  mutating func announce(_ rooms: [Int]) { coming += rooms }

  /// Takes so many of those that are to be added.
  mutating func takeComing(_ count: Int) -> [Int] {
    let taken = Array(coming.suffix(count))
    coming.removeLast(taken.count)
    return taken
  }

  /// None of them, with those that are to be added under their new numbers.
  /// - Parameter numbers: by the old number; `nil` for those that are gone.
  func renumbered(_ numbers: [Int?]) -> SharedRooms {
    var moved = SharedRooms()
    moved.coming = coming.compactMap { numbers[$0] }
    return moved
  }
}

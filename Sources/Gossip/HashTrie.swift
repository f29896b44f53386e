import Events

/// A set of feeds as a hash trie: the hash of any part says whether two peers hold the same there.
///
/// Keys are taken two bits at a time. A part with up to four feeds is a leaf; one with more is divided where
/// its keys first differ. So the shape, and with it every hash, follows from the set alone. Feeds are only
/// added; hashes of changed parts are computed when they are asked for.
struct HashTrie: Sendable {
  /// Which part of the trie: the first `2 * depth` bits of the keys in it.
  struct Prefix: Hashable, Sendable {
    static let root = Prefix(bits: 0, depth: 0)
    static let limitDepth: UInt8 = 32

    /// The bits, at the top; the others are zero.
    let bits: UInt64
    let depth: UInt8

    init(bits: UInt64, depth: UInt8) {
      self.depth = depth
      self.bits = depth == 0 ? 0 : bits & ~0 << (64 - 2 * UInt64(depth))
    }

    /// The smallest part that holds both keys.
    init(common a: UInt64, _ b: UInt64) {
      self.init(bits: a, depth: UInt8((a ^ b).leadingZeroBitCount / 2))
    }

    /// One of the four parts of this part; `nil` at the bottom.
    func child(_ number: Int) -> Prefix? {
      guard depth < Self.limitDepth else { return nil }
      return Prefix(bits: bits | UInt64(number) << (62 - 2 * UInt64(depth)), depth: depth + 1)
    }

    /// Whether a key is in this part.
    func contains(_ key: UInt64) -> Bool {
      depth == 0 || (key ^ bits) >> (64 - 2 * UInt64(depth)) == 0
    }

    /// Which quarter of this part a key in it is in.
    func quarter(of key: UInt64) -> Int { Int(key >> (62 - 2 * UInt64(depth)) & 3) }
  }

  /// What a part holds.
  enum Part {
    /// Up to four feeds, or more with one key.
    case feeds([UInt32])
    /// More: the smallest part that holds them all, and the hashes of its quarters.
    case quarters(Prefix, [4 of ShortHash])
  }

  /// Where something hangs: 0: nothing; odd: the first item of a leaf; even: a split, from 1.
  private struct Slot {
    static let empty = Slot(value: 0)
    let value: UInt32

    enum Content {
      case nothing
      case leaf(Int)
      case split(Int)
    }

    init(value: UInt32) { self.value = value }
    init(leaf item: Int) { value = UInt32(item) << 1 | 1 }
    init(split: Int) { value = UInt32(split + 1) << 1 }

    var content: Content {
      if value == 0 { return .nothing }
      return value & 1 == 1 ? .leaf(Int(value >> 1)) : .split(Int(value >> 1) - 1)
    }
  }

  /// A part that is divided into quarters.
  private struct Split {
    /// The bits of its prefix, and a one behind them.
    private let marked: UInt64
    /// Zero when it has to be computed.
    var hash = ShortHash.zero
    var slots: [4 of Slot] = .init(repeating: .empty)

    /// - Parameter prefix: of a part that can be divided.
    init(_ prefix: Prefix) { marked = prefix.bits | 1 << (63 - 2 * UInt64(prefix.depth)) }

    var prefix: Prefix {
      Prefix(bits: marked & (marked - 1), depth: UInt8((63 - marked.trailingZeroBitCount) / 2))
    }
  }

  private static let limitLeaf = 4
  private static let end = UInt32.max

  private var top = Slot.empty
  private var splits: [Split] = []
  /// For each item the next one of the same leaf; `end` for the last.
  private var next: [UInt32] = []
  /// The feed of each item; empty as long as items and feeds have the same numbers, as where one trie holds all.
  private var members: [UInt32] = []

  /// Makes room for feeds that come.
  mutating func reserve(_ count: Int) { next.reserveCapacity(count) }

  private func feed(of item: Int) -> UInt32 { members.isEmpty ? UInt32(item) : members[item] }

  // MARK: - Changing

  /// Adds a feed that is not in it.
  mutating func insert(_ feed: UInt32, _ feeds: FeedTable) {
    let key = feeds[Int(feed)].key
    let item = next.count
    next.appendSparingly(Self.end)
    if members.isEmpty, feed != item { members = Array(0..<UInt32(item)) }
    if feed != item || !members.isEmpty { members.appendSparingly(feed) }
    top = place(item, key, at: top, feeds)
  }

  /// Hangs an item below a slot; the slot as it is then.
  private mutating func place(_ item: Int, _ key: UInt64, at slot: Slot, _ feeds: FeedTable) -> Slot {
    switch slot.content {
    case .nothing: return Slot(leaf: item)
    case .leaf(let first):
      next[item] = UInt32(first)
      var (count, isDivisible) = (0, false)
      forEach(from: item) { feed in
        count += 1
        isDivisible = isDivisible || feeds[Int(feed)].key != key
      }
      guard count > Self.limitLeaf, isDivisible else { return Slot(leaf: item) }
      return divide(item, feeds)
    case .split(let split):
      let prefix = splits[split].prefix
      guard prefix.contains(key) else {
        splits.appendSparingly(Split(Prefix(common: key, prefix.bits)))
        let new = splits.count - 1
        splits[new].slots[splits[new].prefix.quarter(of: key)] = Slot(leaf: item)
        splits[new].slots[splits[new].prefix.quarter(of: prefix.bits)] = slot
        return Slot(split: new)
      }
      splits[split].hash = .zero
      let quarter = prefix.quarter(of: key)
      let below = place(item, key, at: splits[split].slots[quarter], feeds)
      splits[split].slots[quarter] = below
      return slot
    }
  }

  /// A split for the items of a leaf that are too many.
  private mutating func divide(_ first: Int, _ feeds: FeedTable) -> Slot {
    let leaf = chain(first)
    let keys = leaf.map { feeds[Int(feed(of: $0))].key }
    let lowest = keys.min() ?? 0
    let highest = keys.max() ?? 0
    splits.appendSparingly(Split(Prefix(common: lowest, highest)))
    let split = splits.count - 1
    for (item, key) in zip(leaf, keys) {
      next[item] = Self.end
      let quarter = splits[split].prefix.quarter(of: key)
      let below = place(item, key, at: splits[split].slots[quarter], feeds)
      splits[split].slots[quarter] = below
    }
    return Slot(split: split)
  }

  /// The items of a leaf.
  private func chain(_ first: Int) -> [Int] {
    var leaf = [first]
    var item = next[first]
    while item != Self.end {
      leaf.append(Int(item))
      item = next[Int(item)]
    }
    return leaf
  }

  /// Calls `body` with the feeds of a leaf.
  private func forEach(from first: Int, _ body: (UInt32) -> Void) {
    var item = first
    while true {
      body(feed(of: item))
      guard next[item] != Self.end else { return }
      item = Int(next[item])
    }
  }

  /// Notes that a feed with this key changed.
  mutating func touch(_ key: UInt64) {
    var slot = top
    while case .split(let split) = slot.content, splits[split].prefix.contains(key) {
      splits[split].hash = .zero
      slot = splits[split].slots[splits[split].prefix.quarter(of: key)]
    }
  }

  // MARK: - Asking

  /// The feeds with a key: one, unless somebody found two with the same.
  func find(_ key: UInt64, _ feeds: FeedTable) -> [UInt32] {
    all(Prefix(bits: key, depth: Prefix.limitDepth), feeds)
  }

  /// The hash of everything; zero for nothing.
  mutating func root(_ feeds: FeedTable) -> ShortHash { hash(top, feeds) }

  /// What is in a part.
  mutating func part(_ prefix: Prefix, _ feeds: FeedTable) -> Part {
    let slot = slot(prefix)
    switch slot.content {
    case .nothing: return .feeds([])
    case .leaf: return .feeds(all(prefix, feeds))
    case .split(let split): return .quarters(splits[split].prefix, quarters(of: split, feeds))
    }
  }

  /// The hashes of the quarters of a part that is not at the bottom.
  mutating func quarters(_ prefix: Prefix, _ feeds: FeedTable) -> [4 of ShortHash] {
    var quarters: [4 of ShortHash] = .init(repeating: .zero)
    switch part(prefix, feeds) {
    case .quarters(prefix, let hashes): return hashes
    case .quarters(let smaller, _): quarters[prefix.quarter(of: smaller.bits)] = hash(slot(prefix), feeds)
    case .feeds(let few):
      for quarter in 0..<4 {
        guard let child = prefix.child(quarter) else { continue }
        let states = few.map { feeds[Int($0)] }.filter { child.contains($0.key) }.map { ($0.key, $0.state) }
        quarters[quarter] = Self.hash(leaf: states)
      }
    }
    return quarters
  }

  /// All feeds in a part.
  func all(_ prefix: Prefix, _ feeds: FeedTable) -> [UInt32] {
    var found: [UInt32] = []
    var left = [slot(prefix)]
    while let slot = left.popLast() {
      switch slot.content {
      case .nothing: break
      case .leaf(let first):
        forEach(from: first) { if prefix.contains(feeds[Int($0)].key) { found.append($0) } }
      case .split(let split): for quarter in 0..<4 { left.append(splits[split].slots[quarter]) }
      }
    }
    return found
  }

  /// Where everything in a part hangs; a leaf there may hold more.
  private func slot(_ prefix: Prefix) -> Slot {
    var slot = top
    while case .split(let split) = slot.content {
      let here = splits[split].prefix
      if here.depth >= prefix.depth { return prefix.contains(here.bits) ? slot : .empty }
      guard here.contains(prefix.bits) else { return .empty }
      slot = splits[split].slots[here.quarter(of: prefix.bits)]
    }
    return slot
  }

  // MARK: - Hashes

  private mutating func hash(_ slot: Slot, _ feeds: FeedTable) -> ShortHash {
    switch slot.content {
    case .nothing: return .zero
    case .leaf(let first):
      var states: [LeafState] = []
      states.reserveCapacity(Self.limitLeaf)
      forEach(from: first) {
        let feed = feeds[Int($0)]
        states.append((feed.key, feed.state))
      }
      return Self.hash(leaf: states)
    case .split(let split):
      if splits[split].hash != .zero { return splits[split].hash }
      let quarters = quarters(of: split, feeds)
      var hash = Blake2b(domain: "parlor-part-1")
      for quarter in 0..<4 { hash.update(quarters[quarter]) }
      let result = ShortHash(hash.digest())
      splits[split].hash = result
      return result
    }
  }

  private mutating func quarters(of split: Int, _ feeds: FeedTable) -> [4 of ShortHash] {
    var quarters: [4 of ShortHash] = .init(repeating: .zero)
    for quarter in 0..<4 { quarters[quarter] = hash(splits[split].slots[quarter], feeds) }
    return quarters
  }

  /// What a leaf's hash is of: a feed's key and how it stands.
  private typealias LeafState = (key: UInt64, state: ShortHash)

  private static func hash(leaf states: [LeafState]) -> ShortHash {
    guard !states.isEmpty else { return .zero }
    var hash = Blake2b(domain: "parlor-leaf-1")
    for state in states.sorted(by: <) {
      hash.update(bigEndian: state.0)
      hash.update(state.1)
    }
    return ShortHash(hash.digest())
  }
}

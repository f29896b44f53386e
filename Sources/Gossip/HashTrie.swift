import Events

/// A set of feeds as a hash trie: the hash of any part says whether two peers hold the same there.
///
/// Keys are taken two bits at a time. A part with up to four feeds is a leaf, so the shape, and with it every
/// hash, follows from the set alone. Feeds are only added; hashes of changed parts are computed when asked for.
struct HashTrie: Sendable {
  /// Which part of the trie: the first `2 * depth` bits of the keys in it.
  struct Prefix: Hashable, Sendable {
    static let root = Prefix(bits: 0, depth: 0)
    static let limitDepth: UInt8 = 32

    /// The bits, at the top; the others are zero.
    let bits: UInt64
    let depth: UInt8

    /// One of the four parts of this part; `nil` at the bottom.
    func child(_ number: Int) -> Prefix? {
      guard depth < Self.limitDepth else { return nil }
      return Prefix(bits: bits | UInt64(number) << (62 - 2 * UInt64(depth)), depth: depth + 1)
    }

    /// Whether a key is in this part.
    func contains(_ key: UInt64) -> Bool {
      depth == 0 || (key ^ bits) >> (64 - 2 * UInt64(depth)) == 0
    }
  }

  /// What a part holds.
  enum Part {
    /// Up to four feeds, or more with one key at the bottom.
    case feeds([UInt32])
    /// More: the hash of each quarter.
    case quarters([4 of ShortHash])
  }

  private enum Slot {
    case empty
    case leaf(Int)
    case node(Int)
  }

  private struct Node {
    /// 0: nothing; odd: the first item of a leaf; even: a node.
    var slots: [4 of UInt32] = .init(repeating: 0)
    /// Zero when it has to be computed.
    var hash = ShortHash.zero

    func slot(_ quarter: Int) -> Slot {
      let value = slots[quarter]
      guard value != 0 else { return .empty }
      return value & 1 == 1 ? .leaf(Int(value >> 1)) : .node(Int(value >> 1))
    }

    mutating func set(_ quarter: Int, leaf item: Int) { slots[quarter] = UInt32(item) << 1 | 1 }
    mutating func set(_ quarter: Int, node: Int) { slots[quarter] = UInt32(node) << 1 }
  }

  private struct Item {
    let feed: UInt32
    /// The next item of the same leaf; `UInt32.max` at its end.
    var next: UInt32
  }

  private static let limitLeaf = 4
  private static let end = UInt32.max

  private var nodes = [Node()]
  private var items: [Item] = []

  /// How many feeds are in it.
  var count: Int { items.count }

  /// Makes room for feeds that come.
  mutating func reserve(_ count: Int) {
    items.reserveCapacity(count)
    nodes.reserveCapacity(count / 5 + 8)
  }

  private static func quarter(_ key: UInt64, _ depth: Int) -> Int { Int(key >> (62 - 2 * UInt64(depth)) & 3) }

  // MARK: - Changing

  /// Adds a feed that is not in it.
  mutating func insert(_ feed: UInt32, _ feeds: [Feed]) {
    let key = feeds[Int(feed)].key
    items.append(Item(feed: feed, next: Self.end))
    place(items.count - 1, key, from: 0, depth: 0, feeds)
  }

  private mutating func place(_ item: Int, _ key: UInt64, from start: Int, depth start2: Int, _ feeds: [Feed])
  {
    var node = start
    var depth = start2
    while true {
      nodes[node].hash = .zero
      let quarter = Self.quarter(key, depth)
      depth += 1
      switch nodes[node].slot(quarter) {
      case .node(let next): node = next
      case .empty:
        nodes[node].set(quarter, leaf: item)
        return
      case .leaf(let first):
        items[item].next = UInt32(first)
        nodes[node].set(quarter, leaf: item)
        if depth < Int(Prefix.limitDepth), chain(item).count > Self.limitLeaf {
          split(item, at: node, quarter, depth: depth, feeds)
        }
        return
      }
    }
  }

  private mutating func split(_ first: Int, at node: Int, _ quarter: Int, depth: Int, _ feeds: [Feed]) {
    let members = chain(first)
    nodes.append(Node())
    nodes[node].set(quarter, node: nodes.count - 1)
    for item in members {
      items[item].next = Self.end
      place(item, feeds[Int(items[item].feed)].key, from: nodes.count - 1, depth: depth, feeds)
    }
  }

  /// The items of a leaf.
  private func chain(_ first: Int) -> [Int] {
    var members = [first]
    var next = items[first].next
    while next != Self.end {
      members.append(Int(next))
      next = items[Int(next)].next
    }
    return members
  }

  /// Notes that a feed with this key changed.
  mutating func touch(_ key: UInt64) {
    var node = 0
    var depth = 0
    while true {
      nodes[node].hash = .zero
      guard case .node(let next) = nodes[node].slot(Self.quarter(key, depth)) else { return }
      node = next
      depth += 1
    }
  }

  // MARK: - Asking

  /// The feeds with a key: one, unless somebody found two with the same.
  func find(_ key: UInt64, _ feeds: [Feed]) -> [UInt32] {
    var node = 0
    var depth = 0
    while true {
      switch nodes[node].slot(Self.quarter(key, depth)) {
      case .empty: return []
      case .node(let next): node = next
      case .leaf(let first): return members(first).filter { feeds[Int($0)].key == key }
      }
      depth += 1
    }
  }

  private func members(_ first: Int) -> [UInt32] { chain(first).map { items[$0].feed } }

  /// The hash of everything; zero for nothing.
  mutating func root(_ feeds: [Feed]) -> ShortHash {
    guard !items.isEmpty else { return .zero }
    if items.count <= Self.limitLeaf { return Self.hash(leaf: items.map(\.feed), feeds) }
    return hash(node: 0, feeds)
  }

  /// What is in a part.
  mutating func part(_ prefix: Prefix, _ feeds: [Feed]) -> Part {
    if prefix.depth == 0, items.count <= Self.limitLeaf { return .feeds(items.map(\.feed)) }
    var node = 0
    for depth in 0..<Int(prefix.depth) {
      switch nodes[node].slot(Self.quarter(prefix.bits, depth)) {
      case .empty: return .feeds([])
      case .node(let next): node = next
      case .leaf(let first): return .feeds(members(first).filter { prefix.contains(feeds[Int($0)].key) })
      }
    }
    return .quarters(quarters(of: node, feeds))
  }

  /// The hashes of the quarters of a part, however few feeds it has.
  mutating func quarters(_ prefix: Prefix, _ feeds: [Feed]) -> [4 of ShortHash] {
    switch part(prefix, feeds) {
    case .quarters(let quarters): return quarters
    case .feeds(let few):
      var quarters: [4 of ShortHash] = .init(repeating: .zero)
      for quarter in 0..<4 {
        guard let child = prefix.child(quarter) else { continue }
        let inside = few.filter { child.contains(feeds[Int($0)].key) }
        quarters[quarter] = Self.hash(leaf: inside, feeds)
      }
      return quarters
    }
  }

  /// All feeds in a part.
  func all(_ prefix: Prefix, _ feeds: [Feed]) -> [UInt32] {
    var found: [UInt32] = []
    var nodesLeft = [0]
    for depth in 0..<Int(prefix.depth) {
      switch nodes[nodesLeft[0]].slot(Self.quarter(prefix.bits, depth)) {
      case .empty: return []
      case .node(let next): nodesLeft[0] = next
      case .leaf(let first): return members(first).filter { prefix.contains(feeds[Int($0)].key) }
      }
    }
    while let node = nodesLeft.popLast() {
      for quarter in 0..<4 {
        switch nodes[node].slot(quarter) {
        case .empty: break
        case .node(let next): nodesLeft.append(next)
        case .leaf(let first): found += members(first)
        }
      }
    }
    return found
  }

  // MARK: - Hashes

  private mutating func quarters(of node: Int, _ feeds: [Feed]) -> [4 of ShortHash] {
    var quarters: [4 of ShortHash] = .init(repeating: .zero)
    for quarter in 0..<4 {
      switch nodes[node].slot(quarter) {
      case .empty: break
      case .leaf(let first): quarters[quarter] = Self.hash(leaf: members(first), feeds)
      case .node(let next): quarters[quarter] = hash(node: next, feeds)
      }
    }
    return quarters
  }

  private mutating func hash(node: Int, _ feeds: [Feed]) -> ShortHash {
    if nodes[node].hash != .zero { return nodes[node].hash }
    let quarters = quarters(of: node, feeds)
    var hash = Blake2b(domain: "parlor-part-1")
    for quarter in 0..<4 { hash.update(quarters[quarter]) }
    let result = ShortHash(hash.digest())
    nodes[node].hash = result
    return result
  }

  private static func hash(leaf members: [UInt32], _ feeds: [Feed]) -> ShortHash {
    guard !members.isEmpty else { return .zero }
    var hash = Blake2b(domain: "parlor-leaf-1")
    for state in members.map({ feeds[Int($0)] }).map({ ($0.key, $0.state) }).sorted(by: <) {
      hash.update(bigEndian: state.0)
      hash.update(state.1)
    }
    return ShortHash(hash.digest())
  }
}

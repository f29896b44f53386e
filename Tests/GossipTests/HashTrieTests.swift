import BotKit
import Events
import TestKit
import Testing

@testable import Gossip

/// The trie against a slow reference that computes every hash from the sorted list of feeds.
@Suite struct HashTrieTests {
  /// What Docs/PROTOCOL.md says of a part's hash, word for word.
  private static func hash(_ feeds: [Feed], bits: UInt64, depth: UInt64) -> ShortHash {
    let inside = feeds.filter { depth == 0 || $0.key >> (64 - 2 * depth) == bits >> (64 - 2 * depth) }
    guard !inside.isEmpty else { return .zero }
    if inside.count <= 4 || Set(inside.map(\.key)).count == 1 {
      var hash = Blake2b(domain: "parlor-leaf-1")
      for feed in inside.sorted(by: { ($0.key, $0.state) < ($1.key, $1.state) }) {
        hash.update(bigEndian: feed.key)
        hash.update(bigEndian: feed.state.high)
        hash.update(bigEndian: feed.state.low)
      }
      return ShortHash(hash.digest())
    }
    // Divided where the keys first differ.
    var depth = depth
    while Set(inside.map { $0.key >> (62 - 2 * depth) }).count == 1 { depth += 1 }
    let start = depth == 0 ? 0 : (inside[0].key >> (64 - 2 * depth)) << (64 - 2 * depth)
    var hash = Blake2b(domain: "parlor-part-1")
    for quarter in 0..<UInt64(4) {
      let part = Self.hash(inside, bits: start | quarter << (62 - 2 * depth), depth: depth + 1)
      hash.update(bigEndian: part.high)
      hash.update(bigEndian: part.low)
    }
    return ShortHash(hash.digest())
  }

  /// Feeds, each in a room of its own, as a list and as the table that the trie looks them up in.
  private struct Feeds {
    private(set) var list: [Feed] = []
    private(set) var table = FeedTable()

    mutating func add(_ key: UInt64, _ sequence: UInt64) {
      var room = [UInt8](repeating: UInt8(truncatingIfNeeded: list.count), count: 32)
      for byte in 0..<4 { room[byte] = UInt8(truncatingIfNeeded: key >> (56 - 8 * UInt64(byte))) }
      table.add(RoomID(Bytes32(room, at: 0)))
      var feed = Feed(key: key, room: list.count)
      feed.set(.init(author: .none, sequence: sequence, head: .none))
      list.append(feed)
      #expect(table.add(feed) == UInt32(list.count - 1))
    }

    mutating func change(_ feed: Int, to sequence: UInt64) {
      list[feed].set(.init(author: .none, sequence: sequence, head: .none))
      table[feed] = list[feed]
    }
  }

  /// Random keys, and keys that somebody ground to lie close together or to be the same.
  private static func key(_ random: inout RandomStream) -> UInt64 {
    switch random.next() % 4 {
    case 0: return 0xABCD_EF01_2345_6700 | random.next() % 16
    case 1: return random.next() & 0xF000_0000_0000_0003
    default: return random.next()
    }
  }

  @Test(arguments: 0..<UInt64(Effort.size(60, quick: 6))) func hashesAreThoseOfTheReference(_ seed: UInt64) {
    var random = RandomStream(seed: seed)
    // Not all feeds are in the trie, as where there are several tries; or all.
    let skips = seed % 2 == 0
    var feeds = Feeds()
    var members: [Int] = []
    var trie = HashTrie()
    for step in 0..<UInt64(120) {
      if step % 3 < 2 {
        feeds.add(Self.key(&random), 1 + random.next() % 9)
        if skips, random.next() % 4 == 0 { continue }
        members.append(feeds.list.count - 1)
        trie.insert(UInt32(feeds.list.count - 1), feeds.table)
      } else {
        let changed = Int(random.next() % UInt64(feeds.list.count))
        feeds.change(changed, to: 100 + step)
        trie.touch(feeds.list[changed].key)
      }
      if step % 5 == 0 {
        #expect(trie.root(feeds.table) == Self.hash(members.map { feeds.list[$0] }, bits: 0, depth: 0))
      }
    }
    #expect(trie.root(feeds.table) == Self.hash(members.map { feeds.list[$0] }, bits: 0, depth: 0))
    checkParts(trie, members, feeds, &random)
  }

  /// What the table gives back is what was put in.
  private func checkTable(_ feeds: Feeds) {
    for (number, feed) in feeds.list.enumerated() {
      let kept = feeds.table[number]
      #expect(kept.key == feed.key && kept.state == feed.state && kept.room == feed.room)
      #expect(kept.sequence == feed.sequence && kept.isForked == feed.isForked)
    }
  }

  private func checkParts(_ trie: HashTrie, _ members: [Int], _ feeds: Feeds, _ random: inout RandomStream) {
    checkTable(feeds)
    var trie = trie
    let table = feeds.table
    let inside = members.map { feeds.list[$0] }
    for feed in feeds.list {
      #expect(
        trie.find(feed.key, table).sorted()
          == members.filter { feeds.list[$0].key == feed.key }.map(UInt32.init))
      let depth = UInt8(random.next() % 33)
      let unused = 64 - 2 * UInt64(depth)
      let bits = depth == 0 ? 0 : (feed.key >> unused) << unused
      let prefix = HashTrie.Prefix(bits: bits, depth: depth)
      #expect(
        trie.all(prefix, table).sorted()
          == members.filter { prefix.contains(feeds.list[$0].key) }.map(UInt32.init))
      guard depth < 32 else { continue }
      let quarters = trie.quarters(prefix, table)
      for quarter in 0..<4 {
        let expected = Self.hash(
          inside, bits: bits | UInt64(quarter) << (62 - 2 * UInt64(depth)), depth: UInt64(depth) + 1)
        #expect(quarters[quarter] == expected)
      }
    }
  }

  /// The shape follows from the set: every order of adding gives the same hash.
  @Test func theOrderOfAddingDoesNotMatter() {
    var random = RandomStream(seed: 9)
    var feeds = Feeds()
    for _ in 0..<200 { feeds.add(Self.key(&random), 1 + random.next() % 9) }
    var roots: Set<ShortHash> = []
    for _ in 0..<20 {
      var trie = HashTrie()
      for feed in feeds.list.indices.shuffled(using: &random) { trie.insert(UInt32(feed), feeds.table) }
      roots.insert(trie.root(feeds.table))
    }
    #expect(roots.count == 1)
  }
}

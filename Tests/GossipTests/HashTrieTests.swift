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

  private static func feed(_ key: UInt64, _ sequence: UInt64) -> Feed {
    var feed = Feed(key: key, room: 0)
    feed.set(.init(author: .none, sequence: sequence, head: .none))
    return feed
  }

  /// Random keys, and keys that somebody ground to lie close together or to be the same.
  private static func key(_ random: inout RandomStream) -> UInt64 {
    switch random.next() % 4 {
    case 0: return 0xABCD_EF01_2345_6700 | random.next() % 16
    case 1: return random.next() & 0xF000_0000_0000_0003
    default: return random.next()
    }
  }

  @Test(arguments: 0..<UInt64(Effort.size(60, small: 6))) func hashesAreThoseOfTheReference(_ seed: UInt64) {
    var random = RandomStream(seed: seed)
    var feeds: [Feed] = []
    var trie = HashTrie()
    for step in 0..<UInt64(120) {
      if step % 3 < 2 {
        feeds.append(Self.feed(Self.key(&random), 1 + random.next() % 9))
        trie.insert(UInt32(feeds.count - 1), feeds)
      } else {
        let changed = Int(random.next() % UInt64(feeds.count))
        feeds[changed] = Self.feed(feeds[changed].key, 100 + step)
        trie.touch(feeds[changed].key)
      }
      if step % 5 == 0 { #expect(trie.root(feeds) == Self.hash(feeds, bits: 0, depth: 0)) }
    }
    #expect(trie.root(feeds) == Self.hash(feeds, bits: 0, depth: 0))
    checkParts(trie, feeds, &random)
  }

  private func checkParts(_ trie: HashTrie, _ feeds: [Feed], _ random: inout RandomStream) {
    var trie = trie
    for feed in feeds {
      #expect(
        trie.find(feed.key, feeds).sorted()
          == feeds.indices.filter { feeds[$0].key == feed.key }.map(UInt32.init))
      let depth = UInt8(random.next() % 33)
      let unused = 64 - 2 * UInt64(depth)
      let bits = depth == 0 ? 0 : (feed.key >> unused) << unused
      let prefix = HashTrie.Prefix(bits: bits, depth: depth)
      #expect(
        trie.all(prefix, feeds).sorted()
          == feeds.indices.filter { prefix.contains(feeds[$0].key) }.map(UInt32.init))
      guard depth < 32 else { continue }
      let quarters = trie.quarters(prefix, feeds)
      for quarter in 0..<4 {
        let expected = Self.hash(
          feeds, bits: bits | UInt64(quarter) << (62 - 2 * UInt64(depth)), depth: UInt64(depth) + 1)
        #expect(quarters[quarter] == expected)
      }
    }
  }

  /// The shape follows from the set: every order of adding gives the same hash.
  @Test func theOrderOfAddingDoesNotMatter() {
    var random = RandomStream(seed: 9)
    let feeds = (0..<200).map { _ in Self.feed(Self.key(&random), 1 + random.next() % 9) }
    var roots: Set<ShortHash> = []
    for _ in 0..<20 {
      var trie = HashTrie()
      for feed in feeds.indices.shuffled(using: &random) { trie.insert(UInt32(feed), feeds) }
      roots.insert(trie.root(feeds))
    }
    #expect(roots.count == 1)
  }
}

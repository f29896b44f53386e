import Events

/// Half of a BLAKE2b-256: what the directory is built of.
package struct ShortHash: Hashable, Comparable, Sendable {
  /// Stands for nothing: no feed, an empty part of a trie.
  package static let zero = ShortHash(high: 0, low: 0)

  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ bytes: Bytes32) {
    self.init(high: bytes.prefix128.high, low: bytes.prefix128.low)
  }

  package static func < (a: ShortHash, b: ShortHash) -> Bool { (a.high, a.low) < (b.high, b.low) }

  /// Three bytes that stand for the hash in one exchange; 0 for nothing. The salt is drawn for that exchange, so
  /// nobody can have looked for two states that look alike; two that do by accident differ in the next exchange.
  func tag(salt: UInt64) -> UInt32 {
    guard self != .zero else { return 0 }
    var hash = Blake2b(domain: "parlor-tag-1")
    hash.update(bigEndian: salt)
    hash.update(self)
    return max(1, UInt32(truncatingIfNeeded: hash.digest().prefix64 >> 40))
  }
}

extension Blake2b {
  mutating func update(_ hash: ShortHash) {
    update(bigEndian: hash.high)
    update(bigEndian: hash.low)
  }
}

import Events

/// Numbers that nobody else foresees, which follow from a seed.
struct Draws: Sendable {
  private let seed: UInt64
  private var drawn: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  mutating func next() -> UInt64 {
    drawn += 1
    var hash = Blake2b(domain: "parlor-draws-1")
    hash.update(bigEndian: seed)
    hash.update(bigEndian: drawn)
    return hash.digest().prefix64
  }
}

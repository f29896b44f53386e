internal import Rules

/// The numbers of a seed, so that a failing one repeats: those that rounds are drawn by.
package struct SeededGenerator: RandomNumberGenerator {
  private var numbers: Chance

  /// The numbers of this seed.
  package init(state: UInt64) { numbers = Chance(seed: state) }

  package mutating func next() -> UInt64 { numbers.next() }
}

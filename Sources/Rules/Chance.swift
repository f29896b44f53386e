/// The chance of one round: random numbers that all seats drew together (Docs/PROTOCOL.md §1.5).
///
/// The seed is a hash of the salts with which the seats had committed, each fixed before any was known. The numbers
/// are those of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), fixed
/// here for ever, because games replay from it; the standard library's generators may change.
public struct Chance: RandomNumberGenerator, Hashable, Sendable {
  @usableFromInline var state: UInt64

  /// The random numbers of this seed.
  public init(seed: UInt64) { state = seed }

  /// What rules are given that draw nothing.
  public static let none = Chance(seed: 0)

  /// The next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, `bound`, all equally likely (multiplication with rejection, Lemire
  /// 2019).
  /// - Parameter bound: greater than 0.
  @inlinable
  public mutating func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a random number needs a bound above 0")
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    }
    return product.high
  }

  /// One of a list, all equally likely: that at the place `below(count)`.
  /// - Parameter list: not empty.
  public mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(below(UInt64(list.count)))]
  }
}

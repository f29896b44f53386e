// One of the set bits of a mask, found without a loop and without an instruction that counts bits: not every processor
// that the compiler writes for has one. Random games ask for little else.

/// A one in each of the eight bytes.
private let ones: UInt64 = 0x0101_0101_0101_0101

/// How many of eight counts, a byte each and below 128, are at most `number`, which is below 128.
@inline(__always)
private func places(in counts: UInt64, upTo number: Int) -> Int {
  let above = (UInt64(truncatingIfNeeded: number) &* ones | 0x8080_8080_8080_8080) &- counts
  return Int(truncatingIfNeeded: ((above &>> 7 & ones) &* ones) &>> 56)
}

/// For each mask of nine bits sixteen bytes: the places of its set bits, ascending; in the last two whether three of
/// them are a line of a board of three by three, and how many there are.
private let nineBits: [UInt8] = (UInt16(0)..<512).flatMap { mask -> [UInt8] in
  let places = (UInt8(0)..<9).filter { mask >> UInt16($0) & 1 != 0 }
  let isLine: UInt8 = TicTacToe.Position.hasLine(mask) ? 1 : 0
  return places + [UInt8](repeating: 0, count: 14 - places.count) + [isLine, UInt8(places.count)]
}

/// The set bits of a mask of nine, from a table.
struct NineBits {
  private let row: Int

  /// - Parameter mask: below 512.
  @inline(__always)
  init(_ mask: UInt16) { row = Int(mask) &<< 4 }

  /// How many bits are set.
  @inline(__always) var count: Int { Int(nineBits[row | 15]) }

  /// Whether three of them are a line of a board of three by three.
  @inline(__always) var hasLine: Bool { nineBits[row | 14] != 0 }

  /// The place of one of the set bits.
  /// - Parameter number: which one, from 0 at the lowest; less than `count`.
  @inline(__always)
  func place(ofSetBit number: Int) -> Int { Int(nineBits[row | number]) }
}

/// The set bits of a mask of 64, counted once.
struct CountedBits {
  private let mask: UInt64
  /// For each byte how many bits are set up to its end, a byte each.
  private let counts: UInt64

  @inline(__always)
  init(_ mask: UInt64) {
    self.mask = mask
    var sums = mask &- (mask &>> 1 & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ (sums &>> 2 & 0x3333_3333_3333_3333)
    sums = (sums &+ sums &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    counts = sums &* ones
  }

  /// How many bits are set.
  @inline(__always) var count: Int { Int(truncatingIfNeeded: counts &>> 56) }

  /// The place of one of the set bits.
  /// - Parameter number: which one, from 0 at the lowest; less than `count`.
  @inline(__always)
  func place(ofSetBit number: Int) -> Int {
    precondition((0..<count).contains(number), "there is no set bit \(number)")
    let shift = 8 &* places(in: counts, upTo: number)
    let before = (counts &<< 8) &>> UInt64(truncatingIfNeeded: shift) & 0xFF
    let byte = NineBits(UInt16(truncatingIfNeeded: mask &>> UInt64(truncatingIfNeeded: shift) & 0xFF))
    return shift &+ byte.place(ofSetBit: number &- Int(truncatingIfNeeded: before))
  }
}

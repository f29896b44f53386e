extension UInt64 {
  /// The place of one of the set bits, without an instruction that counts bits: not every processor that the compiler
  /// writes for has one.
  /// - Parameter number: which one, from 0 at the lowest; less than `nonzeroBitCount`.
  @inline(__always)
  func place(ofSetBit number: Int) -> Int {
    var sums = self &- (self &>> 1 & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ (sums &>> 2 & 0x3333_3333_3333_3333)
    sums = (sums &+ sums &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    // Each byte has the count of the bits up to its own end.
    let counts = sums &* 0x0101_0101_0101_0101
    var (shift, before) = (UInt64(0), 0)
    while shift < 64 {
      let count = Int(truncatingIfNeeded: counts &>> shift & 0xFF)
      if number < count { break }
      (shift, before) = (shift + 8, count)
    }
    precondition(shift < 64, "there is no set bit \(number)")
    var byte = self &>> shift & 0xFF
    for _ in before..<number { byte &= byte &- 1 }
    return Int(truncatingIfNeeded: shift) + byte.trailingZeroBitCount
  }
}

extension UInt128 {
  /// The place of one of the set bits.
  /// - Parameter number: which one, from 0 at the lowest; less than `nonzeroBitCount`.
  @inline(__always)
  func place(ofSetBit number: Int) -> Int {
    let low = UInt64(truncatingIfNeeded: self)
    let count = low.nonzeroBitCount
    guard number >= count else { return low.place(ofSetBit: number) }
    return 64 + UInt64(truncatingIfNeeded: self &>> 64).place(ofSetBit: number - count)
  }
}

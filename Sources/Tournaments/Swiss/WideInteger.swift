/// A weight that a matching adds, subtracts, halves and compares.
protocol MatchingWeight: Comparable, Sendable {
  /// How many bits of a value may be set, its sign not counted.
  static var width: Int { get }
  static var zero: Self { get }
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  /// Half of it; asked of even values only.
  var half: Self { get }
  /// Adds `value` · 2^`bit`.
  mutating func add(_ value: Int, at bit: Int)
  /// The number that words say, lowest first, as `words` tells them.
  init(words: [UInt64])
  /// Its words, lowest first, in two's complement.
  var words: [UInt64] { get }
  /// It, moved up by whole bits.
  func shifted(by bits: Int) -> Self
}

extension MatchingWeight {
  static func += (left: inout Self, right: Self) { left = left + right }
  static func -= (left: inout Self, right: Self) { left = left - right }
}

/// An integer of a fixed number of words, in two's complement, lowest word first.
///
/// The criteria of a Swiss pairing are digits of one number, so that a matching of greatest weight fulfils them
/// in their order. Numbers of 64 bits are too short for that. Sums are never longer than the fields were made
/// for, so no operation reports an overflow.
struct WideInteger<let count: Int>: MatchingWeight {
  private var storage: InlineArray<count, UInt64>

  static var zero: WideInteger { WideInteger(storage: InlineArray(repeating: 0)) }
  static var width: Int { count * UInt64.bitWidth - 1 }

  private init(storage: InlineArray<count, UInt64>) { self.storage = storage }

  init(words: [UInt64]) {
    let sign: UInt64 = words.last.map { Int64(bitPattern: $0) < 0 } ?? false ? .max : 0
    self.init(storage: InlineArray { $0 < words.count ? words[$0] : sign })
  }

  var words: [UInt64] { (0..<count).map { storage[$0] } }

  @inline(__always)
  static func + (left: WideInteger, right: WideInteger) -> WideInteger {
    var sum = left
    var carry: UInt64 = 0
    for index in 0..<count {
      let (partial, first) = left.storage[index].addingReportingOverflow(right.storage[index])
      let (word, second) = partial.addingReportingOverflow(carry)
      sum.storage[index] = word
      carry = first || second ? 1 : 0
    }
    return sum
  }

  @inline(__always)
  static func - (left: WideInteger, right: WideInteger) -> WideInteger {
    var difference = left
    var borrow: UInt64 = 0
    for index in 0..<count {
      let (partial, first) = left.storage[index].subtractingReportingOverflow(right.storage[index])
      let (word, second) = partial.subtractingReportingOverflow(borrow)
      difference.storage[index] = word
      borrow = first || second ? 1 : 0
    }
    return difference
  }

  @inline(__always)
  static func < (left: WideInteger, right: WideInteger) -> Bool {
    let high = Int64(bitPattern: left.storage[count - 1])
    let other = Int64(bitPattern: right.storage[count - 1])
    if high != other { return high < other }
    var index = count - 2
    while index >= 0 {
      if left.storage[index] != right.storage[index] { return left.storage[index] < right.storage[index] }
      index -= 1
    }
    return false
  }

  @inline(__always)
  static func == (left: WideInteger, right: WideInteger) -> Bool {
    var difference: UInt64 = 0
    for index in 0..<count { difference |= left.storage[index] ^ right.storage[index] }
    return difference == 0
  }

  var half: WideInteger {
    var half = self
    for index in 0..<count {
      let above =
        index + 1 < count
        ? storage[index + 1] << 63 : storage[index] & (1 << 63)
      half.storage[index] = storage[index] >> 1 | above
    }
    return half
  }

  mutating func add(_ value: Int, at bit: Int) {
    var addend = WideInteger.zero
    addend.storage[0] = UInt64(bitPattern: Int64(value))
    if value < 0 { for index in 1..<count { addend.storage[index] = .max } }
    self += addend.shifted(by: bit)
  }

  func shifted(by bits: Int) -> WideInteger {
    var moved = WideInteger.zero
    let whole = bits / 64
    let part = UInt64(bits % 64)
    for index in whole..<max(count, whole) {
      var word = storage[index - whole] << part
      if part > 0, index > whole { word |= storage[index - whole - 1] >> (64 - part) }
      moved.storage[index] = word
    }
    return moved
  }
}

/// A set of cells of a board of up to 19 by 19, as 384 bits without heap storage; `LineGrid` numbers the cells.
public struct CellSet: Hashable, Sendable {
  private var low: UInt128
  private var middle: UInt128
  private var high: UInt128

  /// No cell.
  public init() { self.init(0, 0, 0) }

  private init(_ low: UInt128, _ middle: UInt128, _ high: UInt128) {
    (self.low, self.middle, self.high) = (low, middle, high)
  }

  /// Whether there is no cell.
  public var isEmpty: Bool { low | middle | high == 0 }

  /// How many cells there are.
  public var count: Int { low.nonzeroBitCount + middle.nonzeroBitCount + high.nonzeroBitCount }

  /// Whether the cell of this index is one of them; no set has cells below 0 or above 383.
  @inline(__always)
  public func contains(_ index: Int) -> Bool {
    let part = index < 128 ? low : index < 256 ? middle : high
    let word = UInt64(truncatingIfNeeded: index & 64 == 0 ? part : part &>> 64)
    return word &>> UInt64(truncatingIfNeeded: index & 63) & 1 != 0 && (0..<384).contains(index)
  }

  /// Adds the cell of an index from 0 to 383.
  @inline(__always)
  public mutating func insert(_ index: Int) {
    precondition((0..<384).contains(index), "a board has no cell \(index)")
    let bit = UInt128(1) &<< UInt128(truncatingIfNeeded: index & 127)
    switch index >> 7 {
    case 0: low |= bit
    case 1: middle |= bit
    default: high |= bit
    }
  }

  /// The cells of either set.
  public static func | (a: CellSet, b: CellSet) -> CellSet {
    CellSet(a.low | b.low, a.middle | b.middle, a.high | b.high)
  }

  /// The cells of both sets.
  public static func & (a: CellSet, b: CellSet) -> CellSet {
    CellSet(a.low & b.low, a.middle & b.middle, a.high & b.high)
  }

  /// The cells of the first set that are not in the second.
  public static func - (a: CellSet, b: CellSet) -> CellSet {
    CellSet(a.low & ~b.low, a.middle & ~b.middle, a.high & ~b.high)
  }

  /// Adds the cells of another set.
  public static func |= (a: inout CellSet, b: CellSet) { a = a | b }

  /// Every cell moved so many indices down; cells below 0 are gone.
  public func down(_ distance: Int) -> CellSet {
    if distance >= 128 { return CellSet(middle, high, 0).down(distance - 128) }
    let (right, left) = (UInt128(distance), UInt128(128 - distance))
    return CellSet(low >> right | middle << left, middle >> right | high << left, high >> right)
  }

  /// Every cell moved so many indices up; cells above 383 are gone.
  public func up(_ distance: Int) -> CellSet {
    if distance >= 128 { return CellSet(0, low, middle).up(distance - 128) }
    let (left, right) = (UInt128(distance), UInt128(128 - distance))
    return CellSet(low << left, middle << left | low >> right, high << left | middle >> right)
  }

  /// Calls `body` with the index of each cell, ascending.
  public func forEach(_ body: (Int) -> Void) {
    Self.forEach(low, from: 0, body)
    Self.forEach(middle, from: 128, body)
    Self.forEach(high, from: 256, body)
  }

  private static func forEach(_ word: UInt128, from start: Int, _ body: (Int) -> Void) {
    var rest = word
    while rest != 0 {
      body(start + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

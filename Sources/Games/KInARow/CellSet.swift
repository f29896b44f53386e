/// A set of cells of a board of up to 19 by 19, as 384 bits without heap storage; `LineGrid` numbers the cells.
public struct CellSet: Hashable, Sendable {
  /// How many cells a set may have.
  private static let limit = 384
  /// The cells, 64 a word, the first one in the lowest bit.
  private var words: InlineArray<6, UInt64>

  /// No cell.
  public init() { words = InlineArray(repeating: 0) }

  private init(_ word: (Int) -> UInt64) { words = InlineArray { word($0) } }

  /// Whether both have the same cells.
  public static func == (a: CellSet, b: CellSet) -> Bool {
    var difference: UInt64 = 0
    for at in a.words.indices { difference |= a.words[at] ^ b.words[at] }
    return difference == 0
  }

  /// Feeds the cells into a hasher.
  public func hash(into hasher: inout Hasher) { for at in words.indices { hasher.combine(words[at]) } }

  /// Whether there is no cell.
  public var isEmpty: Bool { self == CellSet() }

  /// How many cells there are.
  public var count: Int {
    var count = 0
    for at in words.indices { count += words[at].nonzeroBitCount }
    return count
  }

  /// Whether the cell of this index is one of them; no set has cells below 0 or above 383.
  @inline(__always)
  public func contains(_ index: Int) -> Bool {
    guard UInt(bitPattern: index) < UInt(Self.limit) else { return false }
    return words[index &>> 6] &>> UInt64(truncatingIfNeeded: index) & 1 == 1
  }

  /// Adds the cell of an index from 0 to 383.
  public mutating func insert(_ index: Int) {
    precondition((0..<Self.limit).contains(index), "a board has no cell \(index)")
    words[index &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: index)
  }

  /// The cells of either set.
  public static func | (a: CellSet, b: CellSet) -> CellSet { CellSet { a.words[$0] | b.words[$0] } }

  /// The cells of both sets.
  public static func & (a: CellSet, b: CellSet) -> CellSet { CellSet { a.words[$0] & b.words[$0] } }

  /// The cells of the first set that are not in the second.
  public static func - (a: CellSet, b: CellSet) -> CellSet { CellSet { a.words[$0] & ~b.words[$0] } }

  /// Adds the cells of another set.
  public static func |= (a: inout CellSet, b: CellSet) { a = a | b }

  /// Every cell moved so many indices down; cells below 0 are gone.
  public func down(_ distance: Int) -> CellSet {
    let (whole, bits) = (distance / 64, UInt64(distance % 64))
    return CellSet { at in
      let (low, high) = (word(at + whole), word(at + whole + 1))
      return bits == 0 ? low : low &>> bits | high &<< (64 - bits)
    }
  }

  /// Every cell moved so many indices up; cells above 383 are gone.
  public func up(_ distance: Int) -> CellSet {
    let (whole, bits) = (distance / 64, UInt64(distance % 64))
    return CellSet { at in
      let (high, low) = (word(at - whole), word(at - whole - 1))
      return bits == 0 ? high : high &<< bits | low &>> (64 - bits)
    }
  }

  /// The cells of a word; none outside of the board.
  @inline(__always)
  private func word(_ at: Int) -> UInt64 { words.indices.contains(at) ? words[at] : 0 }

  /// The index of one of the cells.
  /// - Parameter number: which one in ascending order, from 0; less than `count`.
  public func index(ofCell number: Int) -> Int {
    var left = number
    for at in words.indices {
      let count = words[at].nonzeroBitCount
      if left < count { return 64 * at + words[at].place(ofSetBit: left) }
      left -= count
    }
    preconditionFailure("there is no cell \(number)")
  }

  /// Calls `body` with the index of each cell, ascending.
  public func forEach(_ body: (Int) -> Void) {
    for at in words.indices {
      var rest = words[at]
      while rest != 0 {
        body(64 * at + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}

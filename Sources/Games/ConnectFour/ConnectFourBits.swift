/// Connect Four's board as bits: seven bits a column, so that shifts never run from one column into the next.
///
/// ```
///    6 13 20 27 34 41 48   always empty: it stops lines at the top
///    5 12 19 26 33 40 47   top row
///    4 11 18 25 32 39 46
///    3 10 17 24 31 38 45
///    2  9 16 23 30 37 44
///    1  8 15 22 29 36 43
///    0  7 14 21 28 35 42   bottom row
/// ```
///
/// A step of 1 goes up, 7 right, 8 up and right, 6 down and right. The layout is John Tromp's (Fhourstones).
///
/// Public because the compiler inlines no `package` function into another module, and searches of other modules
/// spend most of their time here.
public enum ConnectFourBits {
  /// Columns of the board.
  public static let columns = 7
  /// Rows of the board.
  public static let rows = 6
  /// Cells of the board.
  public static let cells = 42
  /// The lowest cell of each column.
  @inlinable public static var bottom: UInt64 {
    @inline(__always) get { 0x0000_0408_1020_4081 }
  }
  /// Every cell that takes a stone.
  @inlinable public static var board: UInt64 {
    @inline(__always) get { 0x0000_FDFB_F7EF_DFBF }
  }

  /// All cells of a column.
  /// - Parameter index: 0 to 6, from the left.
  @inlinable @inline(__always) public static func column(_ index: Int) -> UInt64 {
    0x3F &<< UInt64(index &* 7)
  }

  /// One cell.
  @inlinable @inline(__always) public static func cell(column: Int, row: Int) -> UInt64 {
    1 &<< UInt64(column &* 7 &+ row)
  }

  /// The lowest empty cell of each column that has one.
  @inlinable @inline(__always) public static func playable(_ occupied: UInt64) -> UInt64 {
    (occupied &+ bottom) & board
  }

  /// Whether four of these stones stand in a line.
  @inlinable @inline(__always) public static func hasFour(_ stones: UInt64) -> Bool {
    fours(stones, step: 1) | fours(stones, step: 7) | fours(stones, step: 6) | fours(stones, step: 8) != 0
  }

  /// The first cell of each line of four in one direction.
  @inlinable @inline(__always) public static func fours(_ stones: UInt64, step: UInt64) -> UInt64 {
    let pairs = stones & (stones &>> step)
    return pairs & (pairs &>> (2 &* step))
  }

  /// All stones that stand in a line of four.
  public static func line(_ stones: UInt64) -> UInt64 {
    var cells: UInt64 = 0
    for step: UInt64 in [1, 7, 6, 8] {
      let starts = fours(stones, step: step)
      cells |= starts | (starts << step) | (starts << (2 * step)) | (starts << (3 * step))
    }
    return cells
  }

  /// The empty cells, playable now or later, that would complete a line of four for these stones.
  ///
  /// Vertical lines count from below alone: no stone of a game stands on an empty cell.
  @inlinable @inline(__always) public static func threats(_ stones: UInt64, occupied: UInt64) -> UInt64 {
    let vertical = (stones &<< 1) & (stones &<< 2) & (stones &<< 3)
    let lines =
      vertical | completions(stones, step: 7) | completions(stones, step: 6) | completions(stones, step: 8)
    return lines & (board ^ occupied)
  }

  /// Cells that complete three of four in one direction, whichever of the four is missing.
  @inlinable @inline(__always) public static func completions(_ stones: UInt64, step: UInt64) -> UInt64 {
    let below = (stones &<< step) & (stones &<< (2 &* step))
    let above = (stones &>> step) & (stones &>> (2 &* step))
    return (below & ((stones &<< (3 &* step)) | (stones &>> step)))
      | (above & ((stones &<< step) | (stones &>> (3 &* step))))
  }

  /// The board seen in a mirror: column 1 becomes column 7.
  @inlinable @inline(__always) public static func mirrored(_ bits: UInt64) -> UInt64 {
    let column: UInt64 = 0x7F
    let outer = ((bits & column) &<< 42) | ((bits &>> 42) & column)
    let second = ((bits & (column &<< 7)) &<< 28) | ((bits &>> 28) & (column &<< 7))
    let third = ((bits & (column &<< 14)) &<< 14) | ((bits &>> 14) & (column &<< 14))
    return outer | second | third | (bits & (column &<< 21))
  }
}

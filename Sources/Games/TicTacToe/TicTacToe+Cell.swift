extension TicTacToe {
  /// One cell of the board, which is also the move that fills it.
  public struct Cell: Hashable, Comparable, Sendable {
    /// The cell's number, 0 at the top left to 8 at the bottom right, row by row.
    public let index: UInt8

    /// The cell of this number; `nil` above 8.
    public init?(index: UInt8) {
      guard index < 9 else { return nil }
      self.index = index
    }

    /// The cell in a row and column, each 0 to 2.
    init(row: Int, column: Int) {
      precondition(
        (0..<3).contains(row) && (0..<3).contains(column), "no cell at row \(row), column \(column)")
      index = UInt8(truncatingIfNeeded: row * 3 + column)
    }

    /// The first cell of a mask that holds at least one.
    init(firstOf mask: UInt16) {
      precondition(mask & Position.board != 0, "no cell in the mask \(mask)")
      index = UInt8(truncatingIfNeeded: mask.trailingZeroBitCount)
    }

    /// The cell of this place in a mask, from 0 to 8.
    @inline(__always)
    init(place: Int) {
      precondition((0..<9).contains(place), "no cell has the number \(place)")
      index = UInt8(truncatingIfNeeded: place)
    }

    /// The bit of this cell in a mask of the board.
    @inline(__always) public var mask: UInt16 { 1 &<< UInt16(index) }

    /// Orders cells by number.
    public static func < (a: Cell, b: Cell) -> Bool { a.index < b.index }
  }
}

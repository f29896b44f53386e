import Rules

/// A board of cells and which lines of stones win on it.
///
/// In a `CellSet` the cell of column c and row r, both from 0, has the index 20 r + c. A board has at most 19 columns,
/// so at least one column of every row stays empty: a step of 1 (right), 20 (up), 21 (up and right) or 19 (up and left)
/// over an edge leads to a cell that no set of stones has.
public struct LineGrid: Hashable, Sendable {
  /// The widths and heights that a board may have.
  public static let sides = 3...19
  private static let stride = 20
  /// From a cell to the next one of a line, in each of the four directions.
  static let steps = [1, stride, stride + 1, stride - 1]

  /// Columns of the board.
  public let width: Int
  /// Rows of the board.
  public let height: Int
  /// How many stones in a line win.
  public let line: Int
  /// Whether a longer line does not win.
  public let isExact: Bool
  /// Every cell of the board.
  public let cells: CellSet

  /// A board.
  /// - Parameters:
  ///   - width: 3 to 19 columns.
  ///   - height: 3 to 19 rows.
  ///   - line: from 3 to the longer side.
  init(width: Int, height: Int, line: Int, isExact: Bool) {
    precondition(
      Self.sides.contains(width) && Self.sides.contains(height) && (3...max(width, height)).contains(line),
      "no board has \(width) by \(height) cells and lines of \(line)")
    (self.width, self.height, self.line, self.isExact) = (width, height, line, isExact)
    var cells = CellSet()
    for row in 0..<height {
      for column in 0..<width { cells.insert(Self.stride * row + column) }
    }
    self.cells = cells
  }

  /// A cell of a board.
  public struct Cell: Hashable, Sendable {
    /// The column, from 0 at the left.
    public let column: UInt8
    /// The row, from 0 at the bottom.
    public let row: UInt8

    /// The cell of an index.
    init(index: Int) {
      column = UInt8(truncatingIfNeeded: index % LineGrid.stride)
      row = UInt8(truncatingIfNeeded: index / LineGrid.stride)
    }

    fileprivate init(column: UInt8, row: UInt8) { (self.column, self.row) = (column, row) }

    /// The cell's index in a `CellSet`.
    @inline(__always) public var index: Int { LineGrid.stride * Int(row) + Int(column) }
  }

  /// The cell in a column and a row, both from 0; `nil` outside of the board.
  public func cell(column: Int, row: Int) -> Cell? {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return nil }
    return Cell(index: Self.stride * row + column)
  }

  /// The cell in the middle; of two, the one to the left or below.
  public var middle: CellSet {
    var cells = CellSet()
    cells.insert(Self.stride * ((height - 1) / 2) + (width - 1) / 2)
    return cells
  }

  /// Whether a cell of the board has no stone.
  @inline(__always)
  func isEmpty(_ cell: Cell, on board: StoneBoard) -> Bool {
    let index = cell.index
    return cells.contains(index) && !board.black.contains(index) && !board.white.contains(index)
  }

  /// One of the empty cells, all equally likely. Traps on a full board.
  @inline(__always)
  func randomEmptyCell(on board: StoneBoard, by chance: inout Chance) -> Cell {
    precondition(board.count < width * height, "there is no empty cell on \(board)")
    // Drawing again until a cell is empty is quicker than counting cells, also where few of them are left.
    while true {
      let number = UInt32(truncatingIfNeeded: chance.below(UInt64(truncatingIfNeeded: width &* height)))
      let row = number / UInt32(truncatingIfNeeded: width)
      let cell = Cell(
        column: UInt8(truncatingIfNeeded: number &- row &* UInt32(truncatingIfNeeded: width)),
        row: UInt8(truncatingIfNeeded: row))
      if !board.stones.contains(cell.index) { return cell }
    }
  }

  /// The cell's number, row by row from the bottom left.
  func number(of cell: Cell) -> Int { width * Int(cell.row) + Int(cell.column) }

  /// The cell of a number; `nil` when the board has fewer.
  func cell(number: Int) -> Cell? { cell(column: number % width, row: number / width) }

  /// Whether these stones have a line that wins through one of them.
  @inline(__always)
  func isWon(by stones: CellSet, through cell: Cell) -> Bool {
    Self.steps.contains { wins(run(of: stones, through: cell, step: $0).count) }
  }

  /// The stones of every line that wins through a cell.
  func winningCells(of stones: CellSet, through cell: Cell) -> CellSet {
    var cells = CellSet()
    for step in Self.steps {
      let run = run(of: stones, through: cell, step: step)
      guard wins(run.count) else { continue }
      for place in 0..<run.count { cells.insert(run.start + place * step) }
    }
    return cells
  }

  private func wins(_ count: Int) -> Bool { isExact ? count == line : count >= line }

  /// The stones on both sides of a stone without a gap, in one direction.
  @inline(__always)
  private func run(of stones: CellSet, through cell: Cell, step: Int) -> (start: Int, count: Int) {
    var (start, end) = (cell.index, cell.index + step)
    while stones.contains(start - step) { start -= step }
    while stones.contains(end) { end += step }
    return (start, (end - start) / step)
  }

  /// The cells on which a stone comes to lie that is dropped into a column.
  public func landings(on stones: CellSet) -> CellSet {
    (cells - stones) - (cells - stones).up(Self.stride)
  }

  /// The empty cells at most two steps from a stone, in any of the eight directions.
  public func neighbours(of stones: CellSet) -> CellSet {
    var near = CellSet()
    for step in Self.steps {
      let (above, below) = (stones.up(step) & cells, stones.down(step) & cells)
      near |= above | below | (above.up(step) & cells) | (below.down(step) & cells)
    }
    return near - stones
  }
}

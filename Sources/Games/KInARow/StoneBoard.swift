/// The stones of two sides that are put down in turn, black first.
public struct StoneBoard: Hashable, Sendable {
  /// The stones of the side that began.
  public private(set) var black = CellSet()
  /// The stones of the other side.
  public private(set) var white = CellSet()
  /// How many stones there are.
  public private(set) var count = 0
  /// The cell of the last stone.
  public private(set) var last: LineGrid.Cell?
  /// Whether the last stone completed a line.
  public private(set) var isWon = false

  /// No stone yet.
  init() {}

  /// Every stone.
  public var stones: CellSet { black | white }

  /// Whether the next stone is a black one.
  public var isBlackNext: Bool { count.isMultiple(of: 2) }

  /// The stones of the side that puts the next one, and those of the other side.
  public var sides: (next: CellSet, other: CellSet) { isBlackNext ? (black, white) : (white, black) }

  /// Puts the next stone on an empty cell.
  mutating func put(_ cell: LineGrid.Cell, on grid: LineGrid) {
    precondition(
      grid.isEmpty(cell, on: self) && !isWon,
      "no stone can be put on column \(cell.column), row \(cell.row) of \(self)")
    if isBlackNext { black.insert(cell.index) } else { white.insert(cell.index) }
    isWon = grid.isWon(by: isBlackNext ? black : white, through: cell)
    count += 1
    last = cell
  }
}

extension StoneBoard {
  /// The number of the last cell from 1 in two bytes (0 without a stone), the high byte first; then the black and the
  /// white stones, eight cells a byte, the cells row by row from the bottom left, the first one in the lowest bit.
  func encoded(on grid: LineGrid) -> [UInt8] {
    let last = last.map { grid.number(of: $0) + 1 } ?? 0
    return [UInt8(truncatingIfNeeded: last >> 8), UInt8(truncatingIfNeeded: last)]
      + bytes(of: black, on: grid) + bytes(of: white, on: grid)
  }

  private func bytes(of stones: CellSet, on grid: LineGrid) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (grid.width * grid.height + 7) / 8)
    stones.forEach { index in
      let number = grid.number(of: .init(index: index))
      bytes[number / 8] |= 1 << UInt8(number % 8)
    }
    return bytes
  }
}

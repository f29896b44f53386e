import Games

/// What searches want to know of games in which lines of stones win.
enum LineSearch {
  /// What lines are worth that lack one, two, three and four stones.
  private static let shares = (60, 20, 5, 1)
  /// The farthest that lines alone move an estimate.
  private static let farthest = 100_000

  /// How promising a board looks to the side that puts the next stone.
  ///
  /// Who can complete a line now has won, else who faces two cells on which the other side does has lost. Who can make
  /// two such cells with the next stone, and need not answer, wins in the end (an open four, two fours at once). Else
  /// the lines count that each side can still complete.
  static func evaluation(of board: StoneBoard, on grid: LineGrid, hasGravity: Bool) -> Int32 {
    let (mine, theirs) = board.sides
    let open = open(board, on: grid, hasGravity: hasGravity)
    if !(grid.completions(of: mine, against: theirs) & open).isEmpty { return 800_000 }
    let dangers = grid.completions(of: theirs, against: mine) & open
    if dangers.count > 1 { return -700_000 }
    // With gravity a cell beside a fork need not be open, so that a fork decides nothing yet.
    if !hasGravity, dangers.isEmpty, !grid.forks(of: mine, against: theirs).isEmpty { return 500_000 }
    let lines = promise(of: mine, against: theirs, on: grid) - promise(of: theirs, against: mine, on: grid)
    return Int32(min(max(lines, -farthest), farthest))
  }

  /// The empty cells on which a stone of the side to move is worth a search.
  ///
  /// A win at once is enough, and a win at once of the other side must be kept from it. Without gravity only cells near
  /// stones are looked at.
  /// - Returns: the cells, and whether no other one can be better.
  static func candidates(
    on board: StoneBoard, _ grid: LineGrid, hasGravity: Bool
  ) -> (cells: CellSet, isComplete: Bool) {
    let (mine, theirs) = board.sides
    let open = open(board, on: grid, hasGravity: hasGravity)
    for (own, other) in [(mine, theirs), (theirs, mine)] {
      let completions = grid.completions(of: own, against: other) & open
      if !completions.isEmpty { return (completions, true) }
    }
    let near = near(board, on: grid, hasGravity: hasGravity)
    return (near, near == open)
  }

  /// The empty cells that anybody would think of: with gravity all that can be reached, else those near stones.
  static func near(_ board: StoneBoard, on grid: LineGrid, hasGravity: Bool) -> CellSet {
    if hasGravity { return open(board, on: grid, hasGravity: true) }
    return board.count == 0 ? grid.middle : grid.neighbours(of: board.stones)
  }

  /// How near to the middle a cell is: the higher, the nearer.
  static func nearness(of cell: LineGrid.Cell, on grid: LineGrid, hasGravity: Bool) -> Int32 {
    let across = abs(2 * Int(cell.column) - grid.width + 1)
    let along = hasGravity ? 0 : abs(2 * Int(cell.row) - grid.height + 1)
    return 0 - Int32(max(across, along))
  }

  private static func open(_ board: StoneBoard, on grid: LineGrid, hasGravity: Bool) -> CellSet {
    hasGravity ? grid.landings(on: board.stones) : grid.cells - board.stones
  }

  private static func promise(of mine: CellSet, against theirs: CellSet, on grid: LineGrid) -> Int {
    let lines = grid.openLines(of: mine, against: theirs)
    return shares.0 * lines.0 + shares.1 * lines.1 + shares.2 * lines.2 + shares.3 * lines.3
  }
}

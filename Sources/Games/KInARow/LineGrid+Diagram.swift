import Rules

extension LineGrid {
  /// The board with the line that won marked, else the last stone, and its coordinates.
  /// - Parameters:
  ///   - black: the seat that has the black stones.
  ///   - playable: the empty cells that are labelled, each with `label`.
  func diagram(
    of board: StoneBoard, black: Seat, playable: CellSet, label: (Cell) -> String
  ) -> Diagram {
    let marked = marks(on: board)
    let rows = (0..<height).reversed().map { row in
      (0..<width).map { column -> Diagram.Cell in
        guard let cell = cell(column: column, row: row) else { return .empty }
        guard board.stones.contains(cell.index) else {
          return playable.contains(cell.index) ? .playable(label(cell)) : .empty
        }
        let seat = board.black.contains(cell.index) ? black : black.opponent
        return marked.contains(cell.index) ? .marked(seat) : .piece(seat)
      }
    }
    return Diagram(
      board: rows, columnLabels: columnLetters, rowLabels: (1...height).reversed().map { "\($0)" })
  }

  /// The stones that the eye should find.
  private func marks(on board: StoneBoard) -> CellSet {
    guard let last = board.last else { return CellSet() }
    if board.isWon { return winningCells(of: board.sides.other, through: last) }
    var cells = CellSet()
    cells.insert(last.index)
    return cells
  }
}

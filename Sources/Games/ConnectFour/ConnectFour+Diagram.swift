public import Rules

extension ConnectFour {
  /// The board with the cell of each legal move labelled, or with the winning line marked.
  public func diagram(of position: Position) -> Diagram {
    let line = ConnectFourBits.line(position.opponentStones)
    let board = (0..<ConnectFourBits.rows).reversed().map { row in
      (0..<ConnectFourBits.columns).map { cell(of: position, column: $0, row: row, line: line) }
    }
    return Diagram(board: board, columnLabels: (1...ConnectFourBits.columns).map(String.init))
  }

  /// The last stone is the highest one of its column.
  public func diagram(of position: Position, after last: Move) -> Diagram {
    let diagram = diagram(of: position)
    let row = diagram.board.firstIndex { row in
      switch row[last.column] {
      case .piece, .marked: true
      case .empty, .playable, .face: false
      }
    }
    return row.map { diagram.marking(row: $0, column: last.column) } ?? diagram
  }

  private func cell(of position: Position, column: Int, row: Int, line: UInt64) -> Diagram.Cell {
    let bit = ConnectFourBits.cell(column: column, row: row)
    if line & bit != 0 { return .marked(position.mover.opponent) }
    if position.moverStones & bit != 0 { return .piece(position.mover) }
    if position.occupied & bit != 0 { return .piece(position.mover.opponent) }
    let isPlayable = line == 0 && ConnectFourBits.playable(position.occupied) & bit != 0
    return isPlayable ? .playable(String(column + 1)) : .empty
  }
}

package import Games
package import Rules

extension KInARow: Evaluated {
  /// Wins that nothing can stop any more, and the lines that each side can still complete.
  package func evaluation(of position: Position, for seat: Seat) -> Int32 {
    let value = LineSearch.evaluation(of: position.board, on: grid, hasGravity: hasGravity)
    return seat == position.mover ? value : 0 - value
  }

  /// The nearer the middle, the better.
  package func preference(of move: Move) -> Int32 {
    LineSearch.nearness(of: move, on: grid, hasGravity: hasGravity)
  }

  /// Wins at once, else answers to them, else cells near stones.
  package func forEachCandidate(of seat: Seat, in position: Position, _ body: (Move) -> Void) -> Bool {
    let found = LineSearch.candidates(on: position.board, grid, hasGravity: hasGravity)
    forEachMove(of: seat, in: position) { move in
      guard let cell = landing(of: move, on: position.board) else { return }
      if found.cells.contains(cell.index) { body(move) }
    }
    return found.isComplete
  }

  /// Cells near stones; with gravity every column.
  package func forEachObviousMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    let near = LineSearch.near(position.board, on: grid, hasGravity: hasGravity)
    forEachMove(of: seat, in: position) { move in
      guard let cell = landing(of: move, on: position.board) else { return }
      if near.contains(cell.index) { body(move) }
    }
  }
}

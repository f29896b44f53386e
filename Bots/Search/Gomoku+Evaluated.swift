package import Games
package import Rules

extension Gomoku: Evaluated {
  /// Wins that nothing can stop any more, and the lines that each side can still complete.
  ///
  /// While colours are open, stones are good for the seat that chooses next when one colour is better, whichever it is.
  package func evaluation(of position: Position, for seat: Seat) -> Int32 {
    let next = LineSearch.evaluation(of: position.board, on: grid, hasGravity: false)
    let value =
      switch position.stage {
      case .play: next
      case .opening, .addition: 0 - abs(next)
      case .answer, .choice: abs(next)
      }
    return seat == position.mover ? value : 0 - value
  }

  /// The nearer the middle, the better; choices are alike.
  package func preference(of move: Move) -> Int32 {
    guard case .stone(let cell) = move else { return 0 }
    return LineSearch.nearness(of: cell, on: grid, hasGravity: false)
  }

  /// Wins at once, else answers to them, else cells near stones; every choice.
  package func forEachCandidate(of seat: Seat, in position: Position, _ body: (Move) -> Void) -> Bool {
    let found = LineSearch.candidates(on: position.board, grid, hasGravity: false)
    var isComplete = true
    forEachMove(of: seat, in: position) { move in
      if case .stone(let cell) = move {
        isComplete = found.isComplete
        guard found.cells.contains(cell.index) else { return }
      }
      body(move)
    }
    return isComplete
  }

  /// Cells near stones; every choice.
  package func forEachObviousMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    let near = LineSearch.near(position.board, on: grid, hasGravity: false)
    forEachMove(of: seat, in: position) { move in
      if case .stone(let cell) = move, !near.contains(cell.index) { return }
      body(move)
    }
  }
}

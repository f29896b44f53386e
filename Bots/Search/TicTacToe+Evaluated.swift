package import Games

extension TicTacToe: Evaluated {
  /// The middle lies on four lines, a corner on three, an edge on two.
  package func preference(of move: TicTacToe.Cell) -> Int32 {
    switch move.index {
    case 4: 4
    case 0, 2, 6, 8: 3
    default: 2
    }
  }
}

import Games

/// A game's moves as text that other programs and people read; the one place that says how.
enum MoveList {
  /// Games whose moves stand one behind the other with nothing between: columns of Connect Four, squares of a
  /// transcript of Othello, cells of tic-tac-toe.
  private static let joined = [ConnectFour.name, Othello.name, TicTacToe.name]

  /// The moves that led to these positions, in one line: a seat's as it is typed, choices of a round with a stroke
  /// between. What chance drew is left out.
  static func line(_ frames: some Sequence<ReplayFrame>, of game: String) -> String {
    frames.compactMap(\.moveText).joined(separator: joined.contains(game) ? "" : " ")
  }
}

package import Games

/// Why a position cannot be solved.
package enum SolveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a move of a position's text.
  package enum MoveReason: Hashable, Sendable {
    /// The text is no move of this game.
    case noMove
    /// The move is not legal where it stands.
    case illegal
    /// The moves before it ended the game.
    case gameOver
  }

  /// No solver knows this game; the second value lists those known.
  case wrongGame(String, known: [String])
  /// A move, counted from 1, of a position's text is wrong.
  case badMove(place: Int, reason: MoveReason)
  /// The text is no game of Connect Four.
  case badConnectFour(ConnectFour.NotationError)
  /// The host asked the search to stop.
  case cancelled

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .wrongGame(let game, let known):
      "no solver knows \(game); solvers know: \(known.joined(separator: ", "))"
    case .badMove(let place, .noMove): "move \(place) of the position is no move of this game"
    case .badMove(let place, .illegal): "move \(place) of the position is not legal there"
    case .badMove(let place, .gameOver): "move \(place) of the position comes after the end of the game"
    case .badConnectFour(let error): error.description
    case .cancelled: "the search was asked to stop"
    }
  }
}

import Games

/// What the solver knows of a position; scores are those of `ConnectFourScore`.
package struct ConnectFourSolution: Hashable, Sendable {
  /// A legal move with bounds of what it is worth to the mover.
  package struct Move: Hashable, Sendable {
    /// The column, 0 to 6.
    package var column: Int
    /// Proven: the move is worth at least this.
    package var lower: Int32
    /// Proven: the move is worth at most this.
    package var upper: Int32
  }

  /// Proven: the position is worth at least this to the side to move.
  package var lower: Int32
  /// Proven: the position is worth at most this.
  package var upper: Int32
  /// The legal moves, from the middle column outwards; none when the game is over.
  package var moves: [Move]
  /// Positions visited.
  package var nodes: UInt64

  /// The exact value, when it is proven.
  package var value: Int32? { lower == upper ? lower : nil }

  /// All best columns, ascending, when it is proven which they are.
  package var bestColumns: [Int]? {
    guard let value, moves.allSatisfy({ $0.lower >= value || $0.upper < value }) else { return nil }
    return moves.filter { $0.lower >= value }.map(\.column).sorted()
  }

  /// The move to play: of the highest proven lower bound, then of the highest upper bound, then the most
  /// central.
  package var choice: Move? {
    var best = moves.first
    for move in moves {
      guard let other = best else { break }
      if (other.lower, other.upper) < (move.lower, move.upper) { best = move }
    }
    return best
  }

  /// Whether no move can be better than `choice`.
  package var isChoiceProven: Bool {
    guard let choice else { return false }
    return choice.lower >= upper
  }

  init(lower: Int32, upper: Int32, moves: [Move], nodes: UInt64) {
    self.lower = lower
    self.upper = upper
    self.moves = moves
    self.nodes = nodes
  }

  /// The solution of a game that is over.
  init(final value: Int32) { self.init(lower: value, upper: value, moves: [], nodes: 0) }
}

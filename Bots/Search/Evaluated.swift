package import Rules

/// Rules of two seats that move in turn, one's gain the other's loss, with what searches want to know of
/// them.
///
/// Every function has a standard answer, so a game joins with an empty conformance.
package protocol Evaluated: Rules where View == Position {
  /// How promising a position that is not over looks to a seat.
  /// - Returns: between -900,000 and 900,000, the higher the better; 0 when nothing is known.
  func evaluation(of position: Position, for seat: Seat) -> Int32
  /// Calls `body` with the moves that are worth a search, in ascending order of code: at least one where there is a
  /// legal one.
  /// - Returns: whether no other legal move can be better than all of them.
  func forEachCandidate(of seat: Seat, in position: Position, _ body: (Move) -> Void) -> Bool
  /// How promising a position that is not over looks to a beginner, who counts what lies on the board.
  /// - Returns: as `evaluation` does.
  func glance(at position: Position, for seat: Seat) -> Int32
  /// Calls `body` with the moves that a beginner thinks of before any look at what they lead to, in ascending order of
  /// code: at least one where there is a legal one, and each that wins at once.
  func forEachObviousMove(of seat: Seat, in position: Position, _ body: (Move) -> Void)
  /// How good a move looks without a look at the position: searched first, preferred among equals.
  func preference(of move: Move) -> Int32
  /// What the end of a game is worth to a seat in the game's own units, between -1,000 and 1,000.
  func value(of outcome: Outcome, in position: Position, for seat: Seat) -> Int32
  /// What a value that is proven means to a player: who wins, and by how much or how soon where the units say that.
  /// - Parameters:
  ///   - value: the value for the seat that has moved.
  ///   - plies: how many moves were made, with that one.
  static func words(forProven value: Int32, after plies: Int) -> String
}

extension Evaluated {
  package func evaluation(of position: Position, for seat: Seat) -> Int32 { 0 }

  /// Every legal move.
  package func forEachCandidate(of seat: Seat, in position: Position, _ body: (Move) -> Void) -> Bool {
    forEachMove(of: seat, in: position, body)
    return true
  }

  package func glance(at position: Position, for seat: Seat) -> Int32 { 0 }

  /// Every legal move.
  package func forEachObviousMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    forEachMove(of: seat, in: position, body)
  }

  package func preference(of move: Move) -> Int32 { 0 }

  package func value(of outcome: Outcome, in position: Position, for seat: Seat) -> Int32 {
    guard let winner = outcome.winner else { return 0 }
    return winner == seat ? 1 : -1
  }

  package static func words(forProven value: Int32, after plies: Int) -> String {
    value == 0 ? "at best a draw" : value > 0 ? "wins" : "loses"
  }

  /// The legal moves of a seat, those preferred first, equals in ascending order of code.
  func orderedMoves(of seat: Seat, in position: Position) -> [Move] {
    var moves = legalMoves(of: seat, in: position)
    order(&moves)
    return moves
  }

  /// Sorts a few moves that stand in ascending order of code; equals keep their order.
  func order(_ moves: inout [Move]) {
    for end in moves.indices.dropFirst() {
      let move = moves[end]
      var index = end
      while index > 0, preference(of: moves[index - 1]) < preference(of: move) {
        moves[index] = moves[index - 1]
        index -= 1
      }
      moves[index] = move
    }
  }
}

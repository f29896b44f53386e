import Rules

/// Positions as the moves that lead to them: one character a move, or moves with spaces or commas between.
enum MoveText {
  /// Plays the moves of a text.
  static func play<R: Rules>(_ text: String, from start: GameOf<R>) throws(SolveError) -> GameOf<R> {
    var game = start
    for (index, move) in moves(in: text).enumerated() {
      guard case .seat(let seat) = game.turn else { throw .badMove(place: index + 1, reason: .gameOver) }
      guard let code = game.code(text: move) else { throw .badMove(place: index + 1, reason: .noMove) }
      guard game.isLegal(code, by: seat), game.play(code) else {
        throw .badMove(place: index + 1, reason: .illegal)
      }
    }
    return game
  }

  private static func moves(in text: String) -> [String] {
    let separators: [Unicode.Scalar] = [" ", ","]
    let scalars = text.unicodeScalars
    guard scalars.contains(where: separators.contains) else { return scalars.map { String($0) } }
    return scalars.split(whereSeparator: separators.contains).map { String($0) }
  }
}

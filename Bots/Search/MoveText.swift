import Rules

/// Positions as the moves that lead to them: one behind the other, or with spaces or commas between.
enum MoveText {
  /// The longest move that is found where nothing stands between.
  private static let longest = 3

  /// Plays the moves of a text.
  static func play<R: Rules>(_ text: String, from start: GameOf<R>) throws(SolveError) -> GameOf<R> {
    try playing(text, from: start).game
  }

  /// Plays the moves of a text, and says which they are.
  static func playing<R: Rules>(
    _ text: String, from start: GameOf<R>
  ) throws(SolveError) -> (game: GameOf<R>, moves: [MoveCode]) {
    let separators: [Unicode.Scalar] = [" ", ","]
    let scalars = text.unicodeScalars
    let isJoined = !scalars.contains(where: separators.contains)
    var words = isJoined ? [] : scalars.split(whereSeparator: separators.contains).map { String($0) }[...]
    var rest = isJoined ? scalars[...] : scalars[scalars.endIndex...]
    var (game, moves): (GameOf<R>, [MoveCode]) = (start, [])
    while let move = words.popFirst() ?? takeMove(from: &rest, of: game) {
      let place = moves.count + 1
      guard case .seat(let seat) = game.turn else { throw .badMove(place: place, reason: .gameOver) }
      guard let code = game.code(text: move) else { throw .badMove(place: place, reason: .noMove) }
      guard game.isLegal(code, by: seat), game.play(code) else {
        throw .badMove(place: place, reason: .illegal)
      }
      moves.append(code)
    }
    return (game, moves)
  }

  /// Takes the longest beginning that is a move, else one character; `nil` at the end.
  private static func takeMove<R: Rules>(
    from rest: inout Substring.UnicodeScalarView, of game: GameOf<R>
  ) -> String? {
    guard !rest.isEmpty else { return nil }
    let length = (1...longest).last { game.code(text: String(rest.prefix($0))) != nil } ?? 1
    defer { rest = rest.dropFirst(length) }
    return String(rest.prefix(length))
  }
}

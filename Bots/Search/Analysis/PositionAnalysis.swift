package import BotKit
package import Rules

/// What every move of a position is worth.
package struct PositionAnalysis: Hashable, Sendable {
  /// A move and what it is worth to the seat that makes it.
  package struct Move: Hashable, Sendable {
    /// The move.
    package var code: MoveCode
    /// In the game's own units: of the end that the search has found, else the estimate where its depth ended.
    package var value: Int32
    /// Whether the search has found an end: `value` is not an estimate.
    package var isEnd: Bool
    /// Whether that end is proven: no legal move was passed over on the way.
    package var isProven: Bool
    /// What moves are ordered by: an end that comes sooner is worth more to the winner, less to the loser.
    package var rank: Int64

    /// Whether the mover loses, as far as the search sees.
    package var isLost: Bool { isEnd && value < 0 }

    /// Whether it is worth as much as another: the same end, or the same estimate.
    package func isAsGood(as other: Move) -> Bool {
      rank >= other.rank || (isEnd && other.isEnd && value >= other.value)
    }

    /// Whether it gives away what another would have kept: a win, or that the mover does not lose.
    package func isMistake(beside best: Move) -> Bool {
      guard isEnd || best.isEnd else { return false }
      return Self.class(of: self) < Self.class(of: best)
    }

    /// 2 for a win, 0 for a loss, 1 for all that lies between.
    private static func `class`(of move: Move) -> Int {
      !move.isEnd || move.value == 0 ? 1 : move.value > 0 ? 2 : 0
    }
  }

  /// The seat to move.
  package var seat: Seat
  /// The moves that were looked at, the best first, equals in ascending order of code: at least one.
  package var moves: [Move]
  /// Whether these are all legal moves.
  package var isWhole: Bool
  /// How many plies the search looked ahead; `nil` where every move was solved.
  package var depth: Int?
  /// Positions visited.
  package var nodes: UInt64

  /// The best move.
  package var best: Move { moves[0] }

  /// What a move is worth; `nil` for one that was not looked at.
  package func move(_ code: MoveCode) -> Move? { moves.first { $0.code == code } }

  init(seat: Seat, moves: [Move], isWhole: Bool, depth: Int?, nodes: UInt64) {
    precondition(!moves.isEmpty, "a position that waits for a seat has a move")
    self.seat = seat
    self.moves = moves.sorted { a, b in a.rank == b.rank ? a.code < b.code : a.rank > b.rank }
    (self.isWhole, self.depth, self.nodes) = (isWhole, depth, nodes)
  }
}

extension SearchBots {
  /// The games that can be analyzed.
  package static var analyzedGames: [String] { SearchedGames.all.map(\.name) }

  /// Finds what every move of a position is worth: proven values where the game's solver comes to them within the
  /// limit, else what a search says that looks as far ahead as the limit allows.
  /// - Parameters:
  ///   - game: a position that waits for `seat`.
  ///   - played: a legal move that is looked at in any case.
  ///   - nodes: about how many positions are visited.
  /// - Throws: `BotError.wrongGame` for a game that is not searched, `BotError.cancelled`.
  package static func analyze(
    _ game: any GameState, seat: Seat, played: MoveCode? = nil, nodes: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> PositionAnalysis {
    let view = game.view(for: seat)
    guard let searched = SearchedGames.all.first(where: { $0.knows(view) }) else {
      throw .wrongGame(bot: "analysis", game: "another game", players: analyzedGames)
    }
    return try searched.analyze(view, seat: seat, played: played, nodes: nodes, isCancelled: isCancelled)
  }

  /// Plays the moves of a text, one behind the other or with spaces or commas between, and says which they are.
  package static func played(
    _ text: String, of rules: any GameRules
  ) throws(SolveError) -> (game: any GameState, moves: [MoveCode]) {
    guard let game = SearchedGames.named(rules.definition.name) else {
      throw .wrongGame(rules.definition.name, known: analyzedGames)
    }
    return try game.played(text, of: rules)
  }

  /// What a move is worth, in words for players.
  /// - Parameters:
  ///   - game: the game's name.
  ///   - plies: how many moves were made, with that one.
  package static func words(for move: PositionAnalysis.Move, in game: String, after plies: Int) -> String {
    let note = MoveNote(value: move.value, isProven: move.isEnd, nodes: 0)
    let words = move.isEnd && move.value == 0 ? "a draw" : words(for: note, in: game, after: plies)
    return move.isEnd && !move.isProven ? "probably \(words)" : words
  }
}

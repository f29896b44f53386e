package import BotKit
package import Rules

/// A search that finds exact values of the positions of one game.
package protocol ExactSearch<R>: Sendable {
  /// The game's rules.
  associatedtype R: Evaluated
  /// The fewest positions it is ready to visit, whatever the limit: that many prove every position.
  var leastNodes: UInt64 { get }
  /// Makes what searches need besides the position, so that the first one takes no longer than others.
  func prepare()
  /// Searches a position; the game may be over.
  /// - Parameter nodeLimit: the most positions to visit, `nil` for no limit; less than `leastNodes` is raised
  ///   to it.
  func answer(
    _ game: GameOf<R>, nodeLimit: UInt64?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ExactAnswer
  /// Reads a position as the field writes it.
  func position(_ text: String, from start: GameOf<R>) throws(SolveError) -> GameOf<R>
}

extension ExactSearch {
  package func prepare() {}

  package func position(_ text: String, from start: GameOf<R>) throws(SolveError) -> GameOf<R> {
    try MoveText.play(text, from: start)
  }
}

/// What an exact search knows of a position, in the game's own units for the side to move.
package struct ExactAnswer: Hashable, Sendable {
  /// Proven: the position is worth at least this.
  package var lower: Int32
  /// Proven: the position is worth at most this.
  package var upper: Int32
  /// All best moves in ascending order of code, when it is proven which they are.
  package var best: [MoveCode]?
  /// The move to play, `nil` when the game is over.
  package var choice: Choice?
  /// Positions visited.
  package var nodes: UInt64

  /// A move with what is known of it.
  package struct Choice: Hashable, Sendable {
    /// The move.
    package var code: MoveCode
    /// Proven: the move is worth at least this.
    package var lower: Int32
    /// Whether no other move can be worth more.
    package var isProven: Bool
  }

  /// The exact value, when it is proven.
  package var value: Int32? { lower == upper ? lower : nil }
}

package import BotKit
package import Rules

/// The exact search of games that are small enough to be searched whole: every position once, then
/// remembered.
package struct FullSearch<R: Evaluated>: ExactSearch {
  /// How many positions the game has at most.
  package let leastNodes: UInt64

  /// A search of a game of at most so many positions.
  package init(_ rules: R.Type, positions: UInt64) { leastNodes = positions }

  package func answer(
    _ game: GameOf<R>, nodeLimit: UInt64?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ExactAnswer {
    if case .over(let outcome) = game.turn {
      // Nobody is to move any more; the side that would be is the one that did not win with the last move.
      let seat = outcome.winner?.opponent ?? Seat(0)
      let value = game.rules.value(of: outcome, in: game.position, for: seat)
      return ExactAnswer(lower: value, upper: value, best: [], choice: nil, nodes: 0)
    }
    var tree = FullTree(game.rules, isCancelled: isCancelled)
    let moves = tree.moves(in: game.position)
    if tree.isStopped { throw .cancelled }
    guard var choice = moves.first else {
      preconditionFailure("\(R.name): nobody can move in \(game.position)")
    }
    for move in moves where move.worth > choice.worth { choice = move }
    let value = choice.worth.value
    return ExactAnswer(
      lower: value, upper: value,
      best: moves.filter { $0.worth.value == value }.map { game.rules.code(of: $0.move) }.sorted(),
      choice: .init(code: game.rules.code(of: choice.move), lower: value, isProven: true), nodes: tree.nodes)
  }
}

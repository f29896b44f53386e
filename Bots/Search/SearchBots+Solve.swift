import BotKit
package import Rules

/// The solution of a position, as `parlor solve` prints it; values in the game's own units for the side to
/// move.
package struct PositionSolution: Hashable, Sendable {
  /// The exact value; `nil` when the node limit came first.
  package var value: Int32?
  /// Proven: the position is worth at least this.
  package var lower: Int32
  /// Proven: the position is worth at most this.
  package var upper: Int32
  /// All best moves as text; none when the game is over or `isProven` is `false`.
  package var best: [String]
  /// Whether the value and all best moves are proven.
  package var isProven: Bool
  /// Positions visited.
  package var nodes: UInt64
}

extension SearchBots {
  /// The games that can be solved.
  package static var solvedGames: [String] { SearchedGames.solved.map(\.name) }

  /// Makes what the game's solver needs, so that the first position takes no longer than others.
  package static func prepareSolver(of rules: any GameRules) {
    SearchedGames.solved(rules.definition.name)?.prepare()
  }

  /// Solves a position.
  /// - Parameters:
  ///   - text: the moves from the start of the game; empty for the start itself.
  ///   - nodeLimit: the most positions to visit; `nil` for no limit.
  package static func solve(
    _ rules: any GameRules, position text: String, nodeLimit: UInt64? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(SolveError) -> PositionSolution {
    let name = rules.definition.name
    guard let game = SearchedGames.solved(name) else { throw .wrongGame(name, known: solvedGames) }
    let state = try game.position(text, of: rules)
    do {
      let answer = try game.exact(state.view(for: nil), nodeLimit: nodeLimit, isCancelled: isCancelled)
      return PositionSolution(
        value: answer.value, lower: answer.lower, upper: answer.upper,
        best: (answer.best ?? []).map(state.text(of:)), isProven: answer.best != nil, nodes: answer.nodes)
    } catch {
      throw error == .cancelled ? .cancelled : .wrongGame(name, known: solvedGames)
    }
  }
}

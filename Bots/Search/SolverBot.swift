import BotKit
import Rules

/// Plays the best move, proven when a number of visited positions suffices, else the one with the best
/// bounds.
///
/// Of equally good moves it plays the one that the game prefers (in Connect Four the nearest to the middle,
/// the left one of two) and then the one of the lowest code; no random number is drawn.
struct SolverBot: Bot {
  /// The positions it visits for one move when nothing else is said.
  static let standardNodes: UInt64 = 20_000_000

  let game: any SolvedGame
  let nodes: UInt64

  var declaration: BotDeclaration {
    BotDeclaration(
      specification: nodes == Self.standardNodes ? "solver" : "solver:\(nodes)", version: 2,
      nodeBudget: max(nodes, game.leastNodes))
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let answer = try game.exact(turn.game, nodeLimit: nodes, isCancelled: turn.isCancelled)
    guard let choice = answer.choice else { preconditionFailure("solver: the game is over") }
    return BotChoice(
      choice.code, note: MoveNote(value: choice.lower, isProven: choice.isProven, nodes: answer.nodes))
  }
}

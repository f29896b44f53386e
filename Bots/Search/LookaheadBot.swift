import BotKit
import Rules

/// Alpha-beta to a fixed depth, with the game's own estimate where the depth ends.
///
/// Of equally good moves it plays any, all equally likely. Its note gives the game's own units and is proven
/// when the move is best whatever comes after the depth; else the note gives the estimate, or an end that was found
/// without a look at every move.
struct LookaheadBot: Bot {
  /// The depths it takes, in plies.
  static let depths = 1...20

  let game: any SearchedGame
  let depth: Int

  var declaration: BotDeclaration {
    BotDeclaration(specification: "lookahead:\(depth)", version: 1, nodeBudget: 0)
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try game.lookahead(turn, depth: depth) }
}

/// The choice of `LookaheadBot` in one game.
enum Lookahead {
  static func choice<R: Evaluated>(
    in game: GameOf<R>, turn: BotTurn, depth: Int
  ) throws(BotError) -> BotChoice {
    var search = AlphaBeta(game.rules, depth: depth, isCancelled: turn.isCancelled)
    let answer = search.bestMoves(of: turn.seat, in: game.position, depth: depth)
    if search.isStopped { throw .cancelled }
    precondition(!answer.best.isEmpty, "lookahead: the game does not wait for \(turn.seat)")
    var random = turn.randomness.generator()
    return choice(of: answer, in: game, search, &random)
  }

  /// Any of the best moves, with a note of what the search knows of it.
  static func choice<R: Evaluated>(
    of answer: AlphaBeta<R>.Answer, in game: GameOf<R>, _ search: AlphaBeta<R>, _ random: inout RandomStream
  ) -> BotChoice {
    let move = answer.best[Int(random.below(UInt64(answer.best.count)))]
    let end = AlphaBeta<R>.ending(answer.value)
    let isProven = (end != nil || !search.hasEstimated) && !search.hasPassedOver
    let value = end ?? (isProven ? 0 : answer.value)
    return BotChoice(
      game.rules.code(of: move), note: MoveNote(value: value, isProven: isProven, nodes: search.nodes))
  }
}

import BotKit
import Rules

/// Looks one move ahead for each side and no further.
///
/// It takes a win at once. Else it plays a move after which the other side has the fewest wins at once, which
/// blocks a threat where that is possible and opens none where it can. Among such moves it plays the one that
/// the game prefers (in Connect Four the nearest to the middle), among equals any, all equally likely.
struct GreedyBot: Bot {
  let declaration = BotDeclaration(specification: "greedy", version: 1, nodeBudget: 0)
  let game: any SearchedGame

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try game.greedy(turn) }
}

/// The choice of `GreedyBot` in one game.
enum Greedy {
  static func choice<R: Evaluated>(in game: GameOf<R>, seat: Seat, randomness: RandomSource) -> BotChoice {
    let moves = game.rules.legalMoves(of: seat, in: game.position)
    precondition(!moves.isEmpty, "greedy: the game does not wait for \(seat)")
    let wins = moves.filter { isWin($0, by: seat, in: game) }
    let candidates = wins.isEmpty ? safest(moves, of: seat, in: game) : wins
    let liking = candidates.map { game.rules.preference(of: $0) }.max() ?? 0
    let equals = candidates.filter { game.rules.preference(of: $0) == liking }
    var random = randomness.generator()
    return BotChoice(game.rules.code(of: equals[Int(random.below(UInt64(equals.count)))]))
  }

  /// The moves that leave the other side the fewest wins at once.
  private static func safest<R: Evaluated>(
    _ moves: [R.Move], of seat: Seat, in game: GameOf<R>
  ) -> [R.Move] {
    let dangers = moves.map { move in
      var after = game
      after.rules.play(move, in: &after.position)
      guard case .seat(let next) = after.turn, next != seat else { return 0 }
      return after.rules.legalMoves(of: next, in: after.position).filter {
        isWin($0, by: next, in: after)
      }.count
    }
    let least = dangers.min() ?? 0
    return zip(moves, dangers).filter { $0.1 == least }.map(\.0)
  }

  private static func isWin<R: Evaluated>(_ move: R.Move, by seat: Seat, in game: GameOf<R>) -> Bool {
    var after = game
    after.rules.play(move, in: &after.position)
    return after.turn.outcome?.winner == seat
  }
}

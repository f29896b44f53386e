import BotKit
import Rules

/// Plays random games from here on, and the move after which most is won (`MonteCarlo`).
///
/// The more games, the stronger. It knows no estimate of any game, and plays
/// every open game of two that searches know.
struct MonteCarloBot: Bot {
  /// How many random games it may play for a move.
  static let games = 1...200_000
  static let standardGames = 1_000

  let game: any SearchedGame
  let games: Int

  /// The budget counts positions at which random games begin.
  var declaration: BotDeclaration {
    let specification = games == Self.standardGames ? "monte-carlo" : "monte-carlo:\(games)"
    return BotDeclaration(specification: specification, version: 1, nodeBudget: UInt64(games))
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try game.monteCarlo(turn, games: games) }
}

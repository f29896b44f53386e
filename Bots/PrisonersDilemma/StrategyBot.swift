import BotKit
import Games
import Rules

/// A bot that follows one strategy of the iterated prisoner's dilemma.
struct StrategyBot: Bot {
  let strategy: Strategy

  var declaration: BotDeclaration {
    BotDeclaration(specification: strategy.name, version: 1, nodeBudget: 0)
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    guard !turn.isCancelled() else { throw .cancelled }
    guard let game = turn.game as? ViewOf<PrisonersDilemma>, turn.seat.index < game.seats else {
      throw .wrongGame(bot: strategy.name, game: "this game", players: [])
    }
    var random = turn.randomness.generator()
    let own = game.view.history(of: turn.seat)
    let other = game.view.history(of: turn.seat.opponent)
    return BotChoice(game.rules.code(of: strategy.choose(own, other, &random)))
  }
}

public import BotKit
import Rules

/// Plays any legal move, all equally likely, of any game.
public struct RandomBot: Bot {
  public let declaration = BotDeclaration(specification: "random", version: 1, nodeBudget: 0)

  /// The bot, which has no settings.
  public init() {}

  public func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let moves = turn.game.legalMoves
    precondition(!moves.isEmpty, "random: the game does not wait for \(turn.seat)")
    var random = turn.randomness.generator()
    return BotChoice(moves[Int(random.below(UInt64(moves.count)))])
  }
}

public import BotKit
import Games
import Rules

/// The bots that play the iterated prisoner's dilemma.
public enum PrisonersDilemmaBots {
  /// One family for each strategy.
  public static let families: [BotFamily] = Strategy.all.map { strategy in
    BotFamily(name: strategy.name, summary: strategy.summary, plays: { $0 == PrisonersDilemma.name }) {
      _, _ in
      StrategyBot(strategy: strategy)
    }
  }
}

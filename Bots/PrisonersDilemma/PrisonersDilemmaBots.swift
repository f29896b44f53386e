public import BotKit
import Games
import Rules

/// The bots that play the iterated prisoner's dilemma.
public enum PrisonersDilemmaBots {
  /// The fifteen entries of the first tournament, in the order in which they came in (Axelrod 1980, table 2).
  public static let collections = [
    BotCollection(
      name: "axelrod-first", summary: "the entries of the first tournament, 1980, as they came in",
      game: PrisonersDilemma.name,
      members: [
        "tit-for-tat", "tideman-and-chieruzzi", "nydegger", "grofman", "shubik", "stein-and-rapoport",
        "grudger",
        "davis", "graaskamp", "downing", "feld", "joss", "tullock", "anonymous", "random",
      ])
  ]

  /// One family for each strategy, then those that are described after a colon.
  public static let families: [BotFamily] =
    Strategy.all.map { strategy in
      BotFamily(name: strategy.name, summary: strategy.summary, plays: { $0 == PrisonersDilemma.name }) {
        _, _ in
        StrategyBot(strategy: strategy)
      }
    }
    + StrategyArgument.all.map { form in
      BotFamily(
        name: form.name, summary: form.summary, argument: form.form, plays: { $0 == PrisonersDilemma.name }
      ) { _, argument throws(BotError) in
        StrategyBot(strategy: try form.strategy(argument))
      }
    }
}

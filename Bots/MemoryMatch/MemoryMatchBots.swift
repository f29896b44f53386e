public import BotKit
import Games
import Rules

/// The bots that play memory match.
public enum MemoryMatchBots {
  /// The families.
  public static let families: [BotFamily] = [memory, level]

  private static let memory = BotFamily(
    name: "memory",
    summary: "remembers the last CARDS cards that it saw (all by default) and plays its best by them",
    argument: "[CARDS]", plays: { $0 == MemoryMatch.name },
    build: { (_, argument) throws(BotError) in
      guard let argument else { return MemoryBot(limit: nil) }
      guard let limit = Int(argument), "\(limit)" == argument, MemoryBot.limits.contains(limit) else {
        throw .badArgument(
          bot: "memory", argument: argument,
          expected: "a number of cards from 0 to 100 may follow its name, as in memory:6")
      }
      return MemoryBot(limit: limit)
    })

  private static let level = BotFamily(
    name: "level", summary: "plays at level N, from 1 for a beginner to 10; it forgets cards, some at times",
    argument: "N", plays: { $0 == MemoryMatch.name },
    build: { (_, argument) throws(BotError) in
      guard let argument, let level = Int(argument), "\(level)" == argument, let bot = MemoryBot(level: level)
      else {
        throw .badArgument(
          bot: "level", argument: argument ?? "",
          expected: "a number from 1 to 10 follows its name, as in level:3")
      }
      return bot
    })
}

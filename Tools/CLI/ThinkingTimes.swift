import BotKit
import Platform

/// What the bots of a tournament take to choose, each measured where it thinks.
final class ThinkingTimes: Sendable {
  /// What one bot has taken.
  struct Taken: Sendable {
    var choices: Int64 = 0
    var nanoseconds: Int64 = 0
  }

  private let taken: Guarded<[Taken]>

  /// - Parameter count: how many bots there are.
  init(_ count: Int) { taken = Guarded([Taken](repeating: Taken(), count: count)) }

  /// A bot that chooses the same, and whose time is taken.
  func timed(_ bot: any Bot, as index: Int) -> any Bot { TimedBot(bot: bot, index: index, times: self) }

  /// What each has taken so far.
  var all: [Taken] { taken.withLock { $0 } }

  private struct TimedBot: Bot {
    let bot: any Bot
    let index: Int
    let times: ThinkingTimes

    var declaration: BotDeclaration { bot.declaration }

    func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
      let start = ContinuousClock.now
      defer {
        let (seconds, attoseconds) = start.duration(to: .now).components
        times.taken.withLock { taken in
          taken[index].choices += 1
          taken[index].nanoseconds += seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
      }
      return try bot.choose(turn)
    }

    func conclude(_ ending: BotEnding) { bot.conclude(ending) }
  }
}

import BotKit
import Rules

/// A bot of a tap race, in one race: when it taps follows from its level, its seed and the race's number.
///
/// Hands are not clocks. They begin a moment after the race does, have better and worse races, are never quite even,
/// stumble now and then, and tire. `Docs/LEVELS.md` has what each level wins against the one below.
package struct TapRaceBot: Sendable {
  /// Grows when a number below changes.
  package static let version: UInt16 = 1
  /// The levels that there are.
  package static let levels = 1...10

  /// What the log calls the bot of a level.
  package static func specification(level: Int) -> String { "level:\(level)" }

  /// From one tap to the next, in microseconds: from a small child's hand to nearly the quickest that are known.
  private static let intervals: [UInt64] = [
    400_000, 334_000, 278_000, 232_000, 194_000, 161_000, 135_000, 112_000, 94_000, 78_000,
  ]
  /// When the first tap comes at the earliest, and how much later at the most, in microseconds.
  private static let reaction: (least: UInt64, spread: UInt64) = (200_000, 150_000)
  /// One tap in so many comes a whole interval late.
  private static let stumble: UInt64 = 60
  /// By how many thousandths the interval grows each second, and at the most.
  private static let tiring: (perSecond: UInt64, most: UInt64) = (10, 150)

  private var numbers: RandomStream
  /// From one tap to the next in this race, in microseconds, as long as it is fresh.
  private let interval: UInt64
  /// When it taps next, in microseconds since it saw the race.
  private var next: UInt64
  private var count = 0

  /// The bot of a level in the race of this number.
  package init(level: Int, seed: UInt64, race: UInt32) {
    precondition(Self.levels.contains(level), "there is no level \(level)")
    numbers = RandomSource(seed: seed, game: race, seat: Seat(0), ply: 0).generator()
    // At most twelve hundredths quicker or slower than in other races.
    interval = Self.intervals[level - 1] * (880 + numbers.below(241)) / 1_000
    next = Self.reaction.least + numbers.below(Self.reaction.spread)
  }

  /// How often it has tapped.
  /// - Parameter milliseconds: since it saw the race; not less than what was asked before, and a race's at the most.
  package mutating func taps(until milliseconds: UInt32) -> Int {
    let end = UInt64(milliseconds) * 1_000
    while next <= end {
      count += 1
      next += gap()
    }
    return count
  }

  /// From the tap at `next` to the one after it.
  private mutating func gap() -> UInt64 {
    // Around the interval, at most a fifth of it away, and mostly much less.
    let evenness = 790 + numbers.below(141) + numbers.below(141) + numbers.below(141)
    let tired = 1_000 + min(Self.tiring.most, Self.tiring.perSecond * (next / 1_000_000))
    let gap = interval * evenness / 1_000 * tired / 1_000
    return numbers.below(Self.stumble) == 0 ? 2 * gap : gap
  }
}

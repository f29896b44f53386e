internal import BotKit

/// Pauses between attempts to connect: each twice as long as the one before, and spread by chance, so that peers
/// who lost each other do not all come back at one moment.
struct Backoff: Sendable {
  /// The first pause and the longest one, before they are spread.
  static let firstMilliseconds: UInt64 = 500
  static let limitMilliseconds: UInt64 = 60_000

  private var next = Backoff.firstMilliseconds

  /// The next pause: three to five quarters of its length.
  mutating func pause(_ random: inout RandomStream) -> UInt64 {
    let length = next
    next = min(2 * length, Self.limitMilliseconds)
    return length * 3 / 4 + random.below(length / 2 + 1)
  }

  /// Begins anew, because a connection has held.
  mutating func reset() { next = Self.firstMilliseconds }

  /// Goes on with the longest pause, because trying again soon would be in vain.
  mutating func slowDown() { next = Self.limitMilliseconds }
}

public import Rules

/// Where a bot's random numbers come from: a place in a match, never a clock, an id or a process.
///
/// Each decision has a stream of its own, so a game that goes on after a crash draws what it would have
/// drawn.
public struct RandomSource: Hashable, Sendable {
  /// The seed of the match or tournament.
  public var seed: UInt64
  /// The tournament's round, from 0; 0 outside tournaments.
  public var round: UInt32
  /// The pairing in the round, from 0; 0 outside tournaments.
  public var pairing: UInt32
  /// The game in its room, from 0.
  public var game: UInt32
  /// The bot's seat.
  public var seat: Seat
  /// How many moves (or rounds of choices) the game has seen.
  public var ply: UInt32

  /// The source of one decision.
  public init(seed: UInt64, round: UInt32 = 0, pairing: UInt32 = 0, game: UInt32 = 0, seat: Seat, ply: UInt32)
  {
    self.seed = seed
    self.round = round
    self.pairing = pairing
    self.game = game
    self.seat = seat
    self.ply = ply
  }

  /// A fresh generator of this decision's stream; each call starts it again.
  public func generator() -> RandomStream {
    var stream = RandomStream(seed: seed)
    for part in [round, pairing, game, UInt32(seat.rawValue), ply] {
      stream = RandomStream(seed: stream.next() ^ UInt64(part))
    }
    return stream
  }
}

/// A stream of random numbers, the same on every machine: that of a round's `Chance` with the same seed.
public struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
  private var numbers: Chance

  /// The stream of this seed.
  public init(seed: UInt64) { numbers = Chance(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { numbers.next() }

  /// A number from 0 up to, not including, `bound`, all equally likely.
  /// - Parameter bound: greater than 0.
  public mutating func below(_ bound: UInt64) -> UInt64 { numbers.below(bound) }
}

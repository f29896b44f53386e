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

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
///
/// Fixed here for ever, because games replay from it; the standard library's generators may change.
public struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// The stream of this seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, `bound`, all equally likely (multiplication with rejection, Lemire
  /// 2019).
  /// - Parameter bound: greater than 0.
  public mutating func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a random number needs a bound above 0")
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    }
    return product.high
  }
}

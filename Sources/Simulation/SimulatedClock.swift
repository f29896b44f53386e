import BotKit
import Gossip
import Synchronization

/// A machine's clocks: that of the wall, which jumps as its owner likes, and that of the program, which does not.
struct SimulatedClock: Sendable {
  /// What a running program sees of the wall clock.
  private final class Hands: Sendable {
    let milliseconds = Atomic<UInt64>(0)
  }

  private let hands = Hands()
  /// How far the wall clock is off.
  private var wallOffset: UInt64 = 1_700_000_000_000
  /// What the program's clock showed at its start: clocks of different programs have nothing to do with each other.
  private var tickOffset: UInt64 = 0

  /// Reads the wall clock, as it was set last.
  var wall: @Sendable () -> UInt64 {
    let hands = hands
    return { hands.milliseconds.load(ordering: .relaxed) }
  }

  /// Sets the wall clock for what follows.
  func show(_ time: UInt64) { hands.milliseconds.store(time &+ wallOffset, ordering: .relaxed) }

  /// Has the wall clock jump, by up to a minute or a year.
  /// - Returns: how far, in words.
  mutating func jump(_ random: inout RandomStream) -> String {
    let year: UInt64 = 365 * 24 * 3_600_000
    let distance = random.oneIn(2) ? random.time(0...year) : random.time(0...60_000)
    let isForward = random.oneIn(2)
    wallOffset = isForward ? wallOffset + distance : wallOffset - distance
    return "\(distance) ms \(isForward ? "forward" : "back")"
  }

  /// Another program starts.
  mutating func restart(_ random: inout RandomStream) { tickOffset = random.time(0...1_000_000) }

  /// The program's own clock.
  func tick(_ time: UInt64) -> Tick { Tick(milliseconds: time + tickOffset) }

  /// The simulated time at which the program's clock shows so many milliseconds.
  func time(of milliseconds: UInt64) -> UInt64 { milliseconds &- min(milliseconds, tickOffset) }
}

import Events
import Service
import Terminal
import Testing

@testable import parlor

/// How much of a round is left, for those whose clock did not open it.
@Suite struct RoundsClockTests {
  private func round(_ opening: UInt8, passed: Int, elapsed: Int? = nil) -> HostedView.Round {
    var round = HostedView.Round()
    round.opening = EventID(Bytes32([UInt8](repeating: opening, count: 32), at: 0))
    (round.limit, round.passed, round.elapsed) = (600_000, passed, elapsed)
    return round
  }

  private func clock() throws -> RoundsClock { RoundsClock(TableInput(try Interrupts { _ in })) }

  /// Who comes late counts from what the host has said, and says that it may be less.
  @Test func aRoundThatWasOpenBeforeMayEndSooner() throws {
    var clock = try clock()
    let late = round(1, passed: 100_000)
    clock.note(late, isTicking: false)
    let left = try #require(clock.left(late))
    #expect(left.isMost && (1...500).contains(left.seconds))
    #expect(left.words == "at most \(left.seconds) s left")
  }

  @Test func aRoundThatIsSeenFromItsBeginningIsCountedFromThere() throws {
    var clock = try clock()
    clock.note(nil, isTicking: false)
    let seen = round(1, passed: 0)
    clock.note(seen, isTicking: false)
    let left = try #require(clock.left(seen))
    #expect(!left.isMost && left.seconds <= 600 && left.words == "\(left.seconds) s left")
    // What the host writes later is news of a round that took its time to get here; nothing makes it longer.
    let later = round(1, passed: 300_000)
    clock.note(later, isTicking: false)
    #expect(try #require(clock.left(later)).seconds <= 300)
    clock.note(seen, isTicking: false)
    #expect(try #require(clock.left(seen)).seconds <= 300)
    let next = round(2, passed: 0)
    clock.note(next, isTicking: false)
    #expect(try #require(clock.left(next)).seconds > 300)
  }

  @Test func theHostKnows() throws {
    var clock = try clock()
    let own = round(1, passed: 0, elapsed: 599_001)
    clock.note(own, isTicking: false)
    #expect(clock.left(own) == TimeLeft(seconds: 1, isMost: false))
    var closed = own
    closed.phase = .closed
    #expect(clock.left(closed) == nil)
  }
}

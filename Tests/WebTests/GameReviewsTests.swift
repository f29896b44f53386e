import Events
import Glibc
import JSON
import Network
import Platform
import Testing

@testable import Web

/// Games that clients have looked at.
@Suite struct GameReviewsTests {
  private func key(_ number: Int) -> GameReviews.Key {
    GameReviews.Key(room: .none, number: number, end: .none)
  }

  /// Eight may wait; who asks for one of them, or for one that was looked at, gets what is found of that.
  @Test func soManyWaitAndNoMore() async throws {
    var reviews = GameReviews(try Shell.machine())
    let mayEnd = Guarded(false)
    for number in 1...8 {
      #expect(!reviews.isFull && reviews.review(key(number)) == nil)
      _ = reviews.begin(key(number)) {
        while !mayEnd.withLock({ $0 }) { usleep(1_000) }
        return [JSONMember("number", .integer(Int64(number)))]
      }
    }
    #expect(reviews.isFull)
    mayEnd.withLock { $0 = true }
    for number in 1...8 {
      let found = await reviews.review(key(number))?.value
      #expect(found == [JSONMember("number", .integer(Int64(number)))])
    }
    reviews.end(key(3))
    #expect(!reviews.isFull && reviews.review(key(3)) != nil)
  }

  /// Of those that were looked at the oldest go, and none that waits.
  @Test func theOldestGo() async throws {
    var reviews = GameReviews(try Shell.machine())
    for number in 1...70 {
      _ = await reviews.begin(key(number)) { [] }.value
      if number != 2 { reviews.end(key(number)) }
    }
    let kept = (1...70).filter { reviews.review(key($0)) != nil }
    #expect(kept == [2] + Array(8...70))
  }
}

import Testing

@testable import Network

/// Signals that something may have changed.
@Suite struct ChangesTests {
  @Test func severalThatNobodyHasTakenAreOne() async {
    let (changes, source) = Changes.make()
    var next = changes.makeAsyncIterator()
    for _ in 0..<3 { #expect(source.tell()) }
    await #expect(next.next() != nil)
    source.tell()
    source.finish()
    // One that was not taken is taken before the end.
    await #expect(next.next() != nil)
    await #expect(next.next() == nil)
    #expect(!source.tell())
  }

  @Test func whoeverWaitsIsToldFromAnyThread() async {
    let (changes, source) = Changes.make()
    let (taken, taking) = AsyncStream.makeStream(of: Int.self)
    let waiting = Task {
      var count = 0
      for await _ in changes {
        count += 1
        taking.yield(count)
      }
      return count
    }
    var next = taken.makeAsyncIterator()
    for number in 1...100 {
      source.tell()
      #expect(await next.next() == number)
    }
    source.finish()
    #expect(await waiting.value == 100)
  }

  @Test func whoeverIsCancelledWaitsNoMore() async {
    let (changes, source) = Changes.make()
    let waiting = Task { for await _ in changes {} }
    waiting.cancel()
    await waiting.value
    #expect(!source.tell())
  }

  @Test func whoeverSignalsHearsThatNobodyListensAnyMore() {
    let source: Changes.Source
    do {
      let changes: Changes
      (changes, source) = Changes.make()
      withExtendedLifetime(changes) { _ = source.tell() }
    }
    #expect(!source.tell())
  }
}

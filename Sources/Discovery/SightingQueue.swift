internal import Platform

/// Hands news from the library's thread to whoever waits for it.
///
/// It holds what is known and not what happened: who reads slowly hears of the last state alone, and nothing piles up.
final class SightingQueue: Sendable {
  private let table = Guarded(SightingTable())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Changes what is known.
  func change<Result>(_ body: (inout SightingTable) -> Result) -> Result {
    defer { signal.yield() }
    return table.withLock(body)
  }

  /// Nothing more becomes known.
  func finish() { signal.finish() }

  /// The news, for one reader.
  var sightings: AsyncStream<Sighting> { AsyncStream { await self.next() } }

  private func next() async -> Sighting? {
    while true {
      if let sighting = table.withLock({ $0.take() }) { return sighting }
      var iterator = signals.makeAsyncIterator()
      guard await iterator.next() != nil else { return table.withLock { $0.take() } }
    }
  }
}

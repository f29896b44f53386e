internal import Platform

/// Whether all peers nearby that are there have been told of, and who waits for that; it happens once.
package final class LookAround: Sendable {
  private let signal = AsyncStream<Void>.makeStream()
  private let state = Guarded(false)

  /// Whether it is done.
  package var isDone: Bool { state.withLock { $0 } }

  /// All peers nearby that are there have been told of.
  package func end() {
    state.withLock { $0 = true }
    signal.continuation.finish()
  }

  /// Waits until it is done, or whoever waits is cancelled.
  package func wait() async { for await _ in signal.stream {} }
}

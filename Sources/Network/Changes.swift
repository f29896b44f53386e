internal import Platform

/// A signal for each time that something may have changed; several that nobody has taken yet are one. One may wait.
///
/// A stream of the standard library would do the same, and go to the pool of tasks to wait there: a change of threads
/// more for each signal.
package struct Changes: AsyncSequence, Sendable {
  package typealias Element = Void
  package typealias Failure = Never

  /// Who signals. It may do so from any thread.
  package struct Source: Sendable {
    fileprivate let signal: Signal

    /// Signals.
    /// - Returns: whether anybody is there who could notice.
    @discardableResult
    package func tell() -> Bool { signal.tell() }

    /// There will be no other signal; one that was not taken still is.
    package func finish() { signal.finish() }
  }

  /// Ends the signals when nobody can wait for them any more.
  fileprivate final class Listener: Sendable {
    let signal: Signal

    init(_ signal: Signal) { self.signal = signal }

    deinit { signal.end() }
  }

  private let listener: Listener

  /// Signals, and who gives them.
  package static func make() -> (changes: Changes, source: Source) {
    let signal = Signal()
    return (Changes(listener: Listener(signal)), Source(signal: signal))
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener: listener) }

  /// Waits for one signal after the other.
  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let listener: Listener

    package mutating func next() async -> Void? { await next(isolation: nil) }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
      let signal = listener.signal
      return await withTaskCancellationHandler {
        await withCheckedContinuation(isolation: actor) { signal.wait($0) }
      } onCancel: {
        signal.end()
      }
    }
  }
}

/// Those who wait for the changes of one thing, each by signals of its own.
package struct Watchers: Sendable {
  private var sources: [Changes.Source] = []
  private var hasEnded = false

  package init() {}

  /// Signals for somebody who waits from now on; where nothing changes any more, their end.
  package mutating func add() -> Changes {
    let (changes, source) = Changes.make()
    if hasEnded { source.finish() } else { sources.append(source) }
    return changes
  }

  /// Something may have changed.
  package mutating func tell() { sources.removeAll { !$0.tell() } }

  /// Nothing changes any more.
  package mutating func end() {
    hasEnded = true
    for source in sources { source.finish() }
    sources = []
  }
}

/// What both ends of `Changes` share.
private final class Signal: Sendable {
  typealias Waiter = CheckedContinuation<Void?, Never>

  private struct State: Sendable {
    var isPending = false
    /// Whether there will be no other signal.
    var isFinished = false
    /// Whether nobody waits any more.
    var isOver = false
    var waiter: Waiter?
  }

  private let state = Guarded(State())

  func tell() -> Bool {
    let (waiter, isHeard) = state.withLock { state in
      let isHeard = !state.isOver && !state.isFinished
      state.isPending = state.waiter == nil && isHeard
      return (state.waiter.take(), isHeard)
    }
    waiter?.resume(returning: ())
    return isHeard
  }

  func finish() { leave { $0.isFinished = true } }

  func end() {
    leave { state in
      state.isOver = true
      state.isPending = false
    }
  }

  private func leave(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state in
      body(&state)
      return state.waiter.take()
    }
    waiter?.resume(returning: nil)
  }

  func wait(_ waiter: Waiter) {
    let answer: Void?? = state.withLock { state in
      precondition(state.waiter == nil, "two wait for the changes that are for one")
      if state.isPending {
        state.isPending = false
        return .some(())
      }
      if state.isFinished || state.isOver { return .some(nil) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }
}

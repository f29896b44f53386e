internal import Network

/// Rings at the earliest moment for which it was set, once.
struct Alarm {
  private var timer: (any LoopTimer)?
  private var due: UInt64?

  /// Has it ring when something is due, unless it rings earlier anyway; to be called on the loop.
  /// - Parameters:
  ///   - due: milliseconds of the clock that says `now`.
  ///   - ring: says so; it is to call `rang`. The first one given is kept.
  mutating func set(to due: UInt64, at now: UInt64, on loop: EventLoop, ring: @escaping () -> Void) {
    if let set = self.due, set <= due { return }
    let timer = timer ?? loop.timer(ring)
    timer.set(loop.now + (due > now ? due - now : 1))
    (self.timer, self.due) = (timer, due)
  }

  /// It has rung, and may be set to any moment again.
  mutating func rang() { due = nil }

  /// Never rings again.
  mutating func close() {
    timer?.close()
    (timer, due) = (nil, nil)
  }
}

import Platform
import Synchronization
import Testing

@testable import Network

/// The loop as an executor: its actors run on its thread, and it ends with the last who refers to it.
@Suite struct EventLoopTests {
  private actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var count = 0
    private var timer: (any LoopTimer)?
    private(set) var fired: [UInt64] = []

    init(_ loop: EventLoop) { self.loop = loop }

    func add() -> Int {
      loop.checkIsolated()
      count += 1
      return count
    }

    /// Sets the timer to one deadline after the other; nothing can go off between them.
    func setTimer(_ deadlines: UInt64?...) {
      if timer == nil { timer = loop.timer { self.fired.append(MonotonicClock.milliseconds) } }
      for deadline in deadlines { timer?.set(deadline) }
    }

    /// Sets the timer to a moment that has passed, so often that it counts to `limit`.
    /// - Returns: how far it was when the loop came to what waited.
    func setLateTimer(_ limit: Int) async -> Int {
      await withCheckedContinuation { continuation in
        timer = loop.timer {
          self.count += 1
          self.timer?.set(self.count < limit ? 0 : nil)
          // What waits on the loop waits since the first time.
          if self.count == 1 { self.loop.nextTurn { continuation.resume(returning: self.count) } }
        }
        timer?.set(0)
      }
    }

    func closeTimer() {
      timer?.close()
      timer = nil
    }
  }

  @Test func actorsRunOnTheLoopsThread() async throws {
    let counters = [Counter(try EventLoop()), Counter(try EventLoop())]
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2_000 { group.addTask { _ = await counters[number % 2].add() } }
    }
    #expect(await counters[0].add() == 1_001)
    #expect(counters[0].loop.isIsolatingCurrentContext() == false)
  }

  /// Calls another actor on its loop; in between somebody else has something to do there.
  private actor Caller {
    nonisolated let other: Counter
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe other.loop.asUnownedSerialExecutor() }
    private(set) var order: [String] = []

    init(_ other: Counter) { self.other = other }

    func call() async {
      let task = Task { order.append("task") }
      _ = await other.add()
      order.append("call")
      await task.value
    }
  }

  @Test func aCallToAnotherActorOfTheLoopIsNoHop() async throws {
    let caller = Caller(Counter(try EventLoop()))
    await caller.call()
    #expect(await caller.order == ["call", "task"])
  }

  /// What is put off to the next turn runs once a turn, after what is done soon, though nothing else wakes the loop.
  @Test func whatIsPutOffRunsInALaterTurn() async throws {
    let loop = try EventLoop()
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    loop.call {
      source.yield(loop.turns)
      loop.nextTurn {
        source.yield(loop.turns)
        loop.nextTurn {
          source.yield(loop.turns)
          source.finish()
        }
        loop.later { source.yield(loop.turns) }
      }
    }
    var turns: [Int] = []
    for await turn in numbers { turns.append(turn) }
    let first = try #require(turns.first)
    #expect(turns == [first, first + 1, first + 1, first + 2])
  }

  /// A timer that is set to a moment that has passed, again and again, keeps nothing else waiting.
  @Test func aLateTimerLeavesTheLoopToOthers() async throws {
    let counter = Counter(try EventLoop())
    #expect(await counter.setLateTimer(1_000) < 10)
    await counter.closeTimer()
  }

  @Test func whatIsCalledFromAnywhereRunsOnTheLoopInOrder() async throws {
    let counter = Counter(try EventLoop())
    let loop = counter.loop
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<100 {
      loop.call {
        loop.checkIsolated()
        source.yield(number)
      }
    }
    loop.call { source.finish() }
    var seen: [Int] = []
    for await number in numbers { seen.append(number) }
    #expect(seen == Array(0..<100))
  }

  /// Has the loop do something again and again until it is ended.
  private final class Endless: Sendable {
    private let isOver = Atomic(false)
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func goOn() {
      loop.call { if !self.isOver.load(ordering: .relaxed) { self.goOn() } }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
  }

  @Test func jobsThatBringUpOthersLeaveTimeForTimers() async throws {
    let counter = Counter(try EventLoop())
    let endless = Endless(counter.loop)
    endless.goOn()
    await counter.setTimer(0)
    try await eventually("a timer beside jobs") { await counter.fired.count == 1 }
    endless.end()
    await counter.closeTimer()
  }

  @Test func timersGoOffOnceAndNotBefore() async throws {
    let counter = Counter(try EventLoop())
    let start = MonotonicClock.milliseconds
    await counter.setTimer(start + 10_000_000, start + 60)
    try await eventually("a timer") { await !counter.fired.isEmpty }
    #expect(await counter.fired.allSatisfy { $0 >= start + 60 })
    // Of one loop's timers those go off first that are due first.
    let later = Counter(counter.loop)
    await counter.setTimer(MonotonicClock.milliseconds + 20, nil)
    await later.setTimer(MonotonicClock.milliseconds + 40)
    try await eventually("a later timer") { await !later.fired.isEmpty }
    #expect(await counter.fired.count == 1)
    await later.closeTimer()
    await counter.setTimer(0)
    try await eventually("a timer that was due") { await counter.fired.count == 2 }
    await counter.closeTimer()
  }

  /// Threads do not pile up.
  @Test func loopsEnd() async throws {
    weak var thread: LoopThread?
    do {
      let counter = Counter(try EventLoop())
      thread = counter.loop.thread
      await counter.setTimer(0)
      #expect(await counter.add() == 1)
      await counter.closeTimer()
    }
    try await eventually("the thread's end") { thread == nil }
  }
}

import Testing

@testable import Network

/// The loop as an executor: its actors run on its thread, and it ends with the last who refers to it.
@Suite struct EventLoopTests {
  private actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var count = 0
    private var timer: LoopTimer?
    private(set) var fired: [UInt64] = []

    init(_ loop: EventLoop) { self.loop = loop }

    func add() -> Int {
      loop.checkIsolated()
      count += 1
      return count
    }

    /// Sets the timer to one deadline after the other; nothing can go off between them.
    func setTimer(_ deadlines: UInt64?...) {
      if timer == nil { timer = LoopTimer(loop) { self.fired.append(EventLoop.now) } }
      for deadline in deadlines { timer?.set(deadline) }
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
    let isOnLoop = await Task(executorPreference: counters[1].loop) {
      counters[1].loop.isIsolatingCurrentContext()
    }.value
    #expect(isOnLoop == true)
  }

  @Test func timersGoOffOnceAndNotBefore() async throws {
    let counter = Counter(try EventLoop())
    let start = EventLoop.now
    await counter.setTimer(start + 10_000_000, start + 60)
    try await eventually("a timer") { await !counter.fired.isEmpty }
    #expect(await counter.fired.allSatisfy { $0 >= start + 60 })
    // Of one loop's timers those go off first that are due first.
    let later = Counter(counter.loop)
    await counter.setTimer(EventLoop.now + 20, nil)
    await later.setTimer(EventLoop.now + 40)
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

import BotKit
import CTasks
import EventLog
import Events
import Network
import Platform
import Simulation
import Synchronization

/// A machine on which whole peers run in one thread: their loop's jobs, timers, disks and bytes under way, by a clock
/// that stands still while anything is to be done. What of one moment comes first follows from one seed.
///
/// It belongs to the thread that made it, and only that one touches it.
@safe final class SimulatedMachine: LoopDriver {
  private enum Item {
    case job(LoopJob)
    case pool(UnownedJob)
    case written(UnownedJob, SimulatedWriter)
    case body(() -> Void)
  }

  /// One of so many jobs comes late: a processor was busy.
  private static let lateJobs = 24
  private static let lateMicroseconds = 3_000

  private let thread = CurrentProcess.thread
  // SAFETY: what follows is touched by the machine's thread alone, which `isCurrent` tells.
  nonisolated(unsafe) private var schedule = Schedule<Item>()
  // SAFETY: as the schedule. What is to be done at this moment, from `next` on.
  nonisolated(unsafe) private var ready: [Item] = []
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var next = 0
  // SAFETY: as the schedule. What is done when nothing else is to be done at this moment.
  nonisolated(unsafe) private var forNextTurn: [Item] = []
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var time: UInt64 = 0
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var rounds = 0
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var done = 0
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var random: RandomStream
  // SAFETY: as the schedule.
  nonisolated(unsafe) private var seeds: RandomStream
  private let lost = Atomic<Int>(0)

  init(seed: UInt64) {
    unsafe random = RandomStream(seed: seed, for: .machine)
    unsafe seeds = RandomStream(seed: seed, for: .randomBytes)
  }

  var isCurrent: Bool { thread == CurrentProcess.thread }
  /// What the clock shows.
  var microseconds: UInt64 { unsafe time }
  var now: UInt64 { unsafe time / 1_000 }
  var turns: Int { unsafe rounds }
  /// How much was done since the start.
  var steps: Int { unsafe done }
  /// How often something came back on another thread, of which no seed decides when.
  var strays: Int { lost.load(ordering: .relaxed) }

  func end() {}

  // MARK: - What is to be done

  func add(_ job: LoopJob) {
    guard isCurrent else { return noteStray() }
    switch job.work {
    case .body(let body): unsafe ready.append(.body(body))
    case .job:
      guard unsafe random.oneIn(Self.lateJobs) else { return unsafe ready.append(.job(job)) }
      unsafe schedule.add(.job(job), at: time + UInt64(random.draw(1...Self.lateMicroseconds)))
    }
  }

  func addDeferred(_ body: @escaping () -> Void, _ loop: EventLoop) { unsafe ready.append(.body(body)) }
  func addForNextTurn(_ body: @escaping () -> Void, _ loop: EventLoop) {
    unsafe forNextTurn.append(.body(body))
  }

  func timer(_ loop: EventLoop, _ fire: @escaping () -> Void) -> any LoopTimer { SimulatedTimer(self, fire) }

  /// Does something at a time of the clock, in microseconds.
  func at(_ microseconds: UInt64, _ body: @escaping () -> Void) {
    unsafe schedule.add(.body(body), at: max(microseconds, time))
  }

  fileprivate func at(_ microseconds: UInt64, _ job: UnownedJob, of writer: SimulatedWriter) {
    guard isCurrent else { return noteStray() }
    unsafe schedule.add(.written(job, writer), at: microseconds)
  }

  /// Does something on another processor, sooner or later.
  /// - Parameter duration: how long that takes, in microseconds.
  func elsewhere(within duration: ClosedRange<Int>, _ body: @escaping () -> Void) {
    at(microseconds + draw(duration), body)
  }

  private func noteStray() { lost.add(1, ordering: .relaxed) }

  // MARK: - Random numbers

  /// A number of a range.
  func draw(_ range: ClosedRange<Int>) -> UInt64 { unsafe UInt64(random.draw(range)) }

  /// 32 random bytes.
  func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<4 { unsafe bytes.append(bigEndian: seeds.next()) }
    return bytes
  }

  // MARK: - Running

  /// Takes a job of a task that no actor runs at present: it comes when a processor is free.
  private func take(fromPool job: UnownedJob) {
    unsafe schedule.add(.pool(job), at: time + (random.oneIn(2) ? 0 : UInt64(random.draw(1...200))))
  }

  /// Has what this thread would give to the pool of tasks come here while `body` runs.
  private func withPool(_ body: () -> Void) {
    // SAFETY: the machine lives until the thread gives its jobs to the pool again; a job is a pointer.
    unsafe parlor_take_jobs(
      { owner, job in
        let machine = unsafe Unmanaged<SimulatedMachine>.fromOpaque(owner).takeUnretainedValue()
        unsafe machine.take(fromPool: unsafeBitCast(job, to: UnownedJob.self))
        return true
      }, Unmanaged.passUnretained(self).toOpaque())
    body()
    parlor_take_jobs(nil, nil)
  }

  /// Runs until the clock shows a time, in milliseconds, nothing is to be done any more, or `isOver` says so.
  /// - Parameter loop: where tasks are run that belong to no actor at present.
  func run(_ loop: EventLoop, untilMilliseconds end: UInt64, _ isOver: () -> Bool) {
    withPool { runAll(loop, untilMilliseconds: end, isOver) }
  }

  private func runAll(_ loop: EventLoop, untilMilliseconds end: UInt64, _ isOver: () -> Bool) {
    while microseconds <= end * 1_000, !isOver() {
      guard let item = takeNext() else { return }
      unsafe done += 1
      switch item {
      case .body(let body): body()
      // SAFETY: the job was enqueued on this loop, and is run once; the item keeps the loop meanwhile.
      case .job(let job): job.run()
      // SAFETY: as the job of a loop.
      case .pool(let job): unsafe job.runSynchronously(on: loop.asUnownedSerialExecutor())
      // SAFETY: as the job of a loop.
      case .written(let job, let writer): unsafe job.runSynchronously(on: writer.asUnownedSerialExecutor())
      }
    }
  }

  private func takeNext() -> Item? {
    while true {
      if unsafe next < ready.count {
        defer { unsafe next += 1 }
        return unsafe ready[next]
      }
      unsafe rounds += 1
      unsafe ready.removeAll(keepingCapacity: true)
      unsafe next = 0
      if unsafe !forNextTurn.isEmpty {
        unsafe swap(&ready, &forNextTurn)
        continue
      }
      guard let due = unsafe schedule.next() else { return nil }
      unsafe time = max(time, due.time)
      return due.item
    }
  }
}

extension LoopJob {
  /// Runs what a loop was given.
  fileprivate func run() {
    switch work {
    case .body(let body): body()
    // SAFETY: the job was enqueued on this loop, and is run once; this value keeps the loop meanwhile.
    case .job(let job): unsafe job.runSynchronously(on: loop.asUnownedSerialExecutor())
    }
  }
}

/// A timer on a simulated machine.
private final class SimulatedTimer: LoopTimer {
  private let machine: SimulatedMachine
  private var fire: (() -> Void)?
  private var deadline: UInt64?
  /// How often it was set: what was set before does not ring.
  private var settings = 0

  init(_ machine: SimulatedMachine, _ fire: @escaping () -> Void) {
    self.machine = machine
    self.fire = fire
  }

  func set(_ deadline: UInt64?) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    settings += 1
    guard let deadline else { return }
    let setting = settings
    machine.at(deadline * 1_000) { [self] in
      guard setting == settings else { return }
      self.deadline = nil
      fire?()
    }
  }

  func close() {
    set(nil)
    fire = nil
  }
}

/// Where a simulated peer's store is written: each write takes its time.
final class SimulatedWriter: WriterExecutor {
  private let machine: SimulatedMachine
  private let microseconds: @Sendable () -> ClosedRange<Int>
  // SAFETY: touched on the machine's thread alone.
  nonisolated(unsafe) private var busyUntil: UInt64 = 0

  /// - Parameter microseconds: how long it takes from one thing to the next at present.
  init(_ machine: SimulatedMachine, microseconds: @escaping @Sendable () -> ClosedRange<Int>) {
    self.machine = machine
    self.microseconds = microseconds
  }

  var now: Duration { .microseconds(Int64(clamping: machine.microseconds)) }

  func enqueue(_ job: consuming ExecutorJob) { machine.at(take(), UnownedJob(job), of: self) }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // SAFETY: whoever asks keeps this executor alive as long as the reference: the actor holds it.
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() { precondition(machine.isCurrent, "this is not the machine's thread") }

  func afterwards(_ body: @escaping @Sendable () -> Void) { machine.at(take(), body) }

  /// When it comes to what is given to it now.
  private func take() -> UInt64 {
    unsafe busyUntil = max(busyUntil, machine.microseconds) + machine.draw(microseconds())
    return unsafe busyUntil
  }
}

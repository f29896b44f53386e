import Glibc
package import Platform
import Synchronization

/// Requests to end this process: Ctrl-C (SIGINT) and SIGTERM.
///
/// The first one asks the running command to stop at the next safe place; a second one ends the process at
/// once. A thread of its own waits for the signals (`sigwait`), so no code runs inside a signal handler and
/// nothing about this is global but the signal masks themselves. It also hears of Ctrl-Z (SIGTSTP), of going on
/// (SIGCONT) and of another size of the terminal (SIGWINCH), for whoever reads keys (`KeyReader`).
package final class Interrupts: Sendable {
  /// Becomes readable, and stays so, once somebody asked to stop; never read from it.
  package let stop: Descriptor

  private let wake: Descriptor
  private let requests = Atomic<Int>(0)
  /// Whether another program has the terminal, and Ctrl-C is meant for that.
  private let isLent = Atomic<Bool>(false)
  private let leave: @Sendable (ExitStatus) -> Void
  /// The terminal that keys are read from.
  private let terminal = Mutex<HeldTerminal?>(nil)

  /// An instance that hears of no signals, only of `ask`.
  ///
  /// - Parameter leave: ends the process; called from the second request on.
  package init(leave: @escaping @Sendable (ExitStatus) -> Void) throws(SystemError) {
    (stop, wake) = try Descriptor.pipe()
    self.leave = leave
  }

  /// Starts to listen, and ignores SIGPIPE and SIGXFSZ so that writing gives an error instead of killing us.
  ///
  /// Call it once, first thing in the program: threads made before it would still be killed by the signals.
  /// Programs that this one starts inherit the blocked signals and must be given an empty mask.
  package static func listen() throws(SystemError) -> Interrupts {
    try ignore(SIGPIPE)
    try ignore(SIGXFSZ)
    let interrupts = try Interrupts { _exit($0.rawValue) }
    var watched = watchedSignals()
    // SAFETY: the set was filled in by `watchedSignals`; the old mask is not asked for.
    let code = unsafe pthread_sigmask(SIG_BLOCK, &watched, nil)
    guard code == 0 else { throw SystemError("pthread_sigmask", code) }
    // The thread lives as long as the process and keeps this object with it.
    try Background.start { interrupts.waitForever() }
    return interrupts
  }

  /// Whether somebody asked to stop.
  package var isStopRequested: Bool { requests.load(ordering: .acquiring) > 0 }

  /// Asks to stop, as Ctrl-C does.
  package func ask() {
    let earlier = requests.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    guard earlier == 0 else { return leaveAtOnce() }
    do throws(SystemError) {
      try wake.write([1])
    } catch {
      // Who only watches the pipe would never hear of it, so the request becomes one to end at once.
      leaveAtOnce()
    }
  }

  private func leaveAtOnce() {
    terminal.withLock { $0?.giveBack(isOver: true) }
    leave(.interrupted)
  }

  // MARK: - The terminal

  /// Holds a terminal, until it is given back.
  func hold(_ held: HeldTerminal) throws(SystemError) {
    terminal.withLock { $0 = held }
    try held.hold()
  }

  /// Gives a terminal back as it was.
  func giveBack(_ held: HeldTerminal) {
    terminal.withLock { if $0 === held { $0 = nil } }
    held.giveBack(isOver: true)
  }

  /// Has another program use the terminal, for which Ctrl-C is meanwhile.
  func lend<Result>(_ body: () -> Result) -> Result {
    isLent.store(true, ordering: .releasing)
    defer { isLent.store(false, ordering: .releasing) }
    return body()
  }

  /// Returns when somebody has asked to stop.
  package func requested() async throws(SystemError) {
    let stop = stop
    let result = await withCheckedContinuation {
      (answer: CheckedContinuation<Result<Void, SystemError>, Never>) in
      do throws(SystemError) {
        try Background.start {
          do throws(SystemError) {
            _ = try Descriptor.waitReadable([stop])
            answer.resume(returning: .success(()))
          } catch { answer.resume(returning: .failure(error)) }
        }
      } catch { answer.resume(returning: .failure(error)) }
    }
    try result.get()
  }

  private static func ignore(_ signal: Int32) throws(SystemError) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_IGN
    // SAFETY: the action is a whole value of ours; the old one is not asked for.
    guard unsafe sigaction(signal, &action, nil) == 0 else { throw SystemError("sigaction", errno) }
  }

  private static func watchedSignals() -> sigset_t {
    var signals = sigset_t()
    // SAFETY: each call changes only the set that it is given; they cannot fail for these signals.
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH] { unsafe sigaddset(&signals, signal) }
    return signals
  }

  private func waitForever() {
    var signals = Self.watchedSignals()
    while true {
      var received: Int32 = 0
      // SAFETY: both pointers are to values of ours that live through the call.
      guard unsafe sigwait(&signals, &received) == 0 else { continue }
      let held = terminal.withLock { $0 }
      switch received {
      case SIGTSTP:
        held?.giveBack(isOver: false)
        // Who was stopped hears that it goes on.
        if !Self.stopProcess() { held?.goOn() }
      case SIGCONT: held?.goOn()
      case SIGWINCH: held?.note(.resized)
      case SIGINT where isLent.load(ordering: .acquiring): break
      default: ask()
      }
    }
  }

  /// Stops this process as if SIGTSTP were not watched, until it is told to go on. Where nobody could tell it, as
  /// without a shell that knows of jobs, the system passes that over.
  /// - Returns: whether SIGCONT is on its way.
  private static func stopProcess() -> Bool {
    var (stopping, pending) = (sigset_t(), sigset_t())
    // SAFETY: each call changes or reads only the set that it is lent; none can fail for these signals.
    unsafe sigemptyset(&stopping)
    unsafe sigaddset(&stopping, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &stopping, nil)
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGCONT) == 1
  }
}

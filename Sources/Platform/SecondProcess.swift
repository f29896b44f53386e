import Glibc

/// This program, started once more for work that can crash.
///
/// LMDB trusts the pages that it maps: where they are damaged it follows false offsets, and the process ends
/// with SIGSEGV, SIGBUS or SIGABRT. Who must find damage has the store read in a process of its own.
package enum SecondProcess {
  /// How it ended.
  package enum End: Hashable, Sendable {
    /// By itself, with this status.
    case exited(Int32)
    /// By a signal that says that it did something impossible.
    case crashed(signal: Int32)
    /// By another signal, which somebody sent.
    case killed(signal: Int32)
  }

  private static let crashes = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP]

  /// Starts this program with the same standard input, output and error, and waits for its end.
  ///
  /// It blocks no signals, and a crash of it prints no backtrace. Ctrl-C reaches it by itself; whoever asks
  /// only this process to stop has that passed on.
  /// - Parameters:
  ///   - arguments: the command line, the program's name first.
  ///   - variable: an entry of its environment, as `NAME=VALUE`, that is added to this process's.
  ///   - isStopRequested: whether it should end.
  package static func run(
    _ arguments: [String], variable: String, isStopRequested: () -> Bool
  ) throws(SystemError) -> End {
    let process = try start(arguments, environment() + [variable, "SWIFT_BACKTRACE=enable=no"])
    var status: Int32 = 0
    var waits = 0
    while true {
      // SAFETY: waitpid fills the status that it is lent, during the call only.
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return end(status) }
      guard ended == 0 || errno == EINTR else { throw failure(errno) }
      usleep(waitMicroseconds)
      if isStopRequested() { waits += 1 }
      // It was still at work long after the Ctrl-C that both would have heard of.
      if waits == waitsBeforeAsking { kill(process, SIGTERM) }
    }
  }

  private static let waitMicroseconds: UInt32 = 5_000
  private static let waitsBeforeAsking = 100

  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    guard signal != 0 else { return .exited(status >> 8 & 0xFF) }
    return crashes.contains(signal) ? .crashed(signal: signal) : .killed(signal: signal)
  }

  private static func failure(_ code: Int32) -> SystemError {
    SystemError("posix_spawn", code, path: "this program")
  }

  private static func check(_ code: Int32) throws(SystemError) { if code != 0 { throw failure(code) } }

  /// This process's environment without what is said of backtraces.
  private static func environment() -> [String] {
    var entries: [String] = []
    // SAFETY: nothing in this program changes its environment; the list ends with a null pointer.
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe next += 1
    }
    return entries.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
  }

  private static func start(_ arguments: [String], _ environment: [String]) throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    var (mask, process) = (sigset_t(), pid_t())
    // SAFETY: each call changes or reads only values of ours, and the attributes are destroyed once.
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&mask)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &mask))
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))
    // SAFETY: the lists end with a null pointer and are freed after the call, which copies them.
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let entries = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + entries).forEach { unsafe free($0) } }
    // The running program, also when its file was replaced meanwhile.
    try check(unsafe posix_spawn(&process, "/proc/self/exe", nil, &attributes, words, entries))
    return process
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// - Throws: `.store` when it cannot be started.
  package static func run(
    _ arguments: [String], variable: String, isStopRequested: () -> Bool
  ) throws(LogError) -> End {
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

  private static func failure(_ code: Int32) -> LogError {
    let words = SystemError(code: code, path: "this program").words
    return .store("The store is read by a second process, which could not be started: \(words).")
  }

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

  private static func start(_ arguments: [String], _ environment: [String]) throws(LogError) -> pid_t {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    var (mask, process) = (sigset_t(), pid_t())
    // SAFETY: each call changes or reads only values of ours, and the attributes are destroyed once.
    var code = unsafe posix_spawnattr_init(&attributes)
    guard code == 0 else { throw failure(code) }
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&mask)
    code = unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    guard code == 0 else { throw failure(code) }
    code = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard code == 0 else { throw failure(code) }
    let path = try executable()
    // SAFETY: the lists end with a null pointer and are freed after the call, which copies them.
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let entries = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + entries).forEach { unsafe free($0) } }
    code = unsafe posix_spawn(&process, path, nil, &attributes, words, entries)
    guard code == 0 else { throw failure(code) }
    return process
  }

  /// The path of the running program, also when its file was replaced meanwhile on Linux.
  private static func executable() throws(LogError) -> String {
    #if canImport(Darwin)
      var count = UInt32(PATH_MAX)
      var path = [CChar](repeating: 0, count: Int(count))
      // SAFETY: the call writes at most `count` characters with their end, which the array has.
      guard unsafe _NSGetExecutablePath(&path, &count) == 0 else { throw failure(ENAMETOOLONG) }
      return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }
}

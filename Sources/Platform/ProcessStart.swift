internal import CLinux
import Glibc

/// How programs are started and how they end.
enum ProcessStart {
  /// Starts a program, which blocks no signals.
  /// - Parameters:
  ///   - file: its path; without a slash the folders of `PATH` are searched.
  ///   - arguments: the command line, the program's name first.
  ///   - environment: entries as `NAME=VALUE`.
  ///   - ends: its standard input, output and error, and then it has no other descriptors and ignores no signals; `nil`
  ///     to share those of this process.
  ///   - leadsGroup: whether it leads a process group of its own then.
  ///   - folder: the folder that it runs in; this process's when `nil`.
  static func spawn(
    _ file: String, _ arguments: [String], _ environment: [String], ends: [Descriptor]? = nil,
    leadsGroup: Bool = true, folder: String? = nil
  ) throws(SystemError) -> pid_t {
    var (attributes, actions) = (posix_spawnattr_t(), unsafe posix_spawn_file_actions_t())
    var (none, all, process) = (sigset_t(), sigset_t(), pid_t())
    func check(_ code: Int32) throws(SystemError) {
      if code != 0 { throw SystemError("posix_spawn", code, path: file) }
    }
    // SAFETY: each call changes or reads only values of ours, and attributes and actions are destroyed once.
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    try check(unsafe posix_spawn_file_actions_init(&actions))
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &none))
    var flags = POSIX_SPAWN_SETSIGMASK
    if let ends {
      for (number, end) in ends.enumerated() {
        try check(unsafe posix_spawn_file_actions_adddup2(&actions, end.number, Int32(number)))
      }
      try check(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Int32(ends.count)))
      try check(unsafe posix_spawnattr_setsigdefault(&attributes, &all))
      flags |= POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
    }
    if let folder { try check(unsafe posix_spawn_file_actions_addchdir_np(&actions, folder)) }
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
    // SAFETY: the lists end with a null pointer and are freed after the call, which copies them.
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let entries = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + entries).forEach { unsafe free($0) } }
    try check(unsafe posix_spawnp(&process, file, &actions, &attributes, words, entries))
    return process
  }

  /// This process's environment.
  static var environment: [String] {
    var entries: [String] = []
    // SAFETY: nothing in this program changes its environment; the list ends with a null pointer.
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe next += 1
    }
    return entries
  }
}

/// How a process ended.
package enum ProcessEnd: Hashable, Sendable {
  /// By itself, with this status.
  case exited(Int32)
  /// By a signal that says that it did something impossible.
  case crashed(signal: Int32)
  /// By another signal, which somebody sent.
  case killed(signal: Int32)

  private static let crashes = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP]

  /// What the system says of an end.
  init(status: Int32) {
    let signal = status & 0x7F
    self =
      signal == 0
      ? .exited(status >> 8 & 0xFF)
      : Self.crashes.contains(signal) ? .crashed(signal: signal) : .killed(signal: signal)
  }
}

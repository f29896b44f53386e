internal import CLinux
import Glibc

/// A program that this one has started and talks with through pipes, by its process and descriptors; a value that does
/// not own them.
///
/// It leads a process group of its own: what it starts ends with it, and Ctrl-C at a terminal does not reach it. No
/// descriptor of it blocks this process.
package struct ChildProgram: Sendable {
  /// What a program may have; `nil` for no limit of its own.
  ///
  /// The limits are set when it runs already, and a process can give some of them up: they are for programs that go
  /// wrong, not for those that mean harm.
  package struct Limits: Hashable, Sendable {
    /// Memory that each of its processes may write to, in bytes.
    package var dataBytes: UInt64?
    /// How many processes and threads it may start beside those that the machine has. Nothing limits root.
    package var processes: UInt64?

    package init(dataBytes: UInt64? = nil, processes: UInt64? = nil) {
      self.dataBytes = dataBytes
      self.processes = processes
    }
  }

  /// What can be done at its pipes.
  package struct Readiness: Sendable {
    /// Whether its standard input takes bytes, or is gone.
    package let input: Bool
    /// Whether its standard output and error have bytes, or have ended.
    package let output: Bool
    package let errors: Bool
  }

  /// The leader of its process group.
  private let process: pid_t
  /// `nil` once it was closed.
  private var input: Descriptor?
  private let output: Descriptor
  private let errors: Descriptor

  /// Starts a program.
  /// - Parameters:
  ///   - words: the command line; a program without a slash is looked for in the folders of `PATH`.
  ///   - folder: the folder that it runs in, and that a path of it begins at; this process's when `nil`.
  ///   - variables: what its environment has besides, as `NAME=VALUE`; the last of a name counts.
  ///   - isGiven: which variables of this process's environment it gets, by entry, `NAME=VALUE`.
  package init(
    _ words: [String], limits: Limits = Limits(), folder: String? = nil, variables: [String] = [],
    environment isGiven: (String) -> Bool = { _ in true }
  ) throws(SystemError) {
    Self.ignoreBrokenPipes()
    var opened: [Descriptor] = []
    do throws(SystemError) {
      for _ in 0..<3 {
        let (read, write) = try Descriptor.pipe()
        opened += [read, write]
      }
      for own in [opened[1], opened[2], opened[4]] { try own.setNonBlocking() }
      process = try ProcessStart.spawn(
        words[0], words, Self.environment(ProcessStart.environment.filter(isGiven), variables),
        ends: [opened[0], opened[3], opened[5]], folder: folder)
    } catch {
      for end in opened { end.forget() }
      throw error
    }
    (input, output, errors) = (opened[1], opened[2], opened[4])
    for end in [opened[0], opened[3], opened[5]] { end.forget() }
    set(limits)
  }

  /// Entries of an environment, with others in the place of those of their names.
  private static func environment(_ entries: [String], _ others: [String]) -> [String] {
    func name(_ entry: String) -> Substring { entry.prefix { $0 != "=" } }
    var all = entries
    for other in others {
      all.removeAll { name($0) == name(other) }
      all.append(other)
    }
    return all
  }

  /// Has writing to a program that has ended be an error, and no signal that ends this one; a program that has other
  /// plans with that signal keeps them.
  private static func ignoreBrokenPipes() {
    var action = sigaction()
    // SAFETY: the call fills the structure that it is lent; no handler is the null pointer.
    guard unsafe sigaction(SIGPIPE, nil, &action) == 0, unsafe action.__sigaction_handler.sa_handler == nil
    else { return }
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// A limit that the system refuses is one that it has already, or a process that has ended.
  private func set(_ limits: Limits) {
    func set(_ kind: Int32, _ value: UInt64) {
      var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      // SAFETY: the call reads the structure that it is lent; the process is a child that nobody has waited for.
      unsafe _ = prlimit(process, kind, &limit, nil)
    }
    set(Int32(RLIMIT_CORE.rawValue), 0)
    if let bytes = limits.dataBytes { set(Int32(RLIMIT_DATA.rawValue), bytes) }
    if let count = limits.processes { set(Int32(__RLIMIT_NPROC.rawValue), Self.threadsOfMachine + count) }
  }

  /// How many threads this machine has, of all users; 0 where the system does not say.
  private static var threadsOfMachine: UInt64 {
    do throws(SystemError) {
      // `0.20 0.18 0.12 1/80 11206`: the fourth says how many of all run.
      let words = String(decoding: try OpenFile("/proc/loadavg").readAll(limit: 128), as: UTF8.self).split(
        separator: " ")
      return words.count > 3 ? words[3].split(separator: "/").last.flatMap { UInt64($0) } ?? 0 : 0
    } catch { return 0 }
  }

  // MARK: - Its pipes

  /// Waits until something can be done at its pipes; nothing can when the time is up.
  /// - Parameter writing: whether to wait for its input too.
  package func wait(writing: Bool, errors hasErrors: Bool, milliseconds: Int) throws(SystemError) -> Readiness
  {
    var entries = (
      pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasErrors ? errors.number : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: writing ? input?.number ?? -1 : -1, events: Int16(POLLOUT), revents: 0)
    )
    let count = unsafe withUnsafeMutableBytes(of: &entries) { bytes in
      // SAFETY: the tuple is three entries in a row, as many as the call is told of; those below 0 it passes over.
      unsafe poll(
        bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 3, Int32(clamping: max(0, milliseconds)))
    }
    guard count >= 0 || errno == EINTR else { throw SystemError("poll", errno) }
    return Readiness(
      input: entries.2.revents != 0, output: entries.0.revents != 0, errors: entries.1.revents != 0)
  }

  /// Writes as many of these bytes as its input takes now.
  /// - Returns: how many.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    guard let input else { throw SystemError("write", EPIPE) }
    return try input.writeSome(bytes)
  }

  /// Has its standard input end after what was written.
  package mutating func closeInput() {
    input?.forget()
    input = nil
  }

  /// Reads what its standard output has; none at its end, `nil` where nothing is there yet.
  package func readOutput(limitBytes: Int) throws(SystemError) -> [UInt8]? {
    try output.read(limitBytes: limitBytes)
  }

  /// The same of its standard error.
  package func readErrors(limitBytes: Int) throws(SystemError) -> [UInt8]? {
    try errors.read(limitBytes: limitBytes)
  }

  // MARK: - Its end

  /// How it has ended by itself, at most so long from now; `nil` where it has not.
  package func ending(withinMilliseconds limit: Int) -> ProcessEnd? {
    let deadline = Deadline(afterMilliseconds: limit)
    while true {
      var info = unsafe siginfo_t()
      // SAFETY: the call fills the structure that it is lent, and leaves the status to be waited for.
      let code = unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG)
      // A child that somebody else has waited for has ended too.
      if code != 0, errno == ECHILD { return .exited(0) }
      // Without one that has ended the structure stays of zeros.
      if code == 0, unsafe info.si_signo != 0 {
        let status = unsafe info._sifields._sigchld.si_status
        return ProcessEnd(status: unsafe info.si_code == CLD_EXITED ? (status & 0xFF) << 8 : status & 0x7F)
      }
      let left = deadline.millisecondsLeft
      guard left > 0 else { return nil }
      usleep(UInt32(min(left, Self.pollMilliseconds)) * 1_000)
    }
  }

  private static let pollMilliseconds = 5

  /// Whether it has ended and the system has forgotten it.
  private var isGone: Bool {
    var info = unsafe siginfo_t()
    // SAFETY: as above.
    return unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG) != 0 && errno == ECHILD
  }

  /// Ends it and all that its group has, and forgets its pipes; nothing may be asked of it afterwards.
  /// - Returns: how it ended; `nil` when the system does not say.
  @discardableResult package func end() -> ProcessEnd? {
    // The group has this number as long as its leader was not waited for. A process that ignores the ends of children,
    // as one may have inherited, has nobody left to wait for.
    if !isGone { Glibc.kill(-process, SIGKILL) }
    for pipe in [input, output, errors] { pipe?.forget() }
    var status: Int32 = 0
    while true {
      // SAFETY: waitpid fills the status that it is lent, during the call only.
      if unsafe waitpid(process, &status, 0) == process { return ProcessEnd(status: status) }
      guard errno == EINTR else { return nil }
    }
  }
}

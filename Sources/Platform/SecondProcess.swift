import Glibc

/// This program, started once more for work that can crash.
///
/// LMDB trusts the pages that it maps: where they are damaged it follows false offsets, and the process ends
/// with SIGSEGV, SIGBUS or SIGABRT. Who must find damage has the store read in a process of its own.
package enum SecondProcess {
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
  ) throws(SystemError) -> ProcessEnd {
    let inherited = ProcessStart.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
    // The running program, also when its file was replaced meanwhile.
    let process = try ProcessStart.spawn(
      "/proc/self/exe", arguments, inherited + [variable, "SWIFT_BACKTRACE=enable=no"])
    var status: Int32 = 0
    var waits = 0
    while true {
      // SAFETY: waitpid fills the status that it is lent, during the call only.
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return ProcessEnd(status: status) }
      guard ended == 0 || errno == EINTR else { throw SystemError("waitpid", errno) }
      usleep(waitMicroseconds)
      if isStopRequested() { waits += 1 }
      // It was still at work long after the Ctrl-C that both would have heard of.
      if waits == waitsBeforeAsking { kill(process, SIGTERM) }
    }
  }

  private static let waitMicroseconds: UInt32 = 5_000
  private static let waitsBeforeAsking = 100
}

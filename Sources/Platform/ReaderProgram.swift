import Glibc

/// A program that this one starts to show what it has to say, such as a pager: it has this one's standard output and
/// error, its terminal and its process group meanwhile.
package enum ReaderProgram {
  /// Starts the program, has it read these bytes, and waits for its end. It may end before it has read all.
  /// - Parameters:
  ///   - words: the command line; a program without a slash is looked for in the folders of `PATH`.
  ///   - variables: entries of its environment, as `NAME=VALUE`, that are added to this process's.
  ///   - isStopRequested: whether it should end; it is asked to then, once.
  /// - Throws: when there is no such program, and nothing has been shown.
  package static func run(
    _ words: [String], adding variables: [String], input: [UInt8], isStopRequested: () -> Bool
  ) throws(SystemError) -> ProcessEnd {
    let (read, write) = try Descriptor.pipe()
    let process: pid_t
    do throws(SystemError) {
      try write.setNonBlocking()
      process = try ProcessStart.spawn(
        words[0], words, ProcessStart.environment + variables, ends: [read, .output, .errors],
        leadsGroup: false)
    } catch {
      for end in [read, write] { end.forget() }
      throw error
    }
    read.forget()
    var isAsked = false
    func askToStop() {
      guard !isAsked, isStopRequested() else { return }
      isAsked = true
      kill(process, SIGTERM)
    }
    feed(input, to: write, meanwhile: askToStop)
    write.forget()
    var status: Int32 = 0
    while true {
      // SAFETY: waitpid fills the status that it is lent, during the call only.
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return ProcessEnd(status: status) }
      guard ended == 0 || errno == EINTR else { throw SystemError("waitpid", errno) }
      askToStop()
      usleep(pollMilliseconds * 1_000)
    }
  }

  private static let pollMilliseconds: UInt32 = 5

  /// Writes all bytes, as fast as they are read, until nobody reads on.
  private static func feed(_ bytes: [UInt8], to write: Descriptor, meanwhile: () -> Void) {
    var rest = bytes[...]
    do throws(SystemError) {
      while !rest.isEmpty {
        meanwhile()
        guard try write.waitWritable(timeoutMilliseconds: 20 * Int(pollMilliseconds)) else { continue }
        rest = rest.dropFirst(try write.writeSome(rest))
      }
    } catch {
      // Whoever reads has seen enough.
    }
  }
}

internal import CLinux
import Glibc

/// An open file of this process, by number; a value that does not own it.
package struct Descriptor: Hashable, Sendable {
  /// The number the system knows it by.
  package let number: Int32

  /// The open file with this number.
  package init(_ number: Int32) { self.number = number }

  /// Standard input.
  package static let input = Descriptor(0)
  /// Standard output.
  package static let output = Descriptor(1)
  /// Standard error.
  package static let errors = Descriptor(2)

  /// Opens `/dev/null` in place of each standard descriptor that is closed; call it before anything is opened.
  ///
  /// Else the next file or pipe that the program opens would be taken for its standard input or output. Input
  /// then is at its end, writing a result is an error, and words on standard error are lost.
  package static func openStandard() throws(SystemError) {
    for standard in [input, output, errors] where fcntl(standard.number, F_GETFD) < 0 && errno == EBADF {
      // The system gives the least number that is free, which is this one. Output is opened for reading, so
      // that writing fails.
      let flags = standard == errors ? O_WRONLY : O_RDONLY
      // SAFETY: open reads the terminated string during the call only.
      _ = try SystemError.check("open", path: "/dev/null") { unsafe open("/dev/null", flags) }
    }
  }

  /// Writes all bytes, also when the system takes them piece by piece, and waits where a descriptor does not
  /// block.
  /// - Parameter path: what this is, for words.
  package func write(_ bytes: [UInt8], path: String? = nil) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SystemError) {
        let count = try SystemError.check("write", path: path) {
          // SAFETY: write reads at most the slice's bytes, during the call only.
          unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        }
        rest = rest.dropFirst(count)
      } catch {
        guard error.code == EAGAIN else { throw error }
        _ = try Self.wait([self], events: POLLOUT, timeoutMilliseconds: nil)
      }
    }
  }

  /// Reads up to so many bytes; none at the end of the file. `nil`: nothing there yet on one that does not
  /// block.
  /// - Parameter path: what this is, for words.
  package func read(limitBytes: Int, path: String? = nil) throws(SystemError) -> [UInt8]? {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
      do throws(SystemError) {
        // SAFETY: the system writes at most the buffer's own capacity.
        count = try SystemError.check("read", path: path) {
          unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
        }
      } catch { failure = error }
    }
    guard let failure else { return bytes }
    guard failure.code == EAGAIN else { throw failure }
    return nil
  }

  /// Reads up to so many bytes, waiting for the first; none at the end.
  /// - Parameter path: what this is, for words.
  package func readSome(limitBytes: Int, path: String? = nil) throws(SystemError) -> [UInt8] {
    while true {
      if let bytes = try read(limitBytes: limitBytes, path: path) { return bytes }
      _ = try Self.waitReadable([self])
    }
  }

  /// Closes the descriptor; using the number afterwards is a mistake.
  package func close() throws(SystemError) {
    // EINTR still closes it; closing again could hit somebody else's file.
    guard Glibc.close(number) == 0 || errno == EINTR else { throw SystemError("close", errno) }
  }

  /// Closes a descriptor to which nothing was written, so that nothing can be lost.
  package func forget() { _ = Glibc.close(number) }

  /// A new pipe, closed in programs that this one starts.
  package static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the system fills the two numbers that the array has.
    _ = try SystemError.check("pipe") { unsafe Glibc.pipe(&ends) }
    for end in ends { _ = try SystemError.check("fcntl") { fcntl(end, F_SETFD, FD_CLOEXEC) } }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// Waits until one of these can be read, has ended or has failed; says for each whether that is so.
  ///
  /// All are `false` when the time is up. No time: waits for ever.
  package static func waitReadable(
    _ descriptors: [Descriptor], timeoutMilliseconds: Int? = nil
  ) throws(SystemError) -> [Bool] {
    try wait(descriptors, events: POLLIN, timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Has reading and writing never wait.
  func setNonBlocking() throws(SystemError) {
    _ = try SystemError.check("fcntl") { fcntl(number, F_SETFL, O_NONBLOCK) }
  }

  /// Writes as many of these bytes as a descriptor takes now that does not block.
  /// - Returns: how many.
  func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try SystemError.check("write") {
        // SAFETY: write reads at most the slice's bytes, during the call only.
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    } catch {
      guard error.code == EAGAIN else { throw error }
      return 0
    }
  }

  /// Waits until it takes bytes, or nobody reads it any more.
  /// - Returns: `false` when the time is up.
  func waitWritable(timeoutMilliseconds: Int) throws(SystemError) -> Bool {
    try Self.wait([self], events: POLLOUT, timeoutMilliseconds: timeoutMilliseconds)[0]
  }

  private static func wait(
    _ descriptors: [Descriptor], events: Int32, timeoutMilliseconds: Int?
  ) throws(SystemError) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(events), revents: 0) }
    let deadline = timeoutMilliseconds.map { Deadline(afterMilliseconds: $0) }
    while true {
      let left = deadline.map { Int32(clamping: $0.millisecondsLeft) } ?? -1
      // SAFETY: the array holds exactly the number of entries that is passed with it.
      let count = unsafe poll(&entries, nfds_t(entries.count), left)
      if count > 0 { return entries.map { $0.revents != 0 } }
      if count < 0, errno != EINTR { throw SystemError("poll", errno) }
      if let deadline, deadline.millisecondsLeft == 0 { return descriptors.map { _ in false } }
    }
  }

  /// Throws unless the system lets a descriptor be watched, as every loop does: libuv and Dispatch crash where it is
  /// refused.
  package static func checkWatching() throws(SystemError) {
    let set = Descriptor(try SystemError.check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    defer { set.forget() }
    let event = Descriptor(try SystemError.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) })
    defer { event.forget() }
    var wanted = unsafe epoll_event()
    unsafe wanted.events = EPOLLIN.rawValue
    // SAFETY: the system reads the structure that it is lent, during the call only.
    _ = try SystemError.check("epoll_ctl") {
      unsafe epoll_ctl(set.number, EPOLL_CTL_ADD, event.number, &wanted)
    }
  }
}

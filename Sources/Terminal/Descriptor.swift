#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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

  /// Whether this is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// The terminal's width now, in columns; `nil` when this is no terminal or it does not say.
  package var terminalColumns: Int? {
    var size = winsize()
    #if canImport(Darwin)
      let request: UInt = 0x4008_7468
    #else
      let request = UInt(TIOCGWINSZ)
    #endif
    // SAFETY: this request writes one `winsize`, which `size` is, and nothing keeps the pointer.
    guard unsafe ioctl(number, request, &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all bytes, also when the system takes them piece by piece, and waits where a descriptor does not
  /// block.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      // SAFETY: the pointer is used within the closure, for exactly the bytes from `done` to the end.
      let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(number, $0[done...]) }
      if count >= 0 {
        done += count
      } else {
        let code = errno
        if code == EAGAIN {
          try Self.waitWritable(self)
        } else if code != EINTR {
          throw SystemError("write", code)
        }
      }
    }
  }

  /// Reads up to so many bytes; none at the end of the file. `nil`: nothing there yet on one that does not
  /// block.
  package func read(limitBytes: Int) throws(SystemError) -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
      repeat {
        failure = 0
        // SAFETY: the system writes at most the buffer's own capacity.
        let got = unsafe systemRead(number, UnsafeMutableRawBufferPointer(buffer))
        if got < 0 { failure = errno }
        count = max(0, got)
      } while failure == EINTR
    }
    if failure == EAGAIN { return nil }
    guard failure == 0 else { throw SystemError("read", failure) }
    return bytes
  }

  /// Closes the descriptor; using the number afterwards is a mistake.
  package func close() throws(SystemError) {
    // EINTR still closes it, on Linux and Darwin alike; closing again could hit somebody else's file.
    guard systemClose(number) == 0 || errno == EINTR else { throw SystemError("close", errno) }
  }

  /// A new pipe, closed in programs that this one starts.
  package static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw SystemError("pipe", errno) }
    for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) < 0 { throw SystemError("fcntl", errno) }
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

  private static func waitWritable(_ descriptor: Descriptor) throws(SystemError) {
    _ = try wait([descriptor], events: POLLOUT, timeoutMilliseconds: nil)
  }

  private static func wait(
    _ descriptors: [Descriptor], events: Int32, timeoutMilliseconds: Int?
  ) throws(SystemError) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(events), revents: 0) }
    let clock = ContinuousClock()
    let deadline = timeoutMilliseconds.map { clock.now + .milliseconds(max(0, $0)) }
    while true {
      let left = deadline.map { milliseconds(clock.now.duration(to: $0)) } ?? -1
      // SAFETY: the array holds exactly the number of entries that is passed with it.
      let count = unsafe poll(&entries, nfds_t(entries.count), left)
      if count > 0 { return entries.map { $0.revents != 0 } }
      if count < 0, errno != EINTR { throw SystemError("poll", errno) }
      if let deadline, clock.now >= deadline { return descriptors.map { _ in false } }
    }
  }

  /// A duration in whole milliseconds, rounded up so that waiting never spins, within what `poll` takes.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// A call to the operating system that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name.
  package let call: String
  /// The system's error number.
  package let code: Int32

  init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  /// Whether whoever read the other end has gone.
  var isReaderGone: Bool { code == EPIPE }

  /// What the system says, with the call.
  package var description: String {
    // SAFETY: the system's text ends in a zero byte and is copied at once.
    guard let text = unsafe strerror(code) else { return "\(call): error \(code)" }
    return unsafe "\(call): \(String(cString: text))"
  }
}

// The system's calls under names that the methods above do not hide.

private func systemWrite(_ number: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
  let buffer = unsafe UnsafeRawBufferPointer(rebasing: bytes)
  // SAFETY: the buffer's own pointer and length.
  return unsafe write(number, buffer.baseAddress, buffer.count)
}

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  // SAFETY: the buffer's own pointer and length.
  unsafe read(number, buffer.baseAddress, buffer.count)
}

private func systemClose(_ number: Int32) -> Int32 { close(number) }

private func systemPipe(_ ends: inout [Int32]) -> Int32 {
  // SAFETY: the caller passes an array of two.
  unsafe pipe(&ends)
}

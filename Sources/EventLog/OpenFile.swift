#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the operating system refused, in its own words.
struct SystemError: Error {
  let code: Int32
  let path: String

  /// The error that the last call left behind.
  static func last(_ path: String) -> SystemError { SystemError(code: errno, path: path) }

  var words: String {
    // SAFETY: strerror returns a terminated string that is copied at once; it is per thread where it is not
    // fixed.
    unsafe "\(path): \(String(cString: strerror(code)))"
  }
}

/// An open file, folder or pipe, closed at the end of its life.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let path: String

  /// Opens a path with the flags of open(2); a new file gets mode 0600, whatever the umask.
  init(_ path: String, _ flags: Int32) throws(SystemError) {
    // SAFETY: open reads the terminated string during the call only.
    descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw .last(path) }
  }

  /// Opens a file in an open folder, whatever that is called by now.
  init(_ name: String, in folder: borrowing OpenFile, _ flags: Int32) throws(SystemError) {
    // SAFETY: openat reads the terminated string during the call only.
    descriptor = unsafe openat(folder.descriptor, name, flags | O_CLOEXEC, 0o600)
    path = "\(folder.path)/\(name)"
    guard descriptor >= 0 else { throw .last(path) }
  }

  /// Opens a new file in a folder that has no name until it is linked, and is gone when it is closed without one.
  /// - Parameter path: where it is to be linked, for words.
  /// - Returns: `nil` where there are no such files.
  init?(namelessIn folder: String, for path: String) {
    #if os(Linux) && canImport(Glibc)
      // SAFETY: open reads the terminated string during the call only.
      let opened = unsafe open(folder, O_WRONLY | __O_TMPFILE | O_CLOEXEC, 0o600)
      guard opened >= 0 else { return nil }
      descriptor = opened
      self.path = path
    #else
      return nil
    #endif
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// What fstat(2) says.
  borrowing func status() throws(SystemError) -> stat {
    var status = stat()
    // SAFETY: fstat fills the structure that it is lent, during the call only.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last(path) }
    return status
  }

  borrowing func setMode(_ mode: mode_t) throws(SystemError) {
    guard fchmod(descriptor, mode) == 0 else { throw .last(path) }
  }

  /// Takes the file's lock, which is given back when the file is closed or the process ends in any way.
  /// - Returns: `false` when somebody else holds it.
  borrowing func lock() throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last(path) }
    }
    return true
  }

  /// Makes the content durable.
  borrowing func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last(path) }
  }

  borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes, to: descriptor, path)
  }

  /// All bytes, at most `limit`.
  borrowing func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let more = try readSome(limit - bytes.count, from: descriptor, path)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}

/// Reads up to `count` bytes, waiting for the first; none at the end.
func readSome(_ count: Int, from descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  while true {
    // SAFETY: read writes at most `count` bytes into the array, which has as many.
    let got = unsafe read(descriptor, &bytes, count)
    if got < 0 && errno == EINTR { continue }
    guard got >= 0 else { throw .last(path) }
    bytes.removeLast(count - got)
    return bytes
  }
}

/// Writes all bytes, in as many calls as it takes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    // SAFETY: write reads at most the slice's bytes, during the call only.
    let wrote = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if wrote < 0 && errno == EINTR { continue }
    guard wrote > 0 else { throw .last(path) }
    rest = rest.dropFirst(wrote)
  }
}

extension Bundle {
  /// The pieces of a bundle from an open file or pipe; whoever opened it closes it, after the reader is done.
  package static func source(
    descriptor: Int32, name: String
  ) -> () throws(BundleError) -> [UInt8] {
    { () throws(BundleError) in
      do throws(SystemError) { return try readSome(65_536, from: descriptor, name) } catch {
        throw .inputOutput(error.words)
      }
    }
  }

  /// Where the pieces of a bundle go: an open file or pipe.
  package static func sink(
    descriptor: Int32, name: String
  ) -> ([UInt8]) throws(BundleError) -> Void {
    { (bytes) throws(BundleError) in
      do throws(SystemError) { try writeAll(bytes, to: descriptor, name) } catch {
        throw .inputOutput(error.words)
      }
    }
  }
}

import Glibc

/// An open file or folder, closed at the end of its life and never inherited by a program that this one starts.
///
/// Calls that a signal interrupts are made again.
package struct OpenFile: ~Copyable, Sendable {
  /// How a file is opened; without any for reading.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// To write and not to read.
    package static let writing = Options(rawValue: O_WRONLY)
    /// To read and write.
    package static let updating = Options(rawValue: O_RDWR)
    /// Writes go to its end.
    package static let appending = Options(rawValue: O_WRONLY | O_APPEND)
    /// It is made when it is not there.
    package static let creating = Options(rawValue: O_CREAT)
    /// It is made, and must not be there.
    package static let new = Options(rawValue: O_CREAT | O_EXCL)
    /// It must be a folder.
    package static let folder = Options(rawValue: O_DIRECTORY)
    /// It must not be a link.
    package static let noLink = Options(rawValue: O_NOFOLLOW)
    /// A pipe is waited for. Else one that lies where a file should be holds nobody up; files do not care.
    package static let waiting = Options(rawValue: O_NONBLOCK)

    fileprivate var flags: Int32 { (rawValue ^ O_NONBLOCK) | O_CLOEXEC }
  }

  /// The open file by number, to be used as long as this is there.
  package let descriptor: Descriptor
  /// What it is called, for words.
  package let path: String

  /// Opens a path; a file that is made gets this mode, less what the umask takes.
  package init(_ path: String, _ options: Options = [], mode: UInt32 = 0o600) throws(SystemError) {
    let number = try SystemError.check("open", path: path) {
      // SAFETY: open reads the terminated string during the call only.
      unsafe open(path, options.flags, mode)
    }
    self.init(number, path)
  }

  /// Opens a file in an open folder, whatever that is called by now; a link there is refused.
  package init(
    _ name: String, in folder: borrowing OpenFile, _ options: Options = []
  ) throws(SystemError) {
    let path = "\(folder.path)/\(name)"
    let (parent, flags) = (folder.descriptor.number, options.union(.noLink).flags)
    let number = try SystemError.check("openat", path: path) {
      // SAFETY: openat reads the terminated string during the call only.
      unsafe openat(parent, name, flags, 0o600)
    }
    self.init(number, path)
  }

  /// Opens a new file in a folder that has no name until it is linked, and is gone when it is closed without one.
  /// - Parameter path: where it is to be linked, for words.
  /// - Returns: `nil` where there are no such files.
  package init?(namelessIn folder: String, for path: String) {
    // SAFETY: open reads the terminated string during the call only.
    let number = unsafe open(folder, O_WRONLY | __O_TMPFILE | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    self.init(number, path)
  }

  private init(_ number: Int32, _ path: String) {
    descriptor = Descriptor(number)
    self.path = path
  }

  // Who must know that what was written is there has called `sync`.
  deinit { descriptor.forget() }

  /// What the system says of it.
  package borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    let number = descriptor.number
    // SAFETY: fstat fills the structure that it is lent, during the call only.
    _ = try SystemError.check("fstat", path: path) { unsafe fstat(number, &status) }
    return FileStatus(status)
  }

  /// Sets who may do what with it, whatever the umask.
  package borrowing func setMode(_ mode: UInt32) throws(SystemError) {
    try check("fchmod") { fchmod($0, mode) }
  }

  /// Makes the file's, or the folder's, content durable.
  package borrowing func sync() throws(SystemError) { try check("fsync") { fsync($0) } }

  /// Calls the system with the open file's number.
  private borrowing func check(_ name: String, _ call: (Int32) -> Int32) throws(SystemError) {
    let number = descriptor.number
    _ = try SystemError.check(name, path: path) { call(number) }
  }

  // MARK: - The lock

  /// Takes the file's lock (flock), which is given back when the file is closed or the process ends in any way, so
  /// that no lock is ever stale.
  /// - Returns: `false` when somebody else holds it.
  package borrowing func lock() throws(SystemError) -> Bool {
    do throws(SystemError) { try check("flock") { flock($0, LOCK_EX | LOCK_NB) } } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
    return true
  }

  /// Gives the lock back. Closing alone would leave it to a child process that another thread is starting and that
  /// holds a copy of the descriptor until it runs its program.
  package borrowing func unlock() { _ = flock(descriptor.number, LOCK_UN) }

  // MARK: - Content

  /// Writes all bytes.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    try descriptor.write(bytes, path: path)
  }

  /// What is still to be read, at most `limit` bytes.
  package borrowing func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let more = try descriptor.readSome(limitBytes: min(limit - bytes.count, 1 << 16), path: path)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  package borrowing func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    guard let start = off_t(exactly: offset) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    let number = descriptor.number
    while filled < count {
      let got = try SystemError.check("pread", path: path) {
        // SAFETY: pread writes at most `count - filled` bytes after the first `filled` of the array.
        unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe pread(
            number, buffer.baseAddress?.advanced(by: filled), count - filled, start + off_t(filled))
        }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Makes `bytes` the file's whole content, in place and not durably.
  package borrowing func replaceContent(_ bytes: [UInt8]) throws(SystemError) {
    try write(bytes, at: 0)
    try truncate(to: bytes.count)
  }

  /// Cuts the file off.
  private borrowing func truncate(to byteCount: Int) throws(SystemError) {
    try check("ftruncate") { ftruncate($0, off_t(byteCount)) }
  }

  /// Writes all bytes at a place in one call; what lets only a part of them through is a lack of space.
  private borrowing func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let number = descriptor.number
    let count = try SystemError.check("pwrite", path: path) {
      // SAFETY: pwrite reads the array's bytes during the call only.
      unsafe bytes.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
    }
    guard count == bytes.count else { throw SystemError("pwrite", ENOSPC, path: path) }
  }

  // MARK: - Space

  /// Gives the first `byteCount` bytes of the file their place on the disk, and the file at least that length;
  /// its content stays.
  ///
  /// Where the system cannot do that, the bytes beyond the file's end are written as zeros and what is before
  /// it is left as it is.
  package borrowing func reserve(_ byteCount: Int) throws(SystemError) {
    var code = EINTR
    while code == EINTR { code = posix_fallocate(descriptor.number, 0, off_t(byteCount)) }
    guard code != 0 else { return }
    guard code == EOPNOTSUPP || code == ENOSYS || code == EINVAL else {
      throw SystemError("posix_fallocate", code, path: path)
    }
    let length = Int(try status().bytes)
    guard length < byteCount else { return }
    try write([UInt8](repeating: 0, count: byteCount - length), at: length)
  }

  /// Throws when the file cannot be made longer by `byteCount`; its length is the same afterwards.
  ///
  /// The caller keeps other writers away.
  package borrowing func probeSpace(_ byteCount: Int) throws(SystemError) {
    let length = Int(try status().bytes)
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var failure: SystemError?
    for offset in stride(from: 0, to: byteCount, by: zeros.count) where failure == nil {
      do throws(SystemError) { try write(zeros, at: length + offset) } catch { failure = error }
    }
    try truncate(to: length)
    if let failure { throw failure }
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file descriptor, closed at the end of its life and never inherited by a started program.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32
  let path: String

  /// Opens `path`; `flags` are those of open(2), and a file made by `O_CREAT` gets mode 0600.
  init(_ path: String, _ flags: Int32) throws(StoreError) {
    // A pipe that lies where a file should be must not be waited for; files do not care.
    // SAFETY: open reads the terminated string during the call only.
    let opened = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw StoreError(errno: errno, path: path) }
    number = opened
    self.path = path
  }

  // Nothing was written through this descriptor that fsync has not already reported on.
  deinit { _ = close(number) }

  /// What fstat(2) says of the file.
  borrowing func status() throws(StoreError) -> stat {
    var status = stat()
    // SAFETY: fstat fills the structure that it is lent, during the call only.
    guard unsafe fstat(number, &status) == 0 else { throw StoreError(errno: errno, path: path) }
    return status
  }

  /// Makes the file's, or the folder's, content durable.
  borrowing func sync() throws(StoreError) {
    guard fsync(number) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  borrowing func read(_ count: Int, at offset: UInt64) throws(StoreError) -> [UInt8] {
    guard let start = off_t(exactly: offset) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      // SAFETY: pread writes at most `count - filled` bytes after the first `filled` of the array.
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(number, buffer.baseAddress?.advanced(by: filled), count - filled, start + off_t(filled))
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw StoreError(errno: errno, path: path) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Makes `bytes` the file's whole content.
  borrowing func replaceContent(_ bytes: [UInt8]) throws(StoreError) {
    guard ftruncate(number, 0) == 0 else { throw StoreError(errno: errno, path: path) }
    // SAFETY: pwrite reads the array's bytes during the call only.
    let written = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(number, buffer.baseAddress, buffer.count, 0)
    }
    guard written == bytes.count else {
      throw StoreError(errno: written < 0 ? errno : ENOSPC, path: path)
    }
  }

  /// Gives the first `byteCount` bytes of the file their place on the disk, and the file at least that length;
  /// its content stays.
  ///
  /// Where the system cannot do that, the bytes beyond the file's end are written as zeros and what is before
  /// it is left as it is.
  borrowing func reserve(_ byteCount: Int) throws(StoreError) {
    #if canImport(Glibc)
      var code = posix_fallocate(number, 0, off_t(byteCount))
      while code == EINTR { code = posix_fallocate(number, 0, off_t(byteCount)) }
      guard code != 0 else { return }
      guard code == EOPNOTSUPP || code == ENOSYS || code == EINVAL else {
        throw StoreError(errno: code, path: path)
      }
    #endif
    let length = Int(try status().st_size)
    guard length < byteCount else { return }
    let zeros = [UInt8](repeating: 0, count: byteCount - length)
    // SAFETY: pwrite reads the array's bytes during the call only.
    let written = unsafe zeros.withUnsafeBytes { buffer in
      unsafe pwrite(number, buffer.baseAddress, buffer.count, off_t(length))
    }
    guard written == zeros.count else {
      throw StoreError(errno: written < 0 ? errno : ENOSPC, path: path)
    }
  }

  /// Throws `.diskFull` when the file cannot be made longer by `byteCount`; its length is the same
  /// afterwards.
  ///
  /// The caller keeps other writers away.
  borrowing func probeSpace(_ byteCount: Int) throws(StoreError) {
    let length = try status().st_size
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var failure: Int32 = 0
    for offset in stride(from: 0, to: byteCount, by: zeros.count) where failure == 0 {
      // SAFETY: pwrite reads the array's bytes during the call only.
      let written = unsafe zeros.withUnsafeBytes { buffer in
        unsafe pwrite(number, buffer.baseAddress, buffer.count, length + off_t(offset))
      }
      if written != zeros.count { failure = written < 0 ? errno : ENOSPC }
    }
    guard ftruncate(number, length) == 0 else { throw StoreError(errno: errno, path: path) }
    if failure != 0 { throw StoreError(errno: failure, path: path) }
  }
}

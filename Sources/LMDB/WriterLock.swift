#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The exclusive right to write an environment, held as flock(2) on `writer.lock` in its folder.
///
/// The kernel drops the lock when the process ends in any way, so a lock is never stale. The file stays; its
/// content only names the holder to whoever is refused.
package struct WriterLock: ~Copyable, Sendable {
  /// Who holds a lock, as far as the lock file says.
  package struct Holder: Hashable, Sendable, CustomStringConvertible {
    /// The process id, or `nil` when the file does not say.
    package let processID: Int32?
    /// The program's name in printable ASCII, possibly empty.
    package let program: String

    package var description: String {
      guard let processID else { return "another process" }
      return program.isEmpty ? "process \(processID)" : "process \(processID) (\(program))"
    }
  }

  private let descriptor: Descriptor

  /// Takes the lock in `folder`, or throws `.locked` with its holder.
  init(_ folder: Folder, program: String) throws(StoreError) {
    let opened = try Descriptor(folder.writerLock, O_RDWR | O_CREAT | O_NOFOLLOW)
    guard try Self.lock(opened) else {
      throw .locked(path: folder.path, by: try Self.holder(opened))
    }
    try opened.replaceContent(Array("\(getpid()) \(program)\n".utf8))
    descriptor = opened
  }

  /// Takes the lock of a folder that may be abandoned; `nil` when a living process holds it.
  ///
  /// - Parameter creating: whether a lock file that is missing is made.
  init?(abandoned folder: Folder, creating: Bool = false) throws(StoreError) {
    let opened = try Descriptor(folder.writerLock, O_RDWR | O_NOFOLLOW | (creating ? O_CREAT : 0))
    guard try Self.lock(opened) else { return nil }
    descriptor = opened
  }

  /// Gives the lock back. Closing alone would leave it to a child process that another thread is starting and
  /// that holds a copy of the descriptor until it runs its program.
  deinit { _ = flock(descriptor.number, LOCK_UN) }

  /// Whether the locked file is still the one at `folder`'s path.
  borrowing func isOf(_ folder: Folder) throws(StoreError) -> Bool {
    let own = try descriptor.status()
    var present = stat()
    // SAFETY: stat fills the structure that it is lent, during the call only.
    guard unsafe stat(folder.writerLock, &present) == 0 else { return false }
    return own.st_dev == present.st_dev && own.st_ino == present.st_ino
  }

  private static func lock(_ descriptor: borrowing Descriptor) throws(StoreError) -> Bool {
    while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw StoreError(errno: errno, path: descriptor.path) }
    }
    return true
  }

  /// Reads the holder; any process of this user may have written the file, so only printable ASCII passes.
  private static func holder(_ descriptor: borrowing Descriptor) throws(StoreError) -> Holder {
    let line = try descriptor.read(256, at: 0).prefix { $0 != UInt8(ascii: "\n") }
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let processID = Int32(String(decoding: first, as: UTF8.self)) else {
      return Holder(processID: nil, program: "")
    }
    let program = parts.dropFirst().first?.filter { (0x20...0x7E).contains($0) } ?? []
    return Holder(processID: processID, program: String(decoding: program, as: UTF8.self))
  }
}

import Platform

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

  private let file: OpenFile

  /// Takes the lock in `folder`, or throws `.locked` with its holder.
  init(_ folder: Folder, program: String) throws(StoreError) {
    let opened = try inStore(OpenFile(folder.writerLock, [.updating, .creating, .noLink]))
    guard try inStore(opened.lock()) else {
      throw .locked(path: folder.path, by: try Self.holder(opened))
    }
    try inStore(opened.replaceContent(Array("\(CurrentProcess.id) \(program)\n".utf8)))
    file = opened
  }

  /// Takes the lock of the environment at a path without opening it, to keep writers away; `nil` where there is none.
  package init?(ifPresentAt path: String, program: String) throws(StoreError) {
    do throws(StoreError) { self = try WriterLock(Folder(resolving: path), program: program) } catch .missing
    {
      return nil
    }
  }

  /// Takes the lock of a folder that may be abandoned; `nil` when a living process holds it.
  ///
  /// - Parameter creating: whether a lock file that is missing is made.
  init?(abandoned folder: Folder, creating: Bool = false) throws(StoreError) {
    let options: OpenFile.Options = creating ? [.updating, .creating, .noLink] : [.updating, .noLink]
    let opened = try inStore(OpenFile(folder.writerLock, options))
    guard try inStore(opened.lock()) else { return nil }
    file = opened
  }

  deinit { file.unlock() }

  /// Whether the locked file is still the one at `folder`'s path.
  borrowing func isOf(_ folder: Folder) throws(StoreError) -> Bool {
    try inStore(file.status()).number == FileStatus(at: folder.writerLock)?.number
  }

  /// Reads the holder; any process of this user may have written the file, so only printable ASCII passes.
  private static func holder(_ file: borrowing OpenFile) throws(StoreError) -> Holder {
    let line = try inStore(file.read(256, at: 0)).prefix { $0 != UInt8(ascii: "\n") }
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let processID = Int32(String(decoding: first, as: UTF8.self)) else {
      return Holder(processID: nil, program: "")
    }
    let program = parts.dropFirst().first?.filter { (0x20...0x7E).contains($0) } ?? []
    return Holder(processID: processID, program: String(decoding: program, as: UTF8.self))
  }
}

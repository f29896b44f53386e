import Glibc

/// A file that appears at its path whole, or not at all.
///
/// What is written goes to a draft beside it; `keep` makes the draft durable and gives it its name. A file
/// that is let go of without `keep` leaves nothing.
package struct NewFile: ~Copyable {
  /// Where to write.
  package var descriptor: Descriptor { file.descriptor }
  private let file: OpenFile
  private let path: String
  private let replaces: Bool

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - replaces: whether a file that is there may be replaced.
  ///   - mode: who may do what with it, less what the umask takes.
  package init(_ path: String, replaces: Bool, mode: UInt32 = 0o666) throws(SystemError) {
    guard replaces || !FileSystem.exists(path) else { throw SystemError("open", EEXIST, path: path) }
    let draft = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max)).draft"
    do throws(SystemError) { file = try OpenFile(draft, [.writing, .new], mode: mode) } catch {
      // The draft's name is nobody's business.
      throw SystemError(error.call, error.code, path: path)
    }
    (self.path, self.replaces) = (path, replaces)
  }

  /// Removes the draft, unless it has the file's name by now.
  deinit {
    // SAFETY: the call reads the terminated string only while it runs.
    unsafe _ = unlink(file.path)
  }

  /// Makes what was written durable and gives the file its name.
  package consuming func keep() throws(SystemError) {
    do throws(SystemError) { try file.sync() } catch {
      throw SystemError(error.call, error.code, path: path)
    }
    // Unlike rename(2), link(2) never replaces what somebody else has just put there.
    if replaces {
      try FileSystem.move(file.path, to: path)
    } else {
      try FileSystem.link(file.path, as: path)
    }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    try OpenFile(String(folder), .folder).sync()
  }
}

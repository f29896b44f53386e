import Glibc

/// What is done in an open folder, which stays the same one whatever it is called by now.
extension OpenFile {
  /// What has this name in this folder, a link itself and not what it leads to; `nil` when that cannot be said.
  package borrowing func status(of name: String) -> FileStatus? {
    var status = stat()
    // SAFETY: fstatat reads the terminated string and fills the structure during the call only.
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// Puts a new durable file in the place of one of this folder; the folder is synced by the caller.
  package borrowing func replace(_ name: String, with bytes: [UInt8]) throws(SystemError) {
    let draft = name + ".new"
    try remove(draft)
    let file = try OpenFile(draft, in: self, [.writing, .new])
    try file.write(bytes)
    try file.sync()
    let number = descriptor.number
    _ = try SystemError.check("renameat", path: "\(path)/\(name)") {
      // SAFETY: renameat reads the two terminated strings during the call only.
      unsafe renameat(number, draft, number, name)
    }
  }

  /// Removes a file of this folder, if there is one.
  package borrowing func remove(_ name: String) throws(SystemError) {
    let number = descriptor.number
    do throws(SystemError) {
      _ = try SystemError.check("unlinkat", path: "\(path)/\(name)") {
        // SAFETY: unlinkat reads the terminated string during the call only.
        unsafe unlinkat(number, name, 0)
      }
    } catch {
      guard error.kind == .missing else { throw error }
    }
  }
}

import Glibc
internal import Platform

/// How an identity's file comes into being: whole or not at all, and never in place of another one.
///
/// Where the file system can, the file has no name before it is whole, so that whoever is killed leaves no copy
/// of the secret. Elsewhere it is a draft beside its place, locked while its writer lives; the next start removes
/// drafts that nobody holds.
enum IdentityFile {
  /// Makes the file in a folder, with mode 0600 and durable content; its name is not durable yet.
  /// - Throws: `EEXIST` when there is one already.
  static func create(_ bytes: [UInt8], in folder: String) throws(SystemError) {
    let path = "\(folder)/\(Identity.fileName)"
    if try createNameless(bytes, in: folder, at: path) { return }
    // A start that cleans up can take a draft away between its creation and its lock.
    for _ in 0..<16 {
      let draft = "\(path).\(CurrentProcess.id)-\(UInt64.random(in: .min ... .max))"
      if try createDraft(draft, bytes, at: path) { return }
    }
    throw SystemError("link", EAGAIN, path: path)
  }

  /// Makes the file without a name, and gives it its own when it is whole.
  /// - Returns: `false` where that cannot be done; why not is told by the way that has names.
  private static func createNameless(
    _ bytes: [UInt8], in folder: String, at path: String
  ) throws(SystemError) -> Bool {
    guard let file = OpenFile(namelessIn: folder, for: path) else { return false }
    try fill(file, bytes)
    do throws(SystemError) { try FileSystem.link(file, as: path) } catch {
      if error.kind == .exists { throw error }
      return false
    }
    return true
  }

  /// Makes the file under a name of its own, and gives it the right one when it is whole.
  /// - Returns: `false` when somebody took the draft for abandoned.
  private static func createDraft(
    _ draft: String, _ bytes: [UInt8], at path: String
  ) throws(SystemError) -> Bool {
    let file = try OpenFile(draft, [.writing, .new])
    // One that cannot be removed now is removed by the next start.
    defer { do throws(SystemError) { try FileSystem.remove(draft) } catch {} }
    guard try file.lock(), try file.status().names > 0 else { return false }
    try fill(file, bytes)
    // Unlike rename(2), link(2) never replaces an identity that another process has just made.
    try FileSystem.link(draft, as: path)
    return true
  }

  private static func fill(_ file: borrowing OpenFile, _ bytes: [UInt8]) throws(SystemError) {
    // The umask may have taken from what opening asked for.
    try file.setMode(0o600)
    try file.write(bytes)
    try file.sync()
  }

  /// Removes drafts whose writers are gone.
  static func removeDrafts(in folder: String) throws(IdentityError) {
    do throws(SystemError) {
      for name in try FileSystem.names(in: folder) where isDraft(name) {
        try removeDraft("\(folder)/\(name)")
      }
    } catch { throw .system(error.description) }
  }

  private static func removeDraft(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      guard try OpenFile(path, .noLink).lock() else { return }
    } catch {
      // Its writer, or another start, was quicker.
      guard error.kind == .missing else { throw error }
    }
    try FileSystem.remove(path)
  }

  /// Whether a name is the identity's, a dot, a process number, a hyphen and a random number.
  private static func isDraft(_ name: String) -> Bool {
    let prefix = Identity.fileName + "."
    guard name.hasPrefix(prefix) else { return false }
    let parts = name.utf8.dropFirst(prefix.utf8.count).split(
      separator: 0x2D, omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
  }
}

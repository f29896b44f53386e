import CLinux
import Glibc

/// What is at a path, and what is done with names.
package enum FileSystem {
  /// Whether anything is there that this user can see.
  package static func exists(_ path: String) -> Bool { FileStatus(at: path) != nil }

  /// Whether a folder is there, which this user may or may not enter.
  package static func isFolder(_ path: String) -> Bool { FileStatus(at: path)?.kind == .folder }

  /// Whether a link is there, whatever it leads to.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: lstat reads the terminated string and fills the structure during the call only.
    return unsafe lstat(path, &status) == 0 && FileStatus(status).kind == .link
  }

  /// The same path from the root on, without links in it.
  package static func resolve(_ path: String) throws(SystemError) -> String {
    // SAFETY: realpath reads the terminated string and returns a terminated one that is ours to free.
    guard let found = unsafe realpath(path, nil) else { throw SystemError("realpath", errno, path: path) }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// The folder that holds what a path from the root on names.
  package static func parent(of path: String) -> String {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The names in a folder, without `.` and `..`, in no order.
  package static func names(in path: String) throws(SystemError) -> [String] {
    // SAFETY: opendir reads the terminated string; the handle is closed on every way out.
    guard let handle = unsafe opendir(path) else { throw SystemError("opendir", errno, path: path) }
    defer { _ = unsafe closedir(handle) }
    var names: [String] = []
    errno = 0
    // SAFETY: readdir's entry holds a terminated name and stays valid until the next call.
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError("readdir", errno, path: path) }
    return names
  }

  /// Whether a path is on a network or user-space file system, on which a shared map and locks are not dependable.
  package static func isRemote(_ path: String) throws(SystemError) -> Bool {
    var status = statfs()
    // SAFETY: statfs reads the terminated string and fills the structure, during the call only.
    _ = try SystemError.check("statfs", path: path) { unsafe statfs(path, &status) }
    return remoteTypes.contains(UInt32(truncatingIfNeeded: status.f_type))
  }

  /// `f_type` of NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS and Ceph, from Linux's `magic.h`.
  private static let remoteTypes: [UInt32] = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
  ]

  /// Whether this user may make files in a folder.
  package static func mayWrite(in folder: String) -> Bool {
    // SAFETY: access reads the terminated string during the call only.
    unsafe access(folder, W_OK | X_OK) == 0
  }

  /// How many bytes this user may still write on the file system of a path.
  package static func freeBytes(at path: String) throws(SystemError) -> UInt64 {
    var status = statvfs()
    // SAFETY: statvfs reads the terminated string and fills the structure, during the call only.
    _ = try SystemError.check("statvfs", path: path) { unsafe statvfs(path, &status) }
    return UInt64(status.f_bavail) &* UInt64(status.f_frsize)
  }

  // MARK: - Changing

  /// Makes a folder for this user alone (mode 0700), less what the umask takes.
  package static func makeFolder(_ path: String) throws(SystemError) {
    // SAFETY: mkdir reads the terminated string during the call only.
    _ = try SystemError.check("mkdir", path: path) { unsafe mkdir(path, 0o700) }
  }

  /// Makes a folder for this user alone, and the folders above it that are missing.
  package static func makePrivateFolder(_ path: String) throws(SystemError) {
    var part = ""
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, name) in names.enumerated() {
      part += index == 0 ? String(name) : "/\(name)"
      guard !name.isEmpty, name != ".", name != ".." else { continue }
      do throws(SystemError) { try makeFolder(part) } catch {
        // A folder above may refuse us and yet let us pass.
        guard !isFolder(part) else { continue }
        throw error.kind == .exists ? SystemError(error.call, ENOTDIR, path: part) : error
      }
    }
  }

  /// Sets who may do what with what is at a path, whatever the umask.
  package static func setMode(_ mode: UInt32, of path: String) throws(SystemError) {
    // SAFETY: chmod reads the terminated string during the call only.
    _ = try SystemError.check("chmod", path: path) { unsafe chmod(path, mode) }
  }

  /// Gives a file or folder another name, in place of what has that name; errors are about the new one.
  package static func move(_ path: String, to new: String) throws(SystemError) {
    // SAFETY: rename reads the two terminated strings during the call only.
    _ = try SystemError.check("rename", path: new) { unsafe rename(path, new) }
  }

  /// Gives a file a second name, which nothing has yet; errors are about that name.
  package static func link(_ path: String, as new: String) throws(SystemError) {
    // SAFETY: link reads the two terminated strings during the call only.
    _ = try SystemError.check("link", path: new) { unsafe Glibc.link(path, new) }
  }

  /// Gives a file that was opened without a name its own, which nothing has yet.
  package static func link(_ file: borrowing OpenFile, as new: String) throws(SystemError) {
    let source = "/proc/self/fd/\(file.descriptor.number)"
    _ = try SystemError.check("linkat", path: new) {
      // SAFETY: linkat reads the two terminated strings during the call only.
      unsafe linkat(AT_FDCWD, source, AT_FDCWD, new, AT_SYMLINK_FOLLOW)
    }
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) throws(SystemError) {
    // SAFETY: unlink reads the terminated string during the call only.
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", errno, path: path) }
  }

  /// Removes a folder, unless it is gone already or has content.
  package static func removeEmptyFolder(_ path: String) throws(SystemError) {
    // SAFETY: rmdir reads the terminated string during the call only.
    guard unsafe rmdir(path) != 0, ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { return }
    throw SystemError("rmdir", errno, path: path)
  }

  // MARK: - Durable names

  /// Makes durable what a folder's names are, and the names that lead to it as far as this user can have made
  /// them.
  ///
  /// Who made a folder may have died before it synced the one above; so this is done by who relies on the names.
  package static func syncNames(in path: String) throws(SystemError) {
    try OpenFile(path, .folder).sync()
    var place = try resolve(path)
    while place != "/", try syncName(of: place) { place = parent(of: place) }
  }

  /// Syncs the folder that holds a folder's name; false where the name cannot be one that this user made.
  private static func syncName(of folder: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let own = try OpenFile(folder, .folder).status()
      let above = try OpenFile(parent(of: folder), .folder)
      // Somebody else's folder, or the place of a mount.
      guard own.isOurs, try above.status().number.device == own.number.device else { return false }
      try above.sync()
      return true
    } catch {
      guard error.kind == .noPermission || error.kind == .readOnly || error.code == EINVAL else {
        throw error
      }
      return false
    }
  }
}

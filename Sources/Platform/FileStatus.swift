import Glibc

/// Which file it is: no other one of this machine has the same while it exists.
package struct FileNumber: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
}

/// What the system says of a file.
package struct FileStatus: Sendable {
  /// What lies there.
  package enum Kind: Hashable, Sendable { case file, folder, link, socket, other }

  package let kind: Kind
  package let number: FileNumber
  package let bytes: Int64
  /// The bytes that have a place on the disk.
  package let reservedBytes: Int64
  package let names: UInt64
  /// Who may do what with it, as in chmod(1).
  package let mode: UInt16
  /// Whether it belongs to the user that this process acts for.
  package let isOurs: Bool
  /// When the system last changed what it knows of it: seconds since 1970, and nanoseconds.
  package let changed: (seconds: Int64, nanoseconds: Int64)

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      default: .other
      }
    number = FileNumber(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    (bytes, reservedBytes) = (Int64(status.st_size), Int64(status.st_blocks) * 512)
    names = UInt64(status.st_nlink)
    mode = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    isOurs = status.st_uid == geteuid()
    changed = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
  }

  /// What lies at a path, or behind the link there; `nil` when that cannot be said.
  package init?(at path: String) {
    var status = stat()
    // SAFETY: stat reads the terminated string and fills the structure during the call only.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

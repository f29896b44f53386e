import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreError {
  /// The error for an `errno` that a system call on `path` left.
  init(errno: Int32, path: String) {
    switch errno {
    case ENOENT: self = .missing(path: path)
    case EACCES, EPERM: self = .permission(path: path)
    case EROFS: self = .readOnly(path: path)
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull(errno: errno)
    default: self = .inputOutput(errno: errno, path: path)
    }
  }

  /// The error for a code that LMDB returned while it worked on `path`.
  ///
  /// LMDB's own codes are negative; positive ones are `errno`.
  init(code: CInt, path: String) {
    switch code {
    case MDB_MAP_FULL: self = .mapFull
    case MDB_TXN_FULL: self = .transactionFull
    case MDB_READERS_FULL: self = .readersFull
    case MDB_MAP_RESIZED: self = .mapResized
    case MDB_PANIC: self = .poisoned
    case MDB_INVALID: self = .notADatabase(path: path, reason: "LMDB does not recognise a file in it")
    case MDB_VERSION_MISMATCH:
      self = .notADatabase(path: path, reason: "its lock file was made by another version of LMDB")
    case ..<0: self = .corrupted(code: code)
    default: self.init(errno: code, path: path)
    }
  }
}

/// Throws unless LMDB's return code is `MDB_SUCCESS`; the path is evaluated only for an error.
func check(_ code: CInt, _ path: @autoclosure () -> String) throws(StoreError) {
  guard code == MDB_SUCCESS else { throw StoreError(code: code, path: path()) }
}

import CLMDB
package import Platform

extension StoreError {
  /// The store's error for what the system refused.
  package init(_ error: SystemError) {
    let path = error.path ?? error.call
    switch error.kind {
    case .missing: self = .missing(path: path)
    case .noPermission: self = .permission(path: path)
    case .readOnly: self = .readOnly(path: path)
    case .noSpace: self = .diskFull(errno: error.code)
    default: self = .inputOutput(errno: error.code, path: path)
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
    default: self.init(SystemError("mdb", code, path: path))
    }
  }
}

/// Throws unless LMDB's return code is `MDB_SUCCESS`; the path is evaluated only for an error.
func check(_ code: CInt, _ path: @autoclosure () -> String) throws(StoreError) {
  guard code == MDB_SUCCESS else { throw StoreError(code: code, path: path()) }
}

/// The value of a call to the system, whose error becomes the store's.
func inStore<Value: ~Copyable>(
  _ body: @autoclosure () throws(SystemError) -> Value
) throws(StoreError) -> Value {
  do throws(SystemError) { return try body() } catch { throw StoreError(error) }
}

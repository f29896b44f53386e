import CLMDB

/// LMDB's handle of a live transaction, and whose it is.
@safe
package struct RawTransaction {
  @safe let handle: OpaquePointer
  let owner: ObjectIdentifier

  func abort() {
    defer { StoreCrash.leave() }
    // SAFETY: the owner of a transaction ends it exactly once and uses it no more.
    unsafe mdb_txn_abort(handle)
  }

  func commit() -> CInt {
    defer { StoreCrash.leave() }
    // SAFETY: as for abort; LMDB frees the transaction also when the commit fails.
    return unsafe mdb_txn_commit(handle)
  }

  /// The LMDB number of a database that belongs to this transaction's environment.
  func number(of database: Database) throws(StoreError) -> MDB_dbi {
    guard database.owner == owner else { throw .wrongEnvironment }
    return database.number
  }
}

/// The longest key, in bytes, as LMDB is compiled.
package let maximumKeyBytes = 511

func checkLength(ofKey key: RawSpan) throws(StoreError) {
  guard key.byteCount > 0, key.byteCount <= maximumKeyBytes else {
    throw .keyLength(bytes: key.byteCount)
  }
}

/// Calls `body` with the span's bytes as LMDB takes them.
@inline(__always)
func withLMDBValue<Result>(of span: RawSpan, _ body: (inout MDB_val) -> Result) -> Result {
  // SAFETY: LMDB never writes through a key or a value that it is given, and `body` does not keep it.
  unsafe span.withUnsafeBytes { bytes in
    var value = unsafe MDB_val(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    return unsafe body(&value)
  }
}

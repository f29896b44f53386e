import CLMDB

/// How a put treats the key's place.
package enum PutMode: Sendable {
  /// Sets the value, whether or not the key is present.
  case replace
  /// Adds an absent key; throws `.keyExists` for a present one.
  case insert
  /// Adds a key above all others, which is fastest and fills pages wholly; else throws `.outOfOrder`.
  case append

  var flags: UInt32 {
    switch self {
    case .replace: 0
    case .insert: UInt32(MDB_NOOVERWRITE)
    case .append: UInt32(MDB_APPEND)
    }
  }

  var refusal: StoreError { self == .append ? .outOfOrder : .keyExists }
}

/// The one transaction that changes the store; it sees its own changes.
package struct WriteTransaction: ~Copyable, Transaction {
  package let raw: RawTransaction
  private let environment: Environment
  /// The first error that left the transaction unfit to be committed, even if the closure dropped it.
  private(set) var failure: StoreError?
  /// About how many bytes the changes wrote, with a page for each.
  private(set) var changed = 0

  init(_ environment: Environment, _ raw: RawTransaction) {
    self.environment = environment
    self.raw = raw
  }

  /// Puts `value` at `key`.
  package mutating func put(
    _ value: RawSpan, at key: RawSpan, in database: Database, _ mode: PutMode = .replace
  ) throws(StoreError) {
    try checkLength(ofKey: key)
    try checkValueLength(value.byteCount)
    let number = try raw.number(of: database)
    let raw = raw
    let code = unsafe withLMDBValue(of: key) { key in
      unsafe withLMDBValue(of: value) { value in
        // SAFETY: the transaction is live; LMDB copies the key and the value during the call.
        unsafe mdb_put(raw.handle, number, &key, &value, mode.flags)
      }
    }
    try checkChange(code, mode, value.byteCount)
  }

  /// Puts a value of `byteCount` bytes at `key` that `fill` writes in place; bytes that it leaves are zero.
  package mutating func put(
    reserving byteCount: Int, at key: RawSpan, in database: Database, _ mode: PutMode = .replace,
    _ fill: (inout MutableRawSpan) -> Void
  ) throws(StoreError) {
    try checkLength(ofKey: key)
    try checkValueLength(byteCount)
    let number = try raw.number(of: database)
    let raw = raw
    var reserved = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
    let code = unsafe withLMDBValue(of: key) { key in
      // SAFETY: the transaction is live; LMDB copies the key and sets the place of the value.
      unsafe mdb_put(raw.handle, number, &key, &reserved, mode.flags | UInt32(MDB_RESERVE))
    }
    try checkChange(code, mode, byteCount)
    // SAFETY: LMDB has set `byteCount` writable bytes aside, valid until the next change; zeroed, because a
    // new page holds whatever the allocator left there, which must not reach the disk.
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: reserved.mv_data, count: byteCount)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var span = unsafe MutableRawSpan(_unsafeBytes: bytes)
    fill(&span)
  }

  /// Removes `key` and returns whether it was there.
  @discardableResult
  package mutating func delete(_ key: RawSpan, in database: Database) throws(StoreError) -> Bool {
    try checkLength(ofKey: key)
    let number = try raw.number(of: database)
    let raw = raw
    // SAFETY: the transaction is live and LMDB only reads the key.
    let code = unsafe withLMDBValue(of: key) { unsafe mdb_del(raw.handle, number, &$0, nil) }
    if code == MDB_NOTFOUND { return false }
    try checkChange(code, .replace, 0)
    return true
  }

  private func checkValueLength(_ byteCount: Int) throws(StoreError) {
    guard byteCount >= 0, byteCount <= Int(UInt32.max) else { throw .valueTooLong(bytes: byteCount) }
  }

  private mutating func checkChange(_ code: CInt, _ mode: PutMode, _ byteCount: Int) throws(StoreError) {
    changed &+= byteCount + 4_096
    guard code != MDB_SUCCESS else { return }
    if code == MDB_KEYEXIST { throw mode.refusal }
    let error = environment.changeError(code, changed)
    if failure == nil { failure = error }
    throw error
  }
}

extension Environment {
  /// Calls `body` with the write transaction, commits when it returns and aborts when it throws.
  ///
  /// When this returns the changes are durable. Writers of this process wait for each other here. The closure
  /// is synchronous, because LMDB binds the transaction to its thread. Throws what `body` throws, and
  /// `.openedForReading`, `.nestedWrite`, `.mapFull`, `.diskFull` (after these the store stays usable),
  /// `.commitFailed` (stop the program, do not retry) or `.poisoned`. An error of a change that `body`
  /// dropped is thrown in place of the commit.
  package func write<Result: ~Copyable, Failure: StoreFailure>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let raw: RawTransaction
    do throws(StoreError) { raw = try beginWriting() } catch { throw Failure(error) }
    var transaction = WriteTransaction(self, raw)
    let result: Result
    do throws(Failure) { result = try body(&transaction) } catch {
      abortWriting(raw)
      throw error
    }
    if let failure = transaction.failure {
      abortWriting(raw)
      throw Failure(failure)
    }
    do throws(StoreError) { try commitWriting(raw, changed: transaction.changed) } catch {
      throw Failure(error)
    }
    return result
  }
}

import CLMDB

/// A place in one database that moves to neighbouring entries.
///
/// Beside the entries there are two places, before the first and behind the last; a move past an end goes
/// there and returns `nil`, and a new cursor is at both. Entries stay valid while the transaction is not
/// changed.
@safe
package struct Cursor: ~Copyable, ~Escapable {
  private enum Place { case new, before, entry, behind }

  @safe private let handle: OpaquePointer
  private var place = Place.new

  @_lifetime(immortal)
  init(_ transaction: RawTransaction, number: MDB_dbi) throws(StoreError) {
    var opened: OpaquePointer?
    // SAFETY: the transaction is live and LMDB fills the pointer that it is lent.
    try unsafe check(mdb_cursor_open(transaction.handle, number, &opened), "the store")
    guard let opened = unsafe opened else { throw .corrupted(code: MDB_PANIC) }
    unsafe handle = opened
  }

  // SAFETY: the cursor's lifetime ends before its transaction's.
  deinit { unsafe mdb_cursor_close(handle) }

  /// Goes to the first entry.
  @_lifetime(copy self)
  package mutating func first() throws(StoreError) -> Entry? { try move(MDB_FIRST, past: .behind) }

  /// Goes to the last entry.
  @_lifetime(copy self)
  package mutating func last() throws(StoreError) -> Entry? { try move(MDB_LAST, past: .before) }

  /// Goes to the next entry; the first one from a new cursor or from before the first.
  @inline(__always)
  @_lifetime(copy self)
  package mutating func next() throws(StoreError) -> Entry? {
    switch place {
    case .new, .before: try move(MDB_FIRST, past: .behind)
    case .entry: try move(MDB_NEXT, past: .behind)
    case .behind: nil
    }
  }

  /// Goes to the previous entry; the last one from a new cursor or from behind the last.
  @_lifetime(copy self)
  package mutating func previous() throws(StoreError) -> Entry? {
    switch place {
    case .new, .behind: try move(MDB_LAST, past: .before)
    case .entry: try move(MDB_PREV, past: .before)
    case .before: nil
    }
  }

  /// Goes to the first entry whose key is `key` or greater.
  @_lifetime(copy self)
  package mutating func seek(atOrAfter key: RawSpan) throws(StoreError) -> Entry? {
    try checkLength(ofKey: key)
    let handle = handle
    var foundKey = unsafe MDB_val()
    var value = unsafe MDB_val()
    let code = unsafe withLMDBValue(of: key) { sought in
      unsafe foundKey = sought
      // SAFETY: the cursor is live; LMDB reads the key, then replaces it by the found one.
      return unsafe mdb_cursor_get(handle, &foundKey, &value, MDB_SET_RANGE)
    }
    return unsafe try arrive(code, foundKey, value, past: .behind)
  }

  /// Goes to the last entry whose key is less than `key`.
  @_lifetime(copy self)
  package mutating func seek(before key: RawSpan) throws(StoreError) -> Entry? {
    _ = try seek(atOrAfter: key)
    return try previous()
  }

  @inline(__always)
  @_lifetime(copy self)
  private mutating func move(_ operation: MDB_cursor_op, past: Place) throws(StoreError) -> Entry? {
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    // SAFETY: the cursor is live; LMDB fills the key and the value.
    let code = unsafe mdb_cursor_get(handle, &key, &value, operation)
    return unsafe try arrive(code, key, value, past: past)
  }

  @inline(__always)
  @_lifetime(copy self)
  private mutating func arrive(_ code: CInt, _ key: MDB_val, _ value: MDB_val, past: Place)
    throws(StoreError) -> Entry?
  {
    if code == MDB_NOTFOUND {
      place = past
      return nil
    }
    place = .new
    try check(code, "the store")
    place = .entry
    // SAFETY: LMDB keeps the bytes valid until the transaction, which the cursor borrows, changes or ends.
    let keySpan = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size))
    let valueSpan = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    return unsafe _overrideLifetime(Entry(key: keySpan, value: valueSpan), copying: self)
  }
}

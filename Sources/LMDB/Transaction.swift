import CLMDB

/// Whether an iteration goes on.
package enum Step: Sendable {
  case proceed
  case stop
}

/// One key and its value; the bytes lie in the map or in the transaction's own pages.
package struct Entry: ~Escapable {
  package let key: RawSpan
  package let value: RawSpan

  @_lifetime(copy key, copy value)
  init(key: RawSpan, value: RawSpan) {
    self.key = key
    self.value = value
  }
}

/// What both kinds of transaction can do: read one consistent state.
///
/// Spans that it hands out live as long as the transaction is not changed, which the compiler sees to.
package protocol Transaction: ~Copyable {
  var raw: RawTransaction { get }
}

extension Transaction where Self: ~Copyable {
  /// The value at `key`, or `nil`.
  @_lifetime(borrow self)
  package borrowing func get(_ key: RawSpan, in database: Database) throws(StoreError) -> RawSpan? {
    try checkLength(ofKey: key)
    let raw = raw
    let number = try raw.number(of: database)
    var found = unsafe MDB_val()
    // SAFETY: the transaction is live; LMDB reads the key and fills the value.
    let code = unsafe withLMDBValue(of: key) { unsafe mdb_get(raw.handle, number, &$0, &found) }
    if code == MDB_NOTFOUND { return nil }
    try check(code, "the store")
    // SAFETY: LMDB keeps the bytes valid until the transaction changes or ends, and both need `self`.
    let span = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A cursor over the database, at first before the first and behind the last entry.
  @_lifetime(borrow self)
  package borrowing func cursor(in database: Database) throws(StoreError) -> Cursor {
    let raw = raw
    return unsafe _overrideLifetime(
      try Cursor(raw, number: try raw.number(of: database)), borrowing: self)
  }
}

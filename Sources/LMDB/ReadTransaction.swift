/// A snapshot of the store, unchanged by commits that come while it lasts.
package struct ReadTransaction: ~Copyable, Transaction {
  package let raw: RawTransaction

  init(_ raw: RawTransaction) { self.raw = raw }

  deinit { raw.abort() }
}

extension Environment {
  /// Calls `body` with a snapshot of the newest committed state.
  ///
  /// The closure is synchronous and the transaction cannot leave it, so that no snapshot is held across a
  /// wait. Keep it short: while it lasts no page that is freed can be used again. Throws what `body` throws,
  /// and
  /// `.readersFull`, `.mapResized` or `.poisoned`.
  package func read<Result: ~Copyable, Failure: StoreFailure>(
    _ body: (borrowing ReadTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let raw: RawTransaction
    do throws(StoreError) { raw = try beginReading() } catch { throw Failure(error) }
    return try body(ReadTransaction(raw))
  }
}

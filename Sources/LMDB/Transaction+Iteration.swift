import CLMDB

extension Transaction where Self: ~Copyable {
  /// Calls `body` with each entry, keys ascending, from `from` (included) to `upTo` (excluded).
  ///
  /// Without a bound the range is open on that side. Throws `.corrupted` where keys do not ascend: damaged
  /// pages can lead around in circles.
  package borrowing func forEach<Failure: StoreFailure>(
    in database: Database, from: RawSpan? = nil, upTo: RawSpan? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Step
  ) throws(Failure) {
    var failure: Failure?
    do throws(StoreError) {
      var cursor = try cursor(in: database)
      var entry = if let from { try cursor.seek(atOrAfter: from) } else { try cursor.first() }
      var last: RawSpan?
      while let current = entry {
        if let last, !last.precedes(current.key) { throw .corrupted(code: MDB_CORRUPTED) }
        last = current.key
        if let upTo, !current.key.precedes(upTo) { return }
        do throws(Failure) {
          if try body(current.key, current.value) == .stop { return }
        } catch {
          failure = error
          break
        }
        entry = try cursor.next()
      }
    } catch { throw Failure(error) }
    if let failure { throw failure }
  }

  /// Calls `body` with each entry, keys descending, from below `before` (excluded) to `downTo` (included).
  ///
  /// Without a bound the range is open on that side. Throws `.corrupted` where keys do not descend.
  package borrowing func forEachDescending<Failure: StoreFailure>(
    in database: Database, before: RawSpan? = nil, downTo: RawSpan? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Step
  ) throws(Failure) {
    var failure: Failure?
    do throws(StoreError) {
      var cursor = try cursor(in: database)
      var entry = if let before { try cursor.seek(before: before) } else { try cursor.last() }
      var last: RawSpan?
      while let current = entry {
        if let last, !current.key.precedes(last) { throw .corrupted(code: MDB_CORRUPTED) }
        last = current.key
        if let downTo, current.key.precedes(downTo) { return }
        do throws(Failure) {
          if try body(current.key, current.value) == .stop { return }
        } catch {
          failure = error
          break
        }
        entry = try cursor.previous()
      }
    } catch { throw Failure(error) }
    if let failure { throw failure }
  }
}

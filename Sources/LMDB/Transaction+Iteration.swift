import CLMDB

/// The entries of a database from one key up to another, keys ascending: what `forEach` goes through, for who
/// reads so many of them that a call of a closure counts.
package struct Entries: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let from: RawSpan?
  private let upTo: RawSpan?
  private var last: RawSpan?

  @_lifetime(copy cursor, copy from, copy upTo)
  fileprivate init(cursor: consuming Cursor, from: RawSpan?, upTo: RawSpan?) {
    self.cursor = cursor
    self.from = from
    self.upTo = upTo
    last = nil
  }

  /// The next entry; `nil` behind the last.
  /// - Throws: `.corrupted` where keys do not ascend: damaged pages can lead around in circles.
  @_lifetime(copy self)
  package mutating func next() throws(StoreError) -> Entry? {
    let isFirst = last == nil
    let entry = if isFirst, let from { try cursor.seek(atOrAfter: from) } else { try cursor.next() }
    guard let entry else { return nil }
    if let last, !last.precedes(entry.key) { throw .corrupted(code: MDB_CORRUPTED) }
    last = entry.key
    if let upTo, !entry.key.precedes(upTo) { return nil }
    return entry
  }
}

extension Transaction where Self: ~Copyable {
  /// The entries from `from` (included) to `upTo` (excluded); without a bound the range is open on that side.
  @_lifetime(borrow self, copy from, copy upTo)
  package borrowing func entries(
    in database: Database, from: RawSpan? = nil, upTo: RawSpan? = nil
  ) throws(StoreError) -> Entries {
    Entries(cursor: try cursor(in: database), from: from, upTo: upTo)
  }

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
      var entries = try entries(in: database, from: from, upTo: upTo)
      while let entry = try entries.next() {
        do throws(Failure) {
          if try body(entry.key, entry.value) == .stop { return }
        } catch {
          failure = error
          break
        }
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

import CLMDB

/// How much of its file and of its map an environment uses, in pages as of the newest commit.
package struct Usage: Hashable, Sendable {
  package let pageBytes: Int
  /// The pages that the file counts, used or free.
  package let filePages: Int
  /// Those of them that are free to be used again once no reader needs them.
  package let freePages: Int
  /// The pages that the file may grow to.
  package let mapPages: Int
  /// The reader slots that were ever in use at once since the first process opened the environment.
  package let readers: Int

  /// The bytes in use, to compare with a quota.
  package var usedBytes: Int { (filePages - freePages) * pageBytes }
}

/// The size of one database.
package struct DatabaseSize: Hashable, Sendable {
  package let entries: Int
  /// Pages of the tree and of long values.
  package let pages: Int
  package let pageBytes: Int

  /// More pages than any file has.
  static let limitPages = 1 << 44

  package var bytes: Int { pages * pageBytes }
}

extension Transaction where Self: ~Copyable {
  /// The number of entries and pages of the database, in constant time.
  package borrowing func size(of database: Database) throws(StoreError) -> DatabaseSize {
    let raw = raw
    let number = try raw.number(of: database)
    var statistics = MDB_stat()
    // SAFETY: the transaction is live and LMDB fills the structure that it is lent.
    try unsafe check(mdb_stat(raw.handle, number, &statistics), "the store")
    var pages = 0
    for kind in [statistics.ms_branch_pages, statistics.ms_leaf_pages, statistics.ms_overflow_pages] {
      guard (0...DatabaseSize.limitPages).contains(kind) else { throw .corrupted(code: MDB_CORRUPTED) }
      pages += kind
    }
    return DatabaseSize(
      entries: statistics.ms_entries, pages: pages, pageBytes: Int(statistics.ms_psize))
  }
}

extension ReadTransaction {
  /// LMDB's database 0; each value begins with its number of free pages.
  fileprivate var freeTree: Database { Database(number: 0, owner: raw.owner) }

  /// The free pages that the snapshot's free tree lists, in time proportional to the commits that freed them.
  fileprivate borrowing func freePages() throws(StoreError) -> Int {
    var pages = 0
    try forEach(in: freeTree) { (_, value) throws(StoreError) in
      guard value.byteCount >= 8 else { throw .corrupted(code: MDB_CORRUPTED) }
      // SAFETY: the value has the 8 bytes, and any bits are an integer.
      let listed = unsafe value.unsafeLoadUnaligned(as: UInt64.self)
      guard listed <= UInt64(value.byteCount / 8) else { throw .corrupted(code: MDB_CORRUPTED) }
      pages += Int(listed)
      return .proceed
    }
    return pages
  }
}

extension Environment {
  /// The environment's use of its file and its map as of the newest commit.
  package func usage() throws(StoreError) -> Usage {
    try read { (transaction) throws(StoreError) in
      let free = try transaction.freePages()
      let pageBytes = try transaction.size(of: transaction.freeTree).pageBytes
      let figures = unsafe try figures()
      return unsafe Usage(
        pageBytes: pageBytes, filePages: figures.me_last_pgno + 1, freePages: free,
        mapPages: figures.me_mapsize / pageBytes, readers: Int(figures.me_numreaders))
    }
  }
}

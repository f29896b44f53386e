import CLMDB
import Glibc
import Platform

/// How a data file's pages are used as of one commit.
package struct PageUse: Hashable, Sendable {
  /// The pages that the file counts, its two meta pages included.
  package let filePages: Int
  /// Pages that a tree reaches, and those of its long values.
  package let reachedPages: Int
  /// Pages that the list of free pages names.
  package let freePages: Int
  /// What is wrong, in words; then the numbers are those of what was seen before.
  package let fault: String?
}

/// Walks all trees of a data file, the list of free pages among them, and marks each page that it comes to.
///
/// LMDB relies on what it never looks at: that no page is reached twice, and that no page is both reached and
/// free. A writer on a file in which that does not hold overwrites what is stored. The file is read as it lies
/// (`DataFile`), each reached page once, so that no damage can crash the walk or have it go on for ever.
///
///     page header                          node of a leaf page                  a named tree's record
///     0   page number           8          0  data size, low and high    4      0  (page size), flags     6
///     8   (unused)              2          4  flags: 1 = own pages       2      6  depth                  2
///     10  kind: 1 branch,                        2 = record of a tree           8  branch, leaf, own     24
///         2 leaf, 4 own pages   2          6  key size                   2      32 entries                8
///     12  lower, upper; or how                8  key, then data or              40 root                   8
///         many own pages        4             page number
struct PageCensus: ~Copyable {
  /// What ends a walk.
  private enum Fault: Error {
    case damaged(String)
    case store(StoreError)
  }

  private enum Mark: UInt8 {
    case none
    case reached
    case free
  }

  /// A tree as its record says it is.
  private struct Tree {
    let depth: UInt16
    let root: UInt64
  }

  /// LMDB's number for the root of an empty tree.
  private static let noPage = UInt64.max
  private static let headerBytes = 16

  private let file: DataFile
  private let meta: DataFile.Meta
  /// The bytes that the file has.
  private let size: UInt64
  private var marks: [Mark] = []
  private var reached = 0
  private var free = 0

  private init(file: consuming DataFile, meta: DataFile.Meta, size: UInt64) {
    self.file = file
    self.meta = meta
    self.size = size
  }

  /// Looks at a data file as of a commit that a reader keeps.
  /// - Returns: `nil` when no meta page tells of this commit any more: the file has gone on by two.
  static func take(_ path: String, at transaction: UInt64) throws(StoreError) -> PageUse? {
    var file = try DataFile(path)
    // Twice, because a writer may have been at work on the page that was read.
    guard let meta = try file.meta(of: transaction), try file.meta(of: transaction) == meta else {
      return nil
    }
    let size = UInt64(try file.status().bytes)
    var census = PageCensus(file: file, meta: meta, size: size)
    return try census.use()
  }

  private mutating func use() throws(StoreError) -> PageUse {
    var words: String?
    do throws(Fault) { try walk() } catch {
      switch error {
      case .damaged(let reason): words = reason
      case .store(let error): throw error
      }
    }
    return PageUse(
      filePages: Int(clamping: meta.lastPage &+ 1), reachedPages: reached, freePages: free, fault: words)
  }

  private mutating func walk() throws(Fault) {
    // Pages that the file lacks are free ones, and each takes 8 bytes of the list of them.
    guard meta.lastPage < size / file.pageSize + size / 8 else {
      throw .damaged("the newest meta page names page \(meta.lastPage), which the file cannot have")
    }
    marks = Array(repeating: .none, count: Int(meta.lastPage) + 1)
    for page in 0..<min(2, marks.count) { marks[page] = .reached }
    try walk(Tree(depth: meta.mainDepth, root: meta.mainRoot), isFreeList: false)
    try walk(Tree(depth: meta.freeDepth, root: meta.freeRoot), isFreeList: true)
  }

  private mutating func walk(_ tree: Tree, isFreeList: Bool) throws(Fault) {
    guard (tree.root == Self.noPage) == (tree.depth == 0), tree.depth <= 32 else {
      throw .damaged("a tree of depth \(tree.depth) begins at page \(tree.root)")
    }
    if tree.depth > 0 { try visit(tree.root, depth: tree.depth, isFreeList: isFreeList) }
  }

  private mutating func visit(_ page: UInt64, depth: UInt16, isFreeList: Bool) throws(Fault) {
    let bytes = try take(page)
    let kind = bytes.uint16(10) ?? 0
    guard bytes.uint64(0) == page, kind == (depth > 1 ? 1 : 2), let lower = bytes.uint16(12),
      lower >= Self.headerBytes, lower % 2 == 0, lower <= file.pageSize
    else { throw .damaged("page \(page) is not what leads to it says") }
    for slot in stride(from: Self.headerBytes, to: Int(lower), by: 2) {
      guard let node = bytes.uint16(slot).map(Int.init), node >= Int(lower), let low = bytes.uint16(node),
        let high = bytes.uint16(node + 2), let flags = bytes.uint16(node + 4),
        let keyBytes = bytes.uint16(node + 6).map(Int.init)
      else { throw .damaged("page \(page) has a node outside of it") }
      let number = UInt64(low) | UInt64(high) << 16
      if depth > 1 {
        try visit(number | UInt64(flags) << 32, depth: depth - 1, isFreeList: isFreeList)
      } else {
        let value = Value(page: page, at: node + 8 + keyBytes, count: number, flags: flags)
        try visit(value, in: bytes, isFreeList: isFreeList)
      }
    }
  }

  /// A leaf's value: what its node says of it.
  private struct Value {
    let page: UInt64
    let at: Int
    let count: UInt64
    let flags: UInt16
  }

  private mutating func visit(_ value: Value, in bytes: NativeBytes, isFreeList: Bool) throws(Fault) {
    switch value.flags {
    case 0:
      guard value.at + Int(value.count) <= bytes.count else {
        throw .damaged("page \(value.page) has a value outside of it")
      }
      if isFreeList { try markFree(bytes, at: value.at, count: value.count) }
    case 1:
      guard let own = bytes.uint64(value.at) else {
        throw .damaged("page \(value.page) has a node outside of it")
      }
      let content = try takeOwnPages(own, of: value.count, isRead: isFreeList)
      if isFreeList { try markFree(content, at: Self.headerBytes, count: value.count) }
    case 2 where !isFreeList:
      guard value.count >= 48, let depth = bytes.uint16(value.at + 6), let root = bytes.uint64(value.at + 40)
      else { throw .damaged("page \(value.page) has the record of a tree outside of it") }
      try walk(Tree(depth: depth, root: root), isFreeList: false)
    default: throw .damaged("page \(value.page) has a node of an unknown kind \(value.flags)")
    }
  }

  /// Marks the pages of a value that has pages of its own.
  /// - Returns: their bytes, or those of the first one alone.
  private mutating func takeOwnPages(
    _ first: UInt64, of count: UInt64, isRead: Bool
  ) throws(Fault) -> NativeBytes {
    let bytes = try take(first)
    // An own page keeps the pages that it has when its value becomes shorter.
    guard bytes.uint64(0) == first, bytes.uint16(10) == 4, let pages = bytes.uint32(12).map(UInt64.init),
      pages > 0, count + UInt64(Self.headerBytes) <= pages * file.pageSize
    else { throw .damaged("page \(first) is not what leads to it says") }
    for page in 1..<pages { try mark(first + page) }
    return isRead ? try read(count + UInt64(Self.headerBytes), at: first) : bytes
  }

  private mutating func markFree(_ bytes: NativeBytes, at offset: Int, count: UInt64) throws(Fault) {
    guard let listed = bytes.uint64(offset), count >= 8, listed <= (count - 8) / 8 else {
      throw .damaged("the list of free pages is damaged")
    }
    for index in 0..<Int(listed) {
      guard let page = bytes.uint64(offset + 8 + index * 8), page >= 2, page < UInt64(marks.count) else {
        throw .damaged("the list of free pages names a page that the file does not have")
      }
      switch marks[Int(page)] {
      case .none: marks[Int(page)] = .free
      case .free: throw .damaged("the list of free pages names page \(page) twice")
      case .reached: throw .damaged("page \(page) is in use and in the list of free pages")
      }
      free += 1
    }
  }

  /// Marks a page as reached, and reads it.
  private mutating func take(_ page: UInt64) throws(Fault) -> NativeBytes {
    try mark(page)
    return try read(file.pageSize, at: page)
  }

  /// Reads from the beginning of a page that the file may not have.
  private borrowing func read(_ count: UInt64, at page: UInt64) throws(Fault) -> NativeBytes {
    let start = page * file.pageSize
    guard start <= size, count <= size - start else {
      throw .damaged("page \(page) is in use and beyond the end of the file")
    }
    do throws(StoreError) { return try file.read(Int(count), at: start) } catch {
      throw .store(error)
    }
  }

  private mutating func mark(_ page: UInt64) throws(Fault) {
    guard page >= 2, page < UInt64(marks.count) else {
      throw .damaged("a tree leads to page \(page), which it cannot have")
    }
    switch marks[Int(page)] {
    case .none: marks[Int(page)] = .reached
    case .reached: throw .damaged("two ways lead to page \(page)")
    case .free: throw .damaged("page \(page) is in use and in the list of free pages")
    }
    reached += 1
  }
}

extension ReadTransaction {
  /// The number of the commit that the snapshot is of.
  fileprivate var number: UInt64 {
    // SAFETY: the transaction is live.
    unsafe UInt64(mdb_txn_id(raw.handle))
  }
}

extension Environment {
  /// Reads the file's pages and says how they are used as of the newest commit; a writer may go on beside it.
  package func pageUse() throws(StoreError) -> PageUse {
    // Only two commits between the next two lines make another try necessary.
    for _ in 0..<100 {
      let use = try read { (transaction) throws(StoreError) in
        try PageCensus.take("\(path)/data.mdb", at: transaction.number)
      }
      if let use { return use }
    }
    throw .inputOutput(errno: EBUSY, path: path)
  }
}

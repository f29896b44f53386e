import Glibc
import Platform

/// Checks a data file with plain reads before LMDB maps it, because a map of a short file ends in SIGBUS.
///
/// LMDB 0.9's format on 64-bit machines, in the machine's byte order. A file is a row of pages; pages 0 and 1
/// are meta pages, of which the one with the higher transaction id counts.
///
///     page header                    meta, from byte 16
///     0  page number      8          16  magic 0xBEEFC0DE   4      136  last page         8
///     8  (unused)         2          20  version 1          4      144  transaction id    8
///     10 flags, 8 = meta  2          24  map address, size 16
///     12 lower, upper     4          40  free tree         48      (its first 4 bytes: page size)
///                                    88  main tree         48
struct DataFile: ~Copyable {
  let file: OpenFile
  private(set) var pageSize: UInt64 = 0

  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let version: UInt32 = 1
  private static let metaBytes = 152

  /// What one meta page says.
  struct Meta: Equatable {
    let pageSize: UInt64
    let freeDepth: UInt16
    let freeRoot: UInt64
    let mainDepth: UInt16
    let mainRoot: UInt64
    let lastPage: UInt64
    let transaction: UInt64
  }

  init(_ path: String) throws(StoreError) { file = try inStore(OpenFile(path)) }

  /// What the system says of the file.
  borrowing func status() throws(StoreError) -> FileStatus { try inStore(file.status()) }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  borrowing func read(_ count: Int, at offset: UInt64) throws(StoreError) -> NativeBytes {
    NativeBytes(try inStore(file.read(count, at: offset)))
  }

  /// Throws a typed error unless the file is a whole LMDB data file; returns its newest transaction's number.
  static func check(_ path: String) throws(StoreError) -> UInt64 {
    var file = try DataFile(path)
    guard try file.status().kind == .file else {
      throw .notADatabase(path: path, reason: "it is not a regular file")
    }
    return try file.checkLength()
  }

  /// Compares the file's size with the pages that the newest meta page counts.
  ///
  /// A page that a transaction took from the end of the file and freed again is counted without ever having
  /// been written, so a short file is whole when all that it lacks is in the free tree. A writer may commit
  /// while that tree is read; then it is read again.
  private mutating func checkLength() throws(StoreError) -> UInt64 {
    var seen: UInt64?
    for _ in 0..<8 {
      let meta = try newestMeta()
      let size = UInt64(try status().bytes)
      let (expected, overflow) = (meta.lastPage &+ 1).multipliedReportingOverflow(by: pageSize)
      guard !overflow, meta.lastPage < .max else {
        throw .notADatabase(path: file.path, reason: "its newest meta page is damaged")
      }
      if size >= expected { return meta.transaction }
      if try lacksOnlyFreePages(meta, size: size) { return meta.transaction }
      guard seen != meta.transaction else {
        throw .truncated(path: file.path, bytes: size, expected: expected)
      }
      seen = meta.transaction
    }
    throw .inputOutput(errno: EBUSY, path: file.path)
  }

  private borrowing func truncated(below expected: UInt64) throws(StoreError) -> StoreError {
    .truncated(path: file.path, bytes: UInt64(try status().bytes), expected: expected)
  }

  /// The meta page that counts.
  mutating func newestMeta() throws(StoreError) -> Meta {
    let (first, second) = try metas()
    return first.transaction < second.transaction ? second : first
  }

  /// The meta page of a commit, while it is one of the last two.
  mutating func meta(of transaction: UInt64) throws(StoreError) -> Meta? {
    let (first, second) = try metas()
    return first.transaction == transaction ? first : second.transaction == transaction ? second : nil
  }

  private mutating func metas() throws(StoreError) -> (Meta, Meta) {
    let first = try meta(at: 0)
    pageSize = first.pageSize
    let second = try meta(at: pageSize)
    guard second.pageSize == pageSize else {
      throw .notADatabase(path: file.path, reason: "its meta pages disagree")
    }
    return (first, second)
  }

  private borrowing func meta(at offset: UInt64) throws(StoreError) -> Meta {
    let path = file.path
    let number = try read(Self.metaBytes, at: offset)
    guard let magic = number.uint32(16), let version = number.uint32(20) else {
      if number.count == 0 || offset > 0 { throw try truncated(below: offset + 4_096) }
      throw .notADatabase(path: path, reason: "it is too short")
    }
    guard magic == Self.magic, number.uint16(10) == 8 else {
      throw .notADatabase(path: path, reason: "it lacks LMDB's marks")
    }
    guard version == Self.version else { throw .wrongVersion(path: path, found: version) }
    guard let size = number.uint32(40), let freeDepth = number.uint16(46), let freeRoot = number.uint64(80),
      let mainDepth = number.uint16(94), let mainRoot = number.uint64(128), let last = number.uint64(136),
      let transaction = number.uint64(144)
    else { throw try truncated(below: offset + 4_096) }
    guard size.nonzeroBitCount == 1, (512...32_768).contains(size) else {
      throw .notADatabase(path: path, reason: "its page size is \(size)")
    }
    return Meta(
      pageSize: UInt64(size), freeDepth: freeDepth, freeRoot: freeRoot, mainDepth: mainDepth,
      mainRoot: mainRoot,
      lastPage: last, transaction: transaction)
  }
}

/// Numbers in the machine's byte order at byte offsets; `nil` beyond the end.
struct NativeBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func uint16(_ offset: Int) -> UInt16? { load(offset) }
  func uint32(_ offset: Int) -> UInt32? { load(offset) }
  func uint64(_ offset: Int) -> UInt64? { load(offset) }

  private func load<Number: FixedWidthInteger>(_ offset: Int) -> Number? {
    let width = Number.bitWidth / 8
    guard offset >= 0, offset <= bytes.count - width else { return nil }
    var number: Number = 0
    for byte in bytes[offset..<offset + width].reversed() { number = number << 8 | Number(byte) }
    return Number(littleEndian: number)
  }
}

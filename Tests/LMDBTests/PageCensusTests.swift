import Foundation
import TestKit
import Testing

@testable import LMDB

@Suite("The use of a file's pages")
struct PageCensusTests {
  /// Puts and deletes records of all sizes, some in transactions that are larger than a page of free ones can list.
  private static func churn(_ store: Environment, _ generator: inout SeededGenerator) throws {
    let databases = [try store.database("first"), try store.database("second")]
    let database = databases.randomElement(using: &generator) ?? databases[0]
    let size = [0, 40, 900, 1_700, 2_100, 9_000, 70_000].randomElement(using: &generator) ?? 0
    let value = [UInt8](repeating: 1, count: size)
    let base = Int.random(in: 0..<400, using: &generator)
    let (puts, deletions) = (
      Int.random(in: 0..<200, using: &generator), Int.random(in: 0..<300, using: &generator)
    )
    try store.write { (transaction) throws(StoreError) in
      for index in 0..<puts {
        let key = bytes("key \(base + index)")
        try transaction.put(value.rawSpan, at: key.rawSpan, in: database)
      }
      for index in 0..<deletions {
        let key = bytes("key \(base + 3 * index / 2)")
        try transaction.delete(key.rawSpan, in: database)
      }
    }
  }

  @Test("After any change each page is reached or free, and none is both", arguments: 0..<3)
  func whole(_ seed: UInt64) async throws {
    try await withTemporaryFolder { folder in
      var generator = SeededGenerator(state: seed)
      for _ in 0..<4 {
        let store = try open(folder, mapBytes: 512 << 20)
        for _ in 0..<20 {
          try Self.churn(store, &generator)
          let use = try store.pageUse()
          #expect(use.fault == nil)
          #expect(use.reachedPages + use.freePages + 2 == use.filePages)
          let usage = try store.usage()
          #expect(usage.freePages == use.freePages && usage.filePages == use.filePages)
        }
      }
    }
  }

  @Test("A writer may commit beside it")
  func beside() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let value = String(repeating: "v", count: 3_000)
      for index in 0..<200 { try store.put("key \(index)", value) }
      async let looks: Void = Self.look(at: store)
      for index in 0..<300 { try store.put("key \(index % 200)", value + "\(index)") }
      try await looks
    }
  }

  @Test("A commit during the look does not end it: the pages of the one before are kept")
  func overtaken() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let value = String(repeating: "v", count: 3_000)
      for index in 0..<20 { try store.put("key \(index)", value) }
      let path = "\(folder)/store/data.mdb"
      var file = try DataFile(path)
      let number = try file.newestMeta().transaction
      let before = try store.pageUse()
      try store.read { (_) throws(StoreError) in
        try store.put("key 1", "changed")
        let use = try PageCensus.take(path, at: number)
        #expect(use?.fault == nil)
        #expect(use?.reachedPages == before.reachedPages && use?.freePages == before.freePages)
        // After two commits nothing says where the trees of the first began.
        try store.put("key 1", "changed again")
        #expect(try PageCensus.take(path, at: number) == nil)
      }
    }
  }

  private static func look(at store: Environment) async throws {
    for _ in 0..<300 {
      let use = try store.pageUse()
      #expect(use.fault == nil)
    }
  }

  // MARK: - Damage

  /// The pages of a closed store with free pages and a tree of some depth.
  private struct Pages {
    var bytes: [UInt8]
    /// Where the newest meta page begins.
    let meta: Int

    init(_ folder: String) throws {
      bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/store/data.mdb")))
      let number = NativeBytes(bytes)
      meta = try #require(number.uint64(144)) < #require(number.uint64(4_240)) ? 4_096 : 0
    }

    func number(at offset: Int) throws -> Int { Int(try #require(NativeBytes(bytes).uint64(offset))) }
    func half(at offset: Int) throws -> Int { Int(try #require(NativeBytes(bytes).uint16(offset))) }

    mutating func set(_ number: Int, at offset: Int) {
      for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    /// What the census says of these pages.
    func use(_ folder: String) throws -> PageUse {
      let path = "\(folder)/damaged"
      try Data(bytes).write(to: URL(filePath: path))
      var file = try DataFile(path)
      return try #require(try PageCensus.take(path, at: file.newestMeta().transaction))
    }
  }

  private static func makePages(_ folder: String) throws -> Pages {
    do {
      let store = try open(folder)
      let first = try store.database("first")
      let value = [UInt8](repeating: 1, count: 500)
      for base in [0, 100] {
        try store.write { (transaction) throws(StoreError) in
          for index in base..<base + 100 {
            let key = bytes("key \(index)")
            try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
          }
        }
      }
    }
    let pages = try Pages(folder)
    let use = try pages.use(folder)
    #expect(use.fault == nil && use.freePages > 1 && use.reachedPages > 20)
    return pages
  }

  @Test("A page that is in use and free, or free twice, or out of reach, is found in the list of free pages")
  func freeList() async throws {
    try await withTemporaryFolder { folder in
      let whole = try Self.makePages(folder)
      let leaf = try whole.number(at: whole.meta + 80) * 4_096
      #expect(try whole.half(at: whole.meta + 46) == 1)
      // Behind the header of a node, and its key of 8 bytes: how many pages, and these.
      let slots = stride(from: leaf + 16, to: leaf + (try whole.half(at: leaf + 12)), by: 2)
      let lists = try slots.map { leaf + (try whole.half(at: $0)) + 16 }
      let list = try #require(try lists.first { try whole.number(at: $0) > 1 })
      let root = try whole.number(at: whole.meta + 128)
      let last = try whole.number(at: whole.meta + 136)
      func fault(_ number: Int, at offset: Int) throws -> String? {
        var pages = whole
        pages.set(number, at: offset)
        return try pages.use(folder).fault
      }
      #expect(try fault(root, at: list + 8) == "page \(root) is in use and in the list of free pages")
      #expect(
        try fault(leaf / 4_096, at: list + 8)
          == "page \(leaf / 4_096) is in use and in the list of free pages")
      let second = try whole.number(at: list + 16)
      #expect(try fault(second, at: list + 8) == "the list of free pages names page \(second) twice")
      for page in [0, 1, last + 1, -1] {
        #expect(try fault(page, at: list + 8)?.contains("a page that the file does not have") == true)
      }
      for count in [1_000, 1 << 62, -1] {
        #expect(try fault(count, at: list) == "the list of free pages is damaged")
      }
    }
  }

  @Test("A page to which two ways lead is found, also around in circles")
  func twoWays() async throws {
    try await withTemporaryFolder { folder in
      let whole = try Self.makePages(folder)
      let branch = try #require(try Self.branches(whole).last)
      let nodes = try (0..<2).map { branch + (try whole.half(at: branch + 16 + 2 * $0)) }
      let child = try whole.half(at: nodes[0])
      var pages = whole
      pages.bytes[nodes[1]] = UInt8(truncatingIfNeeded: child)
      pages.bytes[nodes[1] + 1] = UInt8(truncatingIfNeeded: child >> 8)
      #expect(try pages.use(folder).fault == "two ways lead to page \(child)")
      pages.bytes[nodes[1]] = UInt8(truncatingIfNeeded: branch / 4_096)
      pages.bytes[nodes[1] + 1] = 0
      #expect(try pages.use(folder).fault == "two ways lead to page \(branch / 4_096)")
    }
  }

  /// Where branch pages begin, by the number of the file's page.
  private static func branches(_ pages: Pages) throws -> [Int] {
    try stride(from: 8_192, to: pages.bytes.count, by: 4_096).filter { try pages.half(at: $0 + 10) == 1 }
  }

  @Test("No damage crashes it, and most of it is found")
  func anyDamage() async throws {
    try await withTemporaryFolder { folder in
      let whole = try Self.makePages(folder)
      var generator = SeededGenerator(state: 9)
      var found = 0
      for _ in 0..<600 {
        var pages = whole
        // Headers, and the nodes that follow them; and what the meta page says behind LMDB's marks.
        let page = Int.random(in: 0..<pages.bytes.count / 4_096, using: &generator) * 4_096
        let place =
          page < 8_192
          ? Int.random(in: 40..<152, using: &generator) : Int.random(in: 0..<40, using: &generator)
        pages.bytes[page + place] = UInt8.random(in: .min ... .max, using: &generator)
        do { if try pages.use(folder).fault != nil { found += 1 } } catch is StoreError { found += 1 }
      }
      #expect(found > 120)
    }
  }
}

import Foundation
import LMDB
import Testing

@Suite("Space and failing commits")
struct SpaceTests {
  /// Puts records of 3,000 bytes, each in a transaction of its own, until one fails.
  private static func fill(_ store: Environment, _ prefix: String) -> (stored: Int, error: StoreError?) {
    for index in 0..<100_000 {
      do throws(StoreError) { try store.put("\(prefix)\(index)", String(repeating: "v", count: 3_000)) } catch
      {
        return (index, error)
      }
    }
    return (100_000, nil)
  }

  @Test("A full map is a typed error, keeps what was stored, and space that is freed is used again")
  func mapFull() async throws {
    try await withTemporaryFolder { folder in
      func fillAndFree() throws -> Int {
        let store = try open(folder, mapBytes: 1 << 20)
        let (stored, error) = Self.fill(store, "a")
        #expect(error == .mapFull)
        #expect(stored > 100)
        #expect(try store.get("a\(stored - 1)") != nil)
        #expect(try store.get("a\(stored)") == nil)
        let usage = try store.usage()
        #expect(usage.filePages <= usage.mapPages)
        #expect(usage.mapPages * usage.pageBytes == 1 << 20)
        return stored
      }
      let stored = try fillAndFree()
      // As the documentation advises: the same store with a larger map takes more.
      let store = try open(folder, mapBytes: 4 << 20)
      #expect(try store.get("a\(stored - 1)") != nil)
      #expect(Self.fill(store, "b").stored > stored)
    }
  }

  @Test("After a full map a deletion in a smaller transaction makes room")
  func deletingWhenFull() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder, mapBytes: 1 << 20)
      let first = try store.database("first")
      // One transaction that is refused leaves the free half as it was.
      for index in 0..<100 { try store.put("a\(index)", String(repeating: "v", count: 3_000)) }
      let value = [UInt8](repeating: 1, count: 3_000)
      #expect(throws: StoreError.mapFull) {
        try store.write { (transaction) throws(StoreError) in
          for index in 0..<1_000 {
            let key = bytes("b\(index)")
            try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
          }
        }
      }
      #expect(try store.get("b0") == nil)
      let before = try store.usage()
      try store.write { (transaction) throws(StoreError) in
        for index in 0..<90 {
          let key = bytes("a\(index)")
          try transaction.delete(key.rawSpan, in: first)
        }
      }
      let after = try store.usage()
      #expect(after.freePages > before.freePages)
      #expect(after.usedBytes < before.usedBytes)
      for index in 0..<90 { try store.put("c\(index)", String(repeating: "v", count: 3_000)) }
      #expect(try store.get("c89") != nil)
    }
  }

  @Test("An error that the closure drops is not committed over")
  func droppedError() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder, mapBytes: 1 << 20)
      let first = try store.database("first")
      let value = [UInt8](repeating: 1, count: 3_000)
      #expect(throws: StoreError.mapFull) {
        try store.write { (transaction) throws(StoreError) in
          for index in 0..<1_000 {
            let key = bytes("a\(index)")
            do throws(StoreError) {
              try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
            } catch { break }
          }
        }
      }
      #expect(try store.get("a0") == nil)
      try store.put("after", "1")
      #expect(try store.get("after") == "1")
    }
  }

  @Test("The size of a database counts its entries and pages")
  func sizes() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let (first, second) = (try store.database("first"), try store.database("second"))
      for index in 0..<50 { try store.put("\(index)", String(repeating: "v", count: 9_000)) }
      let sizes = try store.read { (transaction) throws(StoreError) in
        [try transaction.size(of: first), try transaction.size(of: second)]
      }
      #expect(sizes.map(\.entries) == [50, 0])
      // 9,000 bytes and a header of 16 take three pages of 4 KiB.
      #expect(sizes[0].pageBytes != 4_096 || sizes[0].pages == 151)
      #expect(sizes[1].bytes == 0)
      #expect(try store.usage().usedBytes >= sizes[0].bytes)
    }
  }

  @Test("A commit that fails for another reason than space is fatal; later writes refuse, reads go on")
  func failedCommit() async throws {
    try await withTemporaryFolder { folder in
      func failing() throws {
        let store = try open(folder)
        try store.put("a", "kept")
        // The data file's descriptor becomes one that cannot be written, as if the disk had failed.
        let null = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        var replaced = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
          var target = ""
          // A descriptor of another test may be gone by now.
          do {
            target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
          } catch {}
          guard target == "\(store.path)/data.mdb", let number = Int32(name) else { continue }
          try #require(dup2(null.fileDescriptor, number) == number)
          replaced += 1
        }
        try #require(replaced > 0)
        #expect(throws: StoreError.commitFailed(code: EBADF)) { try store.put("b", "lost") }
        #expect(throws: StoreError.poisoned) { try store.put("c", "refused") }
        #expect(try store.get("a") == "kept")
        #expect(try store.get("b") == nil)
      }
      try failing()
      let store = try open(folder)
      #expect(try store.get("a") == "kept")
      #expect(try store.get("b") == nil)
      try store.put("b", "again")
    }
  }
}

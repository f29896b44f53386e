import LMDB
import TestKit
import Testing

@Suite("Threads", .blocking)
struct ConcurrencyTests {
  /// Each commit sets 20 keys of both databases to one number, so that a torn snapshot shows.
  @Test("Eight readers beside four writers see whole commits only, and never an older one")
  func readersAndWriters() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            var newest: UInt8 = 0
            repeat {
              let seen = try Self.look(store)
              #expect(Set(seen).count <= 1 && (seen.isEmpty || seen.count == 40))
              #expect(seen.first ?? 0 >= newest)
              newest = seen.first ?? 0
              await Task.yield()
            } while newest < 200 && !Task.isCancelled
          }
        }
        for _ in 0..<4 { group.addTask { for _ in 0..<50 { try Self.advance(store) } } }
        try await group.waitForAll()
      }
      #expect(try Self.look(store) == [UInt8](repeating: 200, count: 40))
      #expect(try store.checkReaders() == 0)
    }
  }

  private static func look(_ store: Environment) throws(StoreError) -> [UInt8] {
    let databases = [try store.database("first"), try store.database("second")]
    return try store.read { (transaction) throws(StoreError) in
      var seen: [UInt8] = []
      for database in databases {
        try transaction.forEach(in: database) { (_, value) throws(StoreError) in
          seen.append(value.octets[0])
          return .proceed
        }
      }
      return seen
    }
  }

  /// Reads the number and writes its successor in one transaction: no writer's step may be lost.
  private static func advance(_ store: Environment) throws(StoreError) {
    let databases = [try store.database("first"), try store.database("second")]
    try store.write { (transaction) throws(StoreError) in
      let old = try transaction.get([0].rawSpan, in: databases[0])?.octets[0] ?? 0
      for database in databases {
        for index in 0..<20 as Range<UInt8> {
          let key = [index]
          let value = [UInt8](repeating: old + 1, count: 100)
          try transaction.put(value.rawSpan, at: key.rawSpan, in: database)
        }
      }
    }
  }
}

import LMDB
import Testing

/// An error of a module above, as the event log has one.
private enum UpperError: Error, Equatable, StoreFailure {
  case store(StoreError)
  case refused

  init(_ error: StoreError) { self = .store(error) }
}

@Suite("Transactions")
struct TransactionTests {
  @Test("What is put is got, until it is replaced or deleted, in its own database")
  func roundTrip() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      try store.put("a", "one")
      try store.put("a", "other", in: "second")
      #expect(try store.get("a") == "one")
      #expect(try store.get("a", in: "second") == "other")
      try store.put("a", "")
      #expect(try store.get("a") == "")
      let first = try store.database("first")
      let key = bytes("a")
      let deleted = try store.write { (transaction) throws(StoreError) in
        [
          try transaction.delete(key.rawSpan, in: first),
          try transaction.delete(key.rawSpan, in: first),
        ]
      }
      #expect(deleted == [true, false])
      #expect(try store.get("a") == nil)
      #expect(try store.get("a", in: "second") == "other")
    }
  }

  @Test("Inserting and appending refuse what they must, without effect, and go on")
  func putModes() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      let (low, high, value) = (bytes("b"), bytes("c"), bytes("v"))
      let errors = try store.write { (transaction) throws(StoreError) in
        var errors: [StoreError] = []
        try transaction.put(value.rawSpan, at: low.rawSpan, in: first, .append)
        try transaction.put(value.rawSpan, at: high.rawSpan, in: first, .append)
        do throws(StoreError) {
          try transaction.put(low.rawSpan, at: low.rawSpan, in: first, .append)
        } catch { errors.append(error) }
        do throws(StoreError) {
          try transaction.put(low.rawSpan, at: low.rawSpan, in: first, .insert)
        } catch { errors.append(error) }
        return errors
      }
      #expect(errors == [.outOfOrder, .keyExists])
      #expect(try store.get("b") == "v")
      #expect(try store.get("c") == "v")
    }
  }

  @Test("A reserved value is filled in place and the rest of it is zero")
  func reserving() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      // 9,000 bytes lie on pages of their own, 10 and 0 within a page.
      for size in [0, 10, 9_000] {
        let key = bytes("size \(size)")
        try store.write { (transaction) throws(StoreError) in
          try transaction.put(reserving: size, at: key.rawSpan, in: first) { span in
            if span.byteCount > 5 { span.storeBytes(of: 0xAB, toByteOffset: 5, as: UInt8.self) }
          }
        }
        let found = try store.read { (transaction) throws(StoreError) in
          bytes(try transaction.get(key.rawSpan, in: first))
        }
        var expected = [UInt8](repeating: 0, count: size)
        if size > 5 { expected[5] = 0xAB }
        #expect(found == expected)
      }
    }
  }

  @Test("A closure that throws changes nothing and its error comes through")
  func abort() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      let key = bytes("a")
      #expect(throws: UpperError.refused) {
        try store.write { (transaction) throws(UpperError) in
          do throws(StoreError) {
            try transaction.put(key.rawSpan, at: key.rawSpan, in: first)
          } catch { throw .store(error) }
          throw .refused
        }
      }
      #expect(try store.get("a") == nil)
      try store.put("a", "after")
      #expect(try store.get("a") == "after")
    }
  }

  @Test("A key of 1 or 511 bytes is stored, one of 0 or 512 is refused everywhere")
  func keyLengths() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      for length in [1, 511] {
        let key = String(repeating: "k", count: length)
        try store.put(key, "v")
        #expect(try store.get(key) == "v")
      }
      for length in [0, 512] {
        let key = [UInt8](repeating: 1, count: length)
        let expected = StoreError.keyLength(bytes: length)
        #expect(throws: expected) { try store.put(String(repeating: "k", count: length), "v") }
        #expect(throws: expected) { _ = try store.get(String(repeating: "k", count: length)) }
        #expect(throws: expected) {
          try store.write { (transaction) throws(StoreError) in
            _ = try transaction.delete(key.rawSpan, in: first)
          }
        }
        #expect(throws: expected) {
          try store.read { (transaction) throws(StoreError) in
            var cursor = try transaction.cursor(in: first)
            _ = try cursor.seek(atOrAfter: key.rawSpan)
          }
        }
      }
      #expect(throws: StoreError.valueTooLong(bytes: 1 << 32)) {
        try store.write { (transaction) throws(StoreError) in
          let key = bytes("k")
          try transaction.put(reserving: 1 << 32, at: key.rawSpan, in: first) { _ in }
        }
      }
    }
  }

  @Test("A snapshot keeps its state while commits come, and sees nothing uncommitted")
  func snapshots() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      try store.put("a", "old")
      let (key, new) = (bytes("a"), bytes("new"))
      let seen = try store.read { (snapshot) throws(StoreError) in
        var seen: [[UInt8]?] = []
        try store.write { (transaction) throws(StoreError) in
          try transaction.put(new.rawSpan, at: key.rawSpan, in: first)
          seen.append(bytes(try transaction.get(key.rawSpan, in: first)))
          try store.read { (other) throws(StoreError) in
            seen.append(bytes(try other.get(key.rawSpan, in: first)))
          }
        }
        seen.append(bytes(try snapshot.get(key.rawSpan, in: first)))
        return seen
      }
      #expect(seen == [bytes("new"), bytes("old"), bytes("old")])
      #expect(try store.get("a") == "new")
    }
  }

  @Test("A write inside a write is refused, and the outer one goes on")
  func nestedWrite() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let first = try store.database("first")
      let key = bytes("a")
      try store.write { (transaction) throws(StoreError) in
        #expect(throws: StoreError.nestedWrite) { try store.put("b", "inner") }
        try transaction.put(key.rawSpan, at: key.rawSpan, in: first)
      }
      #expect(try store.get("a") == "a")
      #expect(try store.get("b") == nil)
    }
  }

  @Test("A database of another environment is refused")
  func wrongEnvironment() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      let other = try Environment(
        .init(folder: "\(folder)/other", access: .writing, databases: ["first"], mapBytes: 1 << 20))
      let foreign = try other.database("first")
      let key = bytes("a")
      #expect(throws: StoreError.wrongEnvironment) {
        try store.read { (transaction) throws(StoreError) in
          _ = try transaction.get(key.rawSpan, in: foreign)
        }
      }
      #expect(throws: StoreError.missingDatabase(name: "third")) { _ = try store.database("third") }
    }
  }
}

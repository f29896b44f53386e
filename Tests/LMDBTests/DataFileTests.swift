import Foundation
import LMDB
import Testing

@Suite("Damaged and foreign data files")
struct DataFileTests {
  /// Makes a store of `count` records, lets `change` alter its file, and returns both openings' errors.
  private static func errors(
    _ folder: String, records count: Int = 300, _ change: (FileHandle) throws -> Void
  ) throws -> [StoreError?] {
    func fill() throws {
      let store = try open(folder)
      for index in 0..<count { try store.put("\(index)", String(repeating: "v", count: 500)) }
    }
    try fill()
    let handle = try FileHandle(forUpdating: URL(filePath: "\(folder)/store/data.mdb"))
    try change(handle)
    try handle.close()
    return [openingError(configuration(folder, .reading)), openingError(configuration(folder))]
  }

  @Test("Each length of a cut file gives a typed error and never a crash")
  func everyCut() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/store/data.mdb"
      _ = try Self.errors(folder) { _ in }
      let whole = try Data(contentsOf: URL(filePath: path))
      let pages = whole.count / 4_096
      let cuts = [0, 1, 15, 16, 23, 24, 100, 151, 152, 4_095, 4_096, 4_120, 4_247, 4_248, 8_191]
      for cut in cuts + (2..<pages).map({ $0 * 4_096 }) + [whole.count - 1] {
        try whole.prefix(cut).write(to: URL(filePath: path))
        for access in [Environment.Access.reading, .writing] {
          switch openingError(configuration(folder, access)) {
          case .truncated(_, let bytes, let expected): #expect(bytes <= cut && expected > bytes)
          case .notADatabase where 1..<24 ~= cut: break
          case let other: Issue.record("\(cut) bytes: \(String(describing: other))")
          }
        }
        #expect(try Data(contentsOf: URL(filePath: path)).count == cut)
      }
      try whole.write(to: URL(filePath: path))
      #expect(try open(folder).get("299") != nil)
    }
  }

  @Test("An empty file is refused and left as it is")
  func empty() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/store/data.mdb"
      let expected = StoreError.truncated(path: path, bytes: 0, expected: 4_096)
      let errors = try Self.errors(folder) { try $0.truncate(atOffset: 0) }
      #expect(errors == [expected, expected])
      #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
    }
  }

  @Test("Foreign files of any length are refused as no database")
  func foreign() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/store/data.mdb"
      try FileManager.default.createDirectory(atPath: "\(folder)/store", withIntermediateDirectories: false)
      var generator = SeededGenerator(state: 4)
      for length in [1, 3, 20, 24, 151, 152, 4_096, 8_192, 20_000] {
        let noise = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try noise.write(to: URL(filePath: path))
        for access in [Environment.Access.reading, .writing] {
          guard case .notADatabase = openingError(configuration(folder, access)) else {
            Issue.record("\(length) bytes were taken")
            continue
          }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == noise)
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      guard case .notADatabase = openingError(configuration(folder)) else {
        Issue.record("a folder was taken for a data file")
        return
      }
    }
  }

  @Test(
    "Another version, a strange page size and an impossible last page are refused", arguments: [0, 4_096])
  func metaFields(page: UInt64) async throws {
    try await withTemporaryFolder { folder in
      func patched(_ offset: UInt64, _ bytes: [UInt8]) throws -> [StoreError?] {
        var old = Data()
        let errors = try Self.errors(folder, records: 3) { handle in
          try handle.seek(toOffset: page + offset)
          old = try #require(try handle.read(upToCount: bytes.count))
          try handle.seek(toOffset: page + offset)
          try handle.write(contentsOf: Data(bytes))
        }
        let handle = try FileHandle(forUpdating: URL(filePath: "\(folder)/store/data.mdb"))
        try handle.seek(toOffset: page + offset)
        try handle.write(contentsOf: old)
        try handle.close()
        return errors
      }
      let path = "\(folder)/store/data.mdb"
      let version = StoreError.wrongVersion(path: path, found: 999)
      #expect(try patched(20, [0xE7, 3, 0, 0]) == [version, version])
      for size: [UInt8] in [
        [0, 0, 0, 0], [1, 0, 0, 0], [0, 0x20, 0, 0], [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0xFF],
      ] {
        for error in try patched(40, size) {
          switch error {
          case .notADatabase, .truncated: break
          case let other: Issue.record("page size \(size): \(String(describing: other))")
          }
        }
      }
      // Only the newer meta page counts, so at least one of the two pages must show the fault.
      let last =
        try patched(136, [UInt8](repeating: 0xFF, count: 8)) + patched(136, [0, 0, 0, 0, 0, 0, 1, 0])
      for error in last.compactMap(\.self) {
        switch error {
        case .notADatabase, .truncated: break
        case let other: Issue.record("last page: \(other)")
        }
      }
    }
  }

  @Test("A file that lacks only free pages is whole")
  func freeTail() async throws {
    try await withTemporaryFolder { folder in
      func shorten() throws -> Bool {
        let store = try open(folder)
        let first = try store.database("first")
        let value = [UInt8](repeating: 1, count: 1_000)
        // Pages taken from the file's end and freed in the same transaction are never written.
        try store.write { (transaction) throws(StoreError) in
          for index in 0..<600 {
            let key = bytes("key \(1_000 + index)")
            try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
          }
          for index in 0..<590 {
            let key = bytes("key \(1_000 + (index < 5 ? index : index + 5))")
            _ = try transaction.delete(key.rawSpan, in: first)
          }
        }
        let usage = try store.usage()
        let size = try #require(
          try FileManager.default.attributesOfItem(atPath: "\(folder)/store/data.mdb")[.size] as? Int)
        return size < usage.filePages * usage.pageBytes
      }
      #expect(try shorten(), "the scenario no longer makes a short file")
      #expect(try open(folder, .reading).get("key 1006") != nil)
      let store = try open(folder)
      #expect(try store.get("key 1006") != nil)
      try store.put("after", "1")
    }
  }
}

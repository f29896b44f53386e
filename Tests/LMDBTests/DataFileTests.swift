import Foundation
import LMDB
import TestKit
import Testing

@Suite("Damaged and foreign data files")
struct DataFileTests {
  /// Makes a store of `count` records, lets `change` alter its file, and returns both openings' errors.
  private static func errors(
    _ folder: String, records count: Int = 300, _ change: (FileHandle) throws -> Void
  ) throws -> [StoreError?] {
    func fill() throws {
      let store = try open(folder)
      let first = try store.database("first")
      let value = [UInt8](repeating: 1, count: 500)
      // One transaction, so that the file's last page is in use.
      try store.write { (transaction) throws(StoreError) in
        for index in 0..<count {
          let key = bytes("\(index)")
          try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
        }
      }
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

  /// Replaces the one place of some bytes in the data file.
  private static func replace(_ old: [UInt8], by new: [UInt8], in folder: String) throws {
    let url = URL(filePath: "\(folder)/store/data.mdb")
    var bytes = try Data(contentsOf: url)
    var from = bytes.startIndex
    var found = 0
    while let place = bytes.range(of: Data(old), in: from..<bytes.endIndex) {
      bytes.replaceSubrange(place, with: new)
      from = place.lowerBound + new.count
      found += 1
    }
    try #require(found > 0)
    try bytes.write(to: url)
  }

  @Test("Keys that do not ascend end an iteration, which else might go around in circles")
  func order() async throws {
    try await withTemporaryFolder { folder in
      do {
        let store = try open(folder)
        for digit in 1...9 { try store.put("key-\(digit)", "v") }
      }
      try Self.replace(bytes("key-5"), by: bytes("yyy-5"), in: folder)
      let store = try open(folder, .reading)
      let first = try store.database("first")
      for ascending in [true, false] {
        var seen = 0
        #expect(throws: StoreError.self) {
          try store.read { (transaction) throws(StoreError) in
            let count: (RawSpan, RawSpan) throws(StoreError) -> Step = { _, _ in
              seen += 1
              return .proceed
            }
            if ascending {
              try transaction.forEach(in: first, count)
            } else {
              try transaction.forEachDescending(in: first, count)
            }
          }
        }
        #expect(seen == (ascending ? 5 : 4))
      }
    }
  }

  @Test("A tree that counts more pages than a file can have is damage, not an overflow")
  func absurdSize() async throws {
    try await withTemporaryFolder { folder in
      do { try open(folder).put("a", "1") }
      // The tree's record follows its name: flags and depth in 8 bytes, then its branch pages, leaf pages, …
      let record: [UInt8] = bytes("first") + [0, 0, 0, 0, 0, 0, 1, 0] + [0, 0, 0, 0, 0, 0, 0]
      try Self.replace(record + [0], by: record + [0x7F], in: folder)
      let store = try open(folder, .reading)
      let first = try store.database("first")
      #expect(throws: StoreError.corrupted(code: -30_796)) {
        try store.read { (transaction) throws(StoreError) in _ = try transaction.size(of: first) }
      }
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

  /// Puts and deletes at random in one transaction; whether the file is then shorter than its count of pages.
  private static func churn(_ folder: String, _ generator: inout SeededGenerator) throws -> Bool {
    let store = try open(folder)
    let first = try store.database("first")
    let size = [200, 900, 1_700, 9_000].randomElement(using: &generator) ?? 0
    let value = [UInt8](repeating: 1, count: size)
    let base = Int.random(in: 1_000..<2_000, using: &generator)
    let (puts, deletions) = (0..<Int.random(in: 0..<400, using: &generator), 0..<300)
    try store.write { (transaction) throws(StoreError) in
      for index in puts {
        let key = bytes("key \(base + index)")
        try transaction.put(value.rawSpan, at: key.rawSpan, in: first)
      }
      for index in deletions.reversed() {
        let key = bytes("key \(base + index)")
        try transaction.delete(key.rawSpan, in: first)
      }
    }
    let usage = try store.usage()
    let url = URL(filePath: "\(folder)/store/data.mdb")
    return try Data(contentsOf: url).count < usage.filePages * usage.pageBytes
  }

  /// LMDB never writes pages that one transaction takes from the end of the file and frees again.
  @Test("A file that lacks only free pages is whole; cut further it is truncated")
  func freeTail() async throws {
    try await withTemporaryFolder { folder in
      var generator = SeededGenerator(state: 5)
      let url = URL(filePath: "\(folder)/store/data.mdb")
      var short = 0
      for round in 0..<120 where try Self.churn(folder, &generator) {
        short += 1
        let counted = try open(folder, .reading).count("first")
        #expect(counted == (try open(folder).count("first")), "round \(round)")
        let whole = try Data(contentsOf: url)
        try whole.prefix(8_192).write(to: url)
        for access in [Environment.Access.reading, .writing] {
          guard case .truncated = openingError(configuration(folder, access)) else {
            Issue.record("a file without its trees was opened in round \(round)")
            return
          }
        }
        try whole.write(to: url)
      }
      #expect(short > 0, "the scenario no longer makes short files")
    }
  }

  @Test("A file that lacks free pages at its end and others before them is truncated")
  func lackingBeforeFreeTail() async throws {
    try await withTemporaryFolder { folder in
      var generator = SeededGenerator(state: 6)
      let url = URL(filePath: "\(folder)/store/data.mdb")
      var (short, refused) = (0, 0)
      for _ in 0..<120 where try short < 5 && Self.churn(folder, &generator) {
        short += 1
        let counted = try open(folder, .reading).count("first")
        let whole = try Data(contentsOf: url)
        for lacking in 1...8 {
          try whole.prefix(whole.count - lacking * 4_096).write(to: url)
          switch openingError(configuration(folder, .reading)) {
          case .truncated: refused += 1
          case nil:
            #expect(try open(folder, .reading).count("first") == counted, "\(lacking) pages more are free")
          case let other?: Issue.record("\(other)")
          }
        }
        try whole.write(to: url)
      }
      #expect(short > 0 && refused > 0, "the scenario no longer makes short files")
    }
  }
}

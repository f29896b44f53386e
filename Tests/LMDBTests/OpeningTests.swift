import Foundation
import LMDB
import Testing

@Suite("Opening and creating")
struct OpeningTests {
  @Test("A store outlives its environment, with private files and nothing beside it")
  func reopening() async throws {
    try await withTemporaryFolder { folder in
      func write() throws { try open(folder).put("a", "kept") }
      try write()
      #expect(try open(folder).get("a") == "kept")
      #expect(try open(folder, .reading).get("a") == "kept")
      #expect(try files(folder) == ["store"])
      #expect(try files("\(folder)/store") == ["data.mdb", "lock.mdb", "writer.lock"])
      for name in ["", "/data.mdb", "/lock.mdb", "/writer.lock"] {
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/store\(name)")[
          .posixPermissions]
        #expect(mode as? Int == (name.isEmpty ? 0o700 : 0o600))
      }
    }
  }

  @Test("An absent store is created by a writer only, and an empty folder is as good as none")
  func creation() async throws {
    try await withTemporaryFolder { folder in
      let store = "\(folder)/store"
      #expect(openingError(configuration(folder, .reading)) == .missing(path: "\(store)/data.mdb"))
      #expect(try files(folder).isEmpty)
      #expect(openingError(configuration("\(folder)/absent")) == .missing(path: "\(folder)/absent"))
      try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
      try open(folder).put("a", "1")
      #expect(try open(folder).get("a") == "1")
    }
  }

  @Test("A folder with other files is never made a store, nor a store that lost its data file")
  func otherFiles() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/store", withIntermediateDirectories: false)
      try Data("mine".utf8).write(to: URL(filePath: "\(folder)/store/diary.txt"))
      let reason = "the folder holds other files and no data.mdb"
      #expect(openingError(configuration(folder)) == .notADatabase(path: "\(folder)/store", reason: reason))
      #expect(try files(folder) == ["store"])
      #expect(try files("\(folder)/store") == ["diary.txt"])
    }
  }

  @Test("A second opening in one process is refused, by any name of the folder, until the first is gone")
  func alreadyOpen() async throws {
    try await withTemporaryFolder { folder in
      let expected = StoreError.alreadyOpen(path: "\(folder)/store")
      func holding() throws {
        let store = try open(folder)
        #expect(openingError(configuration(folder)) == expected)
        #expect(openingError(configuration(folder, .reading)) == expected)
        #expect(openingError(configuration("\(folder)/store/..")) == expected)
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/link", withDestinationPath: "\(folder)/store")
        var linked = configuration(folder)
        linked.folder = "\(folder)/link/"
        #expect(openingError(linked) == expected)
        try store.put("a", "1")
      }
      try holding()
      #expect(try open(folder).get("a") == "1")
    }
  }

  @Test("An environment opened for reading refuses to write, and names a database that is not there")
  func reading() async throws {
    try await withTemporaryFolder { folder in
      _ = try open(folder)
      func refusing() throws {
        let store = try open(folder, .reading)
        #expect(throws: StoreError.openedForReading) { try store.put("a", "1") }
      }
      try refusing()
      var other = configuration(folder, .reading)
      other.databases.append("third")
      #expect(openingError(other) == .missingDatabase(name: "third"))
      other.access = .writing
      #expect(openingError(other) == nil)
      other.access = .reading
      #expect(openingError(other) == nil)
    }
  }

  @Test("Drafts of dead creations are removed; living ones and everything else stay")
  func leftovers() async throws {
    try await withTemporaryFolder { folder in
      let manager = FileManager.default
      let dead = [
        "tmp-store-0123456789abcdef", "tmp-store-00000000000000ff", "tmp-store-ffffffffffffffff",
        "tmp-store-cccccccccccccccc", "tmp-store-dddddddddddddddd",
      ]
      let kept = [
        "tmp-store-backup", "tmp-store-0123456789ABCDEF", "tmp-other-0123456789abcdef", "tmp-store-",
        "tmp-store-0123456789abcdef0", "tmp-store-aaaaaaaaaaaaaaaa", "tmp-store-bbbbbbbbbbbbbbbb",
      ]
      for name in dead + kept {
        try manager.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
      }
      for name in dead[1...2] { try Data().write(to: URL(filePath: "\(folder)/\(name)/writer.lock")) }
      try Data([1]).write(to: URL(filePath: "\(folder)/\(dead[2])/data.mdb"))
      // What a power cut leaves when the name of the lock file was not durable and others were.
      for name in dead[3...4] { try Data([1]).write(to: URL(filePath: "\(folder)/\(name)/lock.mdb")) }
      try Data([1]).write(to: URL(filePath: "\(folder)/\(dead[4])/data.mdb"))
      // Somebody's own file in a folder of that name, and a creation that still lives.
      try Data([1]).write(to: URL(filePath: "\(folder)/tmp-store-aaaaaaaaaaaaaaaa/own.txt"))
      let living = "\(folder)/tmp-store-bbbbbbbbbbbbbbbb/writer.lock"
      try Data().write(to: URL(filePath: living))
      let handle = try FileHandle(forUpdating: URL(filePath: living))
      try #require(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
      _ = try open(folder)
      #expect(try files(folder) == (kept + ["store"]).sorted())
      #expect(try files("\(folder)/tmp-store-aaaaaaaaaaaaaaaa") == ["own.txt"])
      // Closing alone would leave the lock to a child that another test is just starting.
      try #require(flock(handle.fileDescriptor, LOCK_UN) == 0)
      try handle.close()
      _ = try open(folder)
      #expect(try files(folder) == (kept.dropLast() + ["store"]).sorted())
    }
  }

  @Test("Eight creators at once make one whole store, and nothing is left beside it")
  func concurrentCreation() async throws {
    try await withTemporaryFolder { folder in
      let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do throws(StoreError) {
              try open(folder).put("a", "1")
              return true
            } catch {
              guard case .alreadyOpen = error else { throw error }
              return false
            }
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(opened > 0)
      #expect(try files(folder) == ["store"])
      #expect(try open(folder).get("a") == "1")
    }
  }
}

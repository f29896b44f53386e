import Foundation
import Glibc
import LMDB
import TestKit
import Testing

/// Exit tests serve here as second processes: an environment opens only once in each.
@Suite("Several processes", .blocking)
struct ProcessTests {
  @Test("A second writer is refused and told who holds the store; a reader beside the writer works")
  func besideWriter() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      try store.put("a", "1")
      let parent = getpid()
      await #expect(processExitsWith: .success) { [folder = folder as String, parent = parent as Int32] in
        guard case .locked(let path, let holder) = openingError(configuration(folder)) else {
          Issue.record("a second writer was let in")
          return
        }
        #expect(path == "\(folder)/store")
        #expect(holder.processID == parent)
        #expect(holder.program == "tests")
        let words = "\(StoreError.locked(path: path, by: holder))"
        #expect(words.contains("process \(parent) (tests)"))
        let reader = try open(folder, .reading)
        #expect(try reader.get("a") == "1")
      }
      try store.put("a", "2")
      #expect(try store.get("a") == "2")
    }
  }

  @Test("A writer killed inside a write leaves its commits, no lock, and a slot that the check frees")
  func killedWriter() async throws {
    try await withTemporaryFolder { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        let store = try open(folder)
        try store.put("a", "committed")
        let (key, first) = (bytes("b"), try store.database("first"))
        try store.read { (_) throws(StoreError) in
          try store.write { (transaction) throws(StoreError) in
            try transaction.put(key.rawSpan, at: key.rawSpan, in: first)
            kill(getpid(), SIGKILL)
          }
        }
      }
      let store = try open(folder)
      #expect(try store.get("a") == "committed")
      #expect(try store.get("b") == nil)
      try store.put("b", "after")
    }
  }

  @Test("A reader killed in its snapshot is found by the check, once")
  func killedReader() async throws {
    try await withTemporaryFolder { folder in
      let store = try open(folder)
      try store.put("a", "1")
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        let reader = try open(folder, .reading)
        try reader.read { (_) throws(StoreError) in _ = kill(getpid(), SIGKILL) }
      }
      #expect(try store.checkReaders() == 1)
      #expect(try store.checkReaders() == 0)
    }
  }

  @Test("A file size limit is a typed error of space, and the store goes on when it is lifted")
  func fileSizeLimit() async throws {
    try await withTemporaryFolder { folder in
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        signal(SIGXFSZ, SIG_IGN)
        let store = try open(folder)
        try store.put("a", "1")
        var limit = rlimit()
        // SAFETY: the calls fill and read the structure that they are lent.
        try #require(unsafe getrlimit(__rlimit_resource_t(1), &limit) == 0)
        let whole = limit
        limit.rlim_cur = 64 << 10
        try #require(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
        let large = String(repeating: "v", count: 1 << 20)
        #expect(throws: StoreError.diskFull(errno: EFBIG)) { try store.put("b", large) }
        #expect(try store.get("a") == "1")
        limit = whole
        try #require(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
        try store.put("b", large)
        #expect(try store.get("b") == large)
      }
    }
  }

  @Test("A folder without permission is refused as such, for reading and for writing")
  func permissions() async throws {
    try await withTemporaryFolder { folder in
      _ = try open(folder)
      let manager = FileManager.default
      try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder)/store")
      try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        // A superuser is refused nothing, so this process becomes another user first.
        if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
        let store = "\(folder)/store"
        var absent = configuration(folder)
        absent.folder = "\(folder)/absent"
        #expect(openingError(absent) == .permission(path: folder))
        #expect(openingError(configuration(folder)) == .permission(path: store))
        #expect(openingError(configuration(folder, .reading)) == .permission(path: "\(store)/data.mdb"))
      }
      try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(folder)/store")
    }
  }
}

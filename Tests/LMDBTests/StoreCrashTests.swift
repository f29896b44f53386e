import Foundation
import Glibc
import LMDB
import TestKit
import Testing

@Suite("Crashes in the store", .blocking)
struct StoreCrashTests {
  @Test(
    "A fault inside a transaction ends the process with its status and words; without the wish it does not")
  func inside() async throws {
    let end = try await #require(
      processExitsWith: .exitCode(65), observing: [\.standardErrorContent]
    ) {
      try await withTemporaryFolder { folder in
        let store = try open(folder)
        StoreCrash.endsProcess(status: 65, words: "the store is damaged\n")
        try store.read { (_) throws(StoreError) in _ = raise(SIGSEGV) }
      }
    }
    #expect(String(decoding: end.standardErrorContent, as: UTF8.self).contains("the store is damaged\n"))
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      signal(SIGSEGV, SIG_DFL)
      try await withTemporaryFolder { folder in
        let store = try open(folder)
        try store.read { (_) throws(StoreError) in _ = raise(SIGSEGV) }
      }
    }
  }

  @Test("A fault outside of transactions comes to the action before, also after transactions that failed")
  func outside() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      signal(SIGBUS, SIG_DFL)
      StoreCrash.endsProcess(status: 65, words: "the store is damaged\n")
      try await withTemporaryFolder { folder in
        let store = try open(folder)
        try store.put("a", "1")
        #expect(try store.get("a") == "1")
        #expect(throws: StoreError.self) {
          try store.write { (_) throws(StoreError) in throw .keyExists }
        }
        #expect(throws: StoreError.self) { try store.put("", "1") }
        #expect(openingError(configuration(folder)) != nil)
        // The first one comes back from the handler, the second meets the former action.
        raise(SIGBUS)
        raise(SIGBUS)
      }
    }
  }
}

import Foundation
import Glibc
import LMDB
import TestKit
import Testing

/// Runs a program to its end and returns its status.
private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
  try ChildProcess([program] + arguments, errors: .nothing).terminationStatus
}

/// Calls `body` with a folder that holds one small disk for each size in KiB, named after it.
private func withDisks(_ sizes: [Int], _ body: (String) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in
    var mounted: [String] = []
    defer {
      for disk in mounted {
        do { #expect(try run("/bin/umount", [disk]) == 0) } catch { Issue.record(error) }
      }
    }
    for size in sizes {
      let disk = "\(folder)/\(size)"
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      try #require(try run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)k", "none", disk]) == 0)
      mounted.append(disk)
    }
    try await body(folder)
  }
}

/// Whether this process may mount disks; containers refuse it to their root too.
private let canMount: Bool = {
  guard geteuid() == 0 else { return false }
  let folder = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID().uuidString)").path
  do {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let isMounted = try run("/bin/mount", ["-t", "tmpfs", "-o", "size=4k", "none", folder]) == 0
    if isMounted { _ = try run("/bin/umount", [folder]) }
    try FileManager.default.removeItem(atPath: folder)
    return isMounted
  } catch { return false }
}()

@Suite("Full disks", .enabled(if: canMount, "mounting a small disk needs root"))
struct FullDiskTests {
  /// Takes so many snapshots at once, each a slot in the table of readers.
  private static func nest(_ depth: Int, _ store: Environment) throws(StoreError) {
    guard depth > 0 else { return }
    try store.read { (_) throws(StoreError) in try nest(depth - 1, store) }
  }

  @Test(
    "On a disk that is too small creating is a typed error and leaves nothing; on a larger one it works")
  func creation() async throws {
    let sizes = [4, 8, 64, 128, 132, 136, 140, 144, 160, 192, 208, 256, 512]
    try await withDisks(sizes) { folder in
      await #expect(processExitsWith: .success) { [folder = folder as String, sizes = sizes as [Int]] in
        var made: [Int] = []
        for size in sizes {
          let disk = "\(folder)/\(size)"
          if let error = openingError(configuration(disk)) {
            guard case .diskFull = error else {
              Issue.record("\(size) KiB: \(error)")
              continue
            }
            let left = try files(disk)
            #expect(left.isEmpty, "\(size) KiB")
          } else {
            made.append(size)
          }
        }
        #expect(made.contains(512) && !made.contains(128))
        #expect(made == Array(sizes.suffix(made.count)))
      }
    }
  }

  @Test("A table of readers has its blocks: on a disk that filled up later every slot can be taken")
  func readers() async throws {
    try await withDisks([512]) { folder in
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        let disk = "\(folder)/512"
        // A store that another program made can have a sparse table; opening it takes the blocks.
        _ = try open(disk)
        let table = try FileHandle(forUpdating: URL(filePath: "\(disk)/store/lock.mdb"))
        for length in [0, 128 + 64 * 2_048] as [UInt64] { try table.truncate(atOffset: length) }
        try table.close()
        let store = try open(disk)
        var status = stat()
        // SAFETY: the call fills the structure that it is lent.
        try #require(unsafe stat("\(disk)/store/lock.mdb", &status) == 0)
        #expect(Int(status.st_size) == 128 + 64 * 2_048)
        #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
        var error: StoreError?
        for index in 0..<1_000 where error == nil {
          do throws(StoreError) {
            try store.put("\(index)", String(repeating: "v", count: 3_000))
          } catch let found { error = found }
        }
        guard case .diskFull = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        try Self.nest(1_000, store)
      }
    }
  }
}

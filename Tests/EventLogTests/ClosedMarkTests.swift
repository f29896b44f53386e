import EventLog
import Events
import Foundation
import Testing

@Suite struct ClosedMarkTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "parlor-mark-\(UUID().uuidString)")

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("log"), withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    try Data("store".utf8).write(to: store)
    try body()
  }

  private var store: URL { folder.appendingPathComponent("log/data.mdb") }
  private var mark: URL { folder.appendingPathComponent("closed") }

  @Test func aStoreThatWasClosedIsKnownOnce() throws {
    try inFolder {
      #expect(try !ClosedMark.take(folder: folder.path))
      try ClosedMark.leave(folder: folder.path)
      #expect(try ClosedMark.take(folder: folder.path))
      #expect(!FileManager.default.fileExists(atPath: mark.path))
      #expect(try !ClosedMark.take(folder: folder.path))
    }
  }

  @Test func aStoreThatWasWrittenToSinceDoesNotFit() throws {
    try inFolder {
      try ClosedMark.leave(folder: folder.path)
      let file = try FileHandle(forWritingTo: store)
      // Also where size and content stay.
      try file.write(contentsOf: Data("s".utf8))
      try file.close()
      #expect(try !ClosedMark.take(folder: folder.path))
    }
  }

  /// An old copy comes with its mark, and is known all the same.
  @Test(arguments: [true, false]) func aCopyDoesNotFit(inPlace: Bool) throws {
    try inFolder {
      try ClosedMark.leave(folder: folder.path)
      let copy = try (Data(contentsOf: store), Data(contentsOf: mark))
      if inPlace {
        let file = try FileHandle(forWritingTo: store)
        try file.write(contentsOf: copy.0)
        try file.close()
      } else {
        // While the first file is kept the second one has another inode.
        try FileManager.default.moveItem(at: store, to: folder.appendingPathComponent("old"))
        try copy.0.write(to: store)
      }
      try copy.1.write(to: mark)
      #expect(try !ClosedMark.take(folder: folder.path))
    }
  }

  @Test func whatIsNoMarkDoesNotFit() throws {
    try inFolder {
      for bytes in [Data(), Data("parlor-closed-1\n1 2 3 4\n".utf8), Data(count: 100_000)] {
        try bytes.write(to: mark)
        #expect(try !ClosedMark.take(folder: folder.path))
      }
    }
  }
}

import EventLog
import Events
import Foundation
import Testing

/// What the marks of a data folder say after an end in order, a kill, a copy and whatever else befalls it.
@Suite struct FolderMarksTests {
  private let base = FileManager.default.temporaryDirectory.appendingPathComponent(
    "parlor-marks-\(UUID().uuidString)")
  private let room = RoomID(Bytes32([UInt8](repeating: 7, count: 32)) ?? .zero)
  private var folder: String { base.appendingPathComponent("a").path }
  private var store: String { folder + "/log/data.mdb" }

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder + "/log", withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: base) } catch { Issue.record(error) } }
    try Data("store".utf8).write(to: URL(fileURLWithPath: store))
    try FolderMarks.noteBirth(folder)
    try Data("key".utf8).write(to: URL(fileURLWithPath: folder + "/" + Identity.fileName))
    try body()
  }

  private func take(_ rooms: [RoomID] = []) throws -> FolderMarks {
    try FolderMarks.take(folder, nextRoom: { UInt64(rooms.count) }) { (_) throws(LogError) in rooms }
  }

  /// A writer that shares what there is, and ends in order.
  private func serve() throws {
    let marks = try take()
    try marks.noteSharing()
    try marks.leave { () throws(LogError) in 5 }
  }

  private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }

  private func write() throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
    // The same bytes: the time of change tells.
    try file.write(contentsOf: Data("store".utf8))
    try file.close()
  }

  private func copy(_ from: String, _ to: String) throws {
    try FileManager.default.copyItem(atPath: from, toPath: to)
  }

  @Test func whatEndedInOrderIsCertain() throws {
    try inFolder {
      try serve()
      #expect(has("closed") && !has("running"))
      for _ in 0..<3 {
        let marks = try take()
        #expect(marks.allowed == nil)
        #expect(!has("closed") && has("running"))
        try marks.leave { () throws(LogError) in 5 }
      }
    }
  }

  /// A kill leaves no mark of an end; that of the process fits as long as the system runs and nobody touches the
  /// store.
  @Test func whatWasKilledIsCertain() throws {
    try inFolder {
      try serve()
      _ = try take()
      #expect(try take().allowed == nil)
      try write()
      #expect(try take().allowed == [])
    }
  }

  /// Doubt stays over ends in order, and what is allowed is.
  @Test func doubtStays() throws {
    try inFolder {
      try serve()
      try write()
      let marks = try take()
      #expect(marks.allowed == [])
      try marks.noteAllowed([room])
      try marks.leave { () throws(LogError) in 5 }
      for _ in 0..<2 {
        let again = try take()
        #expect(again.allowed == [room])
        try again.leave { () throws(LogError) in 5 }
      }
      // And what was allowed is not when there is reason for doubt again.
      try write()
      #expect(try take().allowed == [])
    }
  }

  /// A whole copy, in another place or in that of the original, whatever marks came with it.
  @Test(arguments: [true, false]) func aCopyIsInDoubt(isRunning: Bool) throws {
    try inFolder {
      try serve()
      let marks = try take()
      if !isRunning { try marks.leave { () throws(LogError) in 5 } }
      try copy(folder, folder + ".copy")
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".old")
      try copy(folder + ".copy", folder)
      #expect(try take([room]).allowed == [], "also rooms beyond the mark: it came with the copy")
    }
  }

  /// The files of a copy are written into those that are there, whose numbers stay.
  @Test(arguments: [true, false]) func whatIsOverwrittenIsInDoubt(isRunning: Bool) throws {
    try inFolder {
      try serve()
      let marks = try take()
      if !isRunning { try marks.leave { () throws(LogError) in 5 } }
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasSuffix("log") }
      for name in names {
        let place = URL(fileURLWithPath: folder + "/" + name)
        let bytes = try Data(contentsOf: place)
        let file = try FileHandle(forWritingTo: place)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
      }
      #expect(try take([room]).allowed == [])
    }
  }

  /// A folder that is renamed is the same folder.
  @Test func aMovedFolderIsCertain() throws {
    try inFolder {
      try serve()
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
      let marks = try FolderMarks.take(folder + ".moved", nextRoom: { 0 }) { (_) throws(LogError) in [] }
      #expect(marks.allowed == nil)
    }
  }

  /// Rooms of which nothing has left this machine are certain though the store is not, where the mark that says so
  /// is the one that was written.
  @Test func whatWasNeverSharedIsCertain() throws {
    try inFolder {
      _ = try take()
      try write()
      #expect(try take().allowed == nil, "nothing was ever shared")
      try serve()
      try write()
      #expect(try take([room]).allowed == [room])
      let marks = try take([room])
      try marks.noteSharing()
      try write()
      #expect(try take([room]).allowed == [], "killed while all might leave")
      try write()
      #expect(try take([room]).allowed == [room], "made since the kill, and nothing has left since")
    }
  }

  @Test func whatIsExportedIsShared() throws {
    try inFolder {
      try take().leave { () throws(LogError) in 0 }
      try FolderMarks.noteExport(folder)
      try write()
      #expect(try take([room]).allowed == [])
    }
  }

  /// A key that comes to a folder from elsewhere has been used there.
  @Test func aKeyFromElsewhereIsInDoubt() throws {
    try inFolder {
      for name in ["shared", "shared.seal"] {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      #expect(try take().allowed == [])
      try FolderMarks.noteBirth(folder)
      #expect(try take().allowed == [], "there is a key already")
      let marks = try take()
      try marks.noteSharing()
      try marks.leave { 0 }
      try write()
      #expect(try take().allowed == [], "no room was made, but others may be elsewhere")
    }
  }

  /// A key that is imported has been used elsewhere, whatever the marks that were there before say.
  @Test func anImportedKeyIsInDoubt() throws {
    let key = SigningKey(seed: [UInt8](repeating: 3, count: 32)).peer
    try inFolder {
      // The store of a folder without a key, left in order, and a mark of a new key that has gone.
      try FileManager.default.removeItem(atPath: folder + "/" + Identity.fileName)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      try take().leave { () throws(LogError) in 0 }
      let made = try Identity.adopt([UInt8](repeating: 3, count: 32), folder: folder)
      #expect(made.peer == key)
      let marks = try take([room])
      #expect(marks.allowed == nil, "the store is as it was left")
      try marks.noteKey(SigningKey(seed: [UInt8](repeating: 4, count: 32)).peer)
      #expect(marks.allowed == nil && !marks.isImported, "the mark is about another key")
      try marks.noteKey(key)
      #expect(marks.allowed == [] && marks.isImported)
      try marks.noteAllowed([room])
      try marks.leave { () throws(LogError) in 1 }
      // What was allowed since stays so.
      let again = try take([room])
      try again.noteKey(key)
      #expect(again.allowed == [room])
      try again.noteSharing()
      try write()
      let killed = try take([room])
      try killed.noteKey(key)
      #expect(killed.allowed == [])
    }
  }

  /// A writer that found no key, and one is imported before it looks for it again.
  @Test func aKeyThatIsImportedBesideAWriterIsInDoubt() throws {
    try inFolder {
      try FileManager.default.removeItem(atPath: folder + "/" + Identity.fileName)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      let marks = try take()
      #expect(marks.allowed == nil)
      let key = try Identity.adopt([UInt8](repeating: 3, count: 32), folder: folder).peer
      // Another command was about to make a key, and marks the folder for that.
      try FolderMarks.noteBirth(folder)
      try marks.noteKey(key)
      #expect(marks.allowed == [])
    }
  }

  /// A process notices that its folder is not in its place, and leaves the marks of the one that is there alone.
  @Test func anotherFolderIsLeftAlone() throws {
    try inFolder {
      try serve()
      let marks = try take()
      try marks.checkPlace()
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
      #expect(throws: LogError.self) { try marks.checkPlace() }
      try copy(folder + ".moved", folder)
      #expect(throws: LogError.self) { try marks.checkPlace() }
      let there = try take()
      try marks.leave { () throws(LogError) in 5 }
      #expect(!has("closed") && has("running"))
      #expect(FileManager.default.fileExists(atPath: folder + ".moved/closed"))
      try there.leave { () throws(LogError) in 5 }
    }
  }

  /// A store that was put into the folder is not marked as this process's.
  @Test func anotherStoreIsLeftAlone() throws {
    try inFolder {
      let marks = try take()
      try FileManager.default.moveItem(atPath: store, toPath: store + ".old")
      try copy(store + ".old", store)
      #expect(throws: LogError.self) { try marks.checkPlace() }
      try marks.leave { () throws(LogError) in 5 }
      #expect(!has("closed"))
    }
  }

  @Test(arguments: ["closed", "running", "shared", "shared.seal", "doubt"]) func whatIsNoMarkIsNone(
    _ name: String
  ) throws {
    try inFolder {
      try serve()
      try write()
      let place = URL(fileURLWithPath: folder + "/" + name)
      for bytes in [Data(), Data("parlor-\(name)-1\n1 2 3 4\n".utf8), Data(repeating: 0xFF, count: 100_000)] {
        try bytes.write(to: place)
        let marks = try take([room])
        #expect(marks.allowed == (name.hasPrefix("shared") ? [] : marks.allowed))
        #expect(marks.allowed != nil)
      }
    }
  }
}

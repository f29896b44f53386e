import Foundation
import Platform
import Testing

@Suite struct OpenFileTests {
  @Test("A file is read at any place, beyond its end too, and replaced by something shorter")
  func content() throws {
    try inFolder { folder in
      let file = try OpenFile("\(folder)/a", [.updating, .new])
      try file.write(Array("0123456789".utf8))
      #expect(try file.read(4, at: 3) == Array("3456".utf8))
      #expect(try file.read(4, at: 8) == Array("89".utf8))
      #expect(try file.read(4, at: 99) == [])
      #expect(try file.read(4, at: .max) == [])
      try file.replaceContent(Array("abc".utf8))
      #expect(try OpenFile("\(folder)/a").readAll(limit: 99) == Array("abc".utf8))
      #expect(try OpenFile("\(folder)/a").readAll(limit: 2) == Array("ab".utf8))
    }
  }

  @Test("What the system refuses says the path, what is wrong, and of what kind it is")
  func refusals() throws {
    try inFolder { folder in
      func refusal(_ name: String, _ options: OpenFile.Options) -> SystemError? {
        do throws(SystemError) { _ = try OpenFile("\(folder)/\(name)", options) } catch { return error }
        return nil
      }
      #expect(refusal("a", .noLink)?.kind == .missing)
      #expect(refusal("a", [])?.description == "\(folder)/a: No such file or directory")
      #expect(refusal("a", [.writing, .new]) == nil)
      #expect(refusal("a", [.writing, .new])?.kind == .exists)
      #expect(refusal("a", .folder)?.kind == .otherKind)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/b", withDestinationPath: "a")
      #expect(refusal("b", []) == nil)
      #expect(refusal("b", .noLink)?.kind == .otherKind)
      #expect(SystemError("poll", 4).description == "poll: Interrupted system call")
    }
  }

  @Test("A pipe that lies where a file should be holds nobody up")
  func pipeInPlace() throws {
    try inFolder { folder in
      try #require(unsafe mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(try OpenFile("\(folder)/pipe").status().kind == .other)
    }
  }

  @Test("One has the lock, until the file is closed or the lock is given back")
  func lock() throws {
    try inFolder { folder in
      let other = try OpenFile("\(folder)/a", [.updating, .creating])
      do {
        let file = try OpenFile("\(folder)/a")
        #expect(try file.lock() && file.lock())
        #expect(try !other.lock())
      }
      #expect(try other.lock())
      other.unlock()
      #expect(try OpenFile("\(folder)/a").lock())
    }
  }

  @Test("No descriptor reaches a program that is started")
  func closedInPrograms() throws {
    try inFolder { folder in
      let file = try OpenFile("\(folder)/a", [.updating, .creating])
      let inner = try OpenFile("b", in: OpenFile(folder, .folder), [.writing, .new])
      let ends = try Descriptor.pipe()
      for descriptor in [file.descriptor, inner.descriptor, ends.read, ends.write] {
        #expect(fcntl(descriptor.number, F_GETFD) == FD_CLOEXEC)
      }
      try ends.write.close()
      #expect(try ends.read.readSome(limitBytes: 9) == [])
      ends.read.forget()
      #expect(try inner.status().mode == 0o600)
    }
  }

  @Test("Space is taken for as many bytes as asked for; looking for it changes no length")
  func space() throws {
    try inFolder { folder in
      let file = try OpenFile("\(folder)/a", [.updating, .creating])
      try file.write([1, 2, 3])
      try file.probeSpace(200_000)
      #expect(try file.status().bytes == 3)
      try file.reserve(10_000)
      #expect(try file.status().bytes == 10_000)
      #expect(try file.status().reservedBytes >= 10_000)
      #expect(try file.read(4, at: 0) == [1, 2, 3, 0])
      try file.reserve(5_000)
      #expect(try file.status().bytes == 10_000)
    }
  }

  @Test("In an open folder files are replaced, found and removed, also after it was given another name")
  func inFolders() throws {
    try inFolder { parent in
      try FileSystem.makeFolder("\(parent)/old")
      let folder = try OpenFile("\(parent)/old", .folder)
      try FileSystem.move("\(parent)/old", to: "\(parent)/new")
      try folder.replace("mark", with: [1])
      try folder.replace("mark", with: [2, 3])
      #expect(try OpenFile("\(parent)/new/mark").readAll(limit: 9) == [2, 3])
      #expect(try FileSystem.names(in: "\(parent)/new") == ["mark"])
      #expect(folder.status(of: "mark")?.number == FileStatus(at: "\(parent)/new/mark")?.number)
      try folder.remove("mark")
      try folder.remove("mark")
      #expect(folder.status(of: "mark") == nil)
    }
  }
}

/// Calls `body` with a new folder.
func inFolder(_ body: (String) throws -> Void) throws {
  let folder = "\(NSTemporaryDirectory())/platform-\(UUID())"
  try FileSystem.makeFolder(folder)
  defer { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) } }
  try body(FileSystem.resolve(folder))
}

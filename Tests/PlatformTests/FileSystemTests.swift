import Foundation
import Platform
import Testing

@Suite struct FileSystemTests {
  @Test("A new file appears whole when it is kept, and else leaves nothing")
  func newFile() throws {
    try inFolder { folder in
      do {
        let file = try NewFile("\(folder)/a", replaces: false)
        try file.descriptor.write([1])
      }
      #expect(try FileSystem.names(in: folder) == [])
      let first = try NewFile("\(folder)/a", replaces: false)
      let second = try NewFile("\(folder)/a", replaces: false)
      try first.descriptor.write([1])
      #expect(!FileSystem.exists("\(folder)/a"))
      try first.keep()
      do throws(SystemError) {
        try second.keep()
        Issue.record("a file was replaced")
      } catch { #expect(error.kind == .exists && error.path == "\(folder)/a") }
      let third = try NewFile("\(folder)/a", replaces: true)
      try third.descriptor.write([3])
      try third.keep()
      #expect(try OpenFile("\(folder)/a").readAll(limit: 9) == [3])
      #expect(try FileSystem.names(in: folder) == ["a"])
      #expect(throws: SystemError("open", 17, path: "\(folder)/a")) {
        _ = try NewFile("\(folder)/a", replaces: false).descriptor
      }
    }
  }

  @Test("Missing folders are made for this user alone, and what is no folder is told")
  func privateFolder() throws {
    try inFolder { folder in
      try FileSystem.makePrivateFolder("\(folder)/a/./b//c/")
      try FileSystem.makePrivateFolder("\(folder)/a/b/c")
      #expect(FileStatus(at: "\(folder)/a/b/c")?.mode == 0o700)
      #expect(FileStatus(at: "\(folder)/a/b/c")?.isOurs == true)
      _ = try OpenFile("\(folder)/file", [.writing, .new]).status()
      #expect(throws: SystemError("mkdir", 20, path: "\(folder)/file")) {
        try FileSystem.makePrivateFolder("\(folder)/file/d")
      }
      try FileSystem.removeEmptyFolder("\(folder)/a")
      try FileSystem.removeEmptyFolder("\(folder)/a/b/c")
      try FileSystem.removeEmptyFolder("\(folder)/a/b/c")
      #expect(FileSystem.isFolder("\(folder)/a/b") && !FileSystem.exists("\(folder)/a/b/c"))
    }
  }

  @Test("Links are seen, and paths lead to where they lead")
  func links() throws {
    try inFolder { folder in
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/to", withDestinationPath: "nowhere")
      #expect(FileSystem.isLink("\(folder)/to") && !FileSystem.exists("\(folder)/to"))
      try FileSystem.makeFolder("\(folder)/nowhere")
      #expect(FileSystem.isFolder("\(folder)/to") && !FileSystem.isLink("\(folder)/nowhere"))
      #expect(try FileSystem.resolve("\(folder)/./to/") == "\(folder)/nowhere")
      #expect(FileSystem.parent(of: "\(folder)/nowhere") == folder)
      #expect(FileSystem.parent(of: "/a") == "/")
      try FileSystem.syncNames(in: "\(folder)/to")
      #expect(throws: SystemError("open", 2, path: "\(folder)/absent")) {
        try FileSystem.syncNames(in: "\(folder)/absent")
      }
    }
  }

  @Test("A file that has no name gets one that nothing has yet")
  func nameless() throws {
    try inFolder { folder in
      // Some file systems have none.
      guard let file = OpenFile(namelessIn: folder, for: "\(folder)/a") else { return }
      try file.write([1])
      #expect(try FileSystem.names(in: folder) == [])
      try FileSystem.link(file, as: "\(folder)/a")
      try FileSystem.link("\(folder)/a", as: "\(folder)/b")
      #expect(try file.status().names == 2)
      #expect(throws: SystemError("link", 17, path: "\(folder)/b")) {
        try FileSystem.link("\(folder)/a", as: "\(folder)/b")
      }
    }
  }

  @Test("A deadline passes, never before its time")
  func deadline() {
    let start = ContinuousClock.now
    let deadline = Deadline(afterMilliseconds: 20)
    #expect((1...20).contains(deadline.millisecondsLeft))
    while deadline.millisecondsLeft > 0 { usleep(1_000) }
    #expect(ContinuousClock.now - start > .milliseconds(18))
    #expect(Deadline(afterMilliseconds: -5).millisecondsLeft == 0)
    #expect(Deadline(afterMilliseconds: .max).millisecondsLeft > 1 << 60)
  }
}

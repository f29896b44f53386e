import EventLog
import Events
import Foundation
import Testing

/// Stores whose files were damaged, and stores that this user may not read.
@Suite(.enabled(if: Program.isThere, Program.missing)) struct LogDamageTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  @Test func whoMayNotReadTheStoreIsToldSo() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["random", "random"]) }
    let file = home.file("data/log/data.mdb")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    for folder in ["data", "data/log"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file(folder))
    }
    // Permissions do not stop root, who becomes nobody for this.
    let before = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    for words in ["list", "verify"] {
      let shell = try Dialogue(
        ["-c", "\(before)\"$@\"", "bash", try #require(Program.path), "log", words, "--data", data],
        home: home, program: "/bin/bash")
      try shell.endInput()
      let run = try shell.finish()
      #expect(run.status == 77, "\(words): \(run.errors)")
      #expect(run.errors.contains("may not access"), "\(run.errors)")
    }
  }
}

import Foundation
import TestKit
import Testing

/// The creation of an identity, killed at each of its calls: no copy of a secret stays beside the identity.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: Strace.path != nil, "there is no strace here that can trace a program"))
struct IdentityKillTests {
  /// What the file system can do.
  enum FileSystem: CaseIterable {
    case givesNamesLater
    /// A file that has no name cannot be given one.
    case namesAtOnce

    fileprivate var injection: [String] {
      self == .namesAtOnce ? ["-e", "inject=linkat:error=ENOENT:when=1"] : []
    }
  }

  /// The calls that change a folder or a file, and those around them; not every machine has all.
  private static let calls = [
    "mkdir", "mkdirat", "chmod", "fchmodat", "fchmod", "flock", "getdents64", "write", "fsync", "link",
    "linkat",
    "unlink", "unlinkat",
  ]

  /// Creates an identity under strace; returns how it ended and which calls it came to, in order.
  private func create(
    _ home: TemporaryFolder, _ system: FileSystem, _ injection: [String] = []
  ) throws -> (end: Program.Finished, calls: [String], isKilled: Bool) {
    let logs = try TemporaryFolder()
    let traced = Self.calls.map { "?\($0)" }.joined(separator: ",")
    let watch =
      ["-f", "-qq", "-o", logs.file("calls"), "-e", "trace=\(traced)"] + system.injection + injection
    let words = [try #require(Program.path), "identity", "create", "--data", "data"]
    let run = try Dialogue(watch + words, home: home, program: Strace.path)
    let end = try run.finish()
    let lines = String(decoding: try logs.bytes("calls"), as: UTF8.self).split(separator: "\n")
    let made = lines.compactMap { line -> String? in
      let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
      return Self.calls.first { $0 == call }
    }
    return (end, made, run.process.isKilled)
  }

  private func drafts(_ home: TemporaryFolder) throws -> Int {
    try home.tree().count { $0.path.hasPrefix("data/identity.key.") }
  }

  @Test(arguments: FileSystem.allCases) func noDraftStays(_ system: FileSystem) throws {
    let whole = try create(try TemporaryFolder(), system)
    try #require(whole.end.status == 0, "\(whole.end.errors)")
    #expect(whole.calls.contains("fsync") && whole.calls.contains { $0.hasPrefix("link") }, "\(whole.calls)")
    var left = 0
    var identities = 0
    var kills = 0
    for (at, call) in whole.calls.enumerated() where system == .givesNamesLater || call != "linkat" {
      let number = whole.calls[...at].count { $0 == call }
      let place: Comment = "killed at \(call) \(number)"
      let home = try TemporaryFolder()
      let killed = try create(home, system, ["-e", "inject=\(call):signal=SIGKILL:when=\(number)"])
      // strace counts each thread's calls by themselves, and the runtime's are not always in the same one.
      #expect(killed.isKilled || killed.end.status == 0, place)
      if killed.isKilled { kills += 1 }
      let found = try drafts(home)
      left += found
      #expect(found == 0 || system == .namesAtOnce, place)
      let isThere = FileManager.default.fileExists(atPath: home.file("data/identity.key"))
      if isThere { identities += 1 }
      // Whatever starts next: another creation, or something that needs the identity.
      let next =
        at % 2 == 0 ? ["identity", "create"] : ["match", "tic-tac-toe", "--players", "random,random"]
      let end = try Program.start(next + ["--data", "data"], home: home).finish()
      #expect(end.status == (isThere && at % 2 == 0 ? 73 : 0), "\(place): \(end.errors)")
      #expect(try drafts(home) == 0, place)
      #expect(try Program.run("identity", "show", "--data", "data", home: home).status == 0, place)
    }
    // Where there are drafts they were seen, and kills came before and after the identity was there.
    #expect((left > 0) == (system == .namesAtOnce))
    #expect(kills >= whole.calls.count - 4)
    #expect(identities > 0 && identities < whole.calls.count)
  }
}

import Foundation
import TestKit
import Testing

/// A disk of a few hundred kibibytes, in a mount namespace that goes when the test lets go of it.
///
/// Where this process is not root it becomes so in a user namespace, which not every system allows.
final class SmallDisk {
  /// The folder at which it is mounted, for programs that are started with this home.
  let home: TemporaryFolder
  private let keeper: Dialogue

  private static let unshare = "/usr/bin/unshare"
  private static let nsenter = "/usr/bin/nsenter"
  private static let isRoot = geteuid() == 0

  /// Whether there can be such disks.
  static let isPossible: Bool = {
    let tools = [unshare, nsenter].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    guard tools, Program.isThere else { return false }
    do {
      let disk = try SmallDisk(kibibytes: 64)
      return try disk.shell("df -k . | tail -n 1").output.contains("64")
    } catch { return false }
  }()

  /// What a skipped test says.
  static let impossible: Comment =
    "skipped: a small disk cannot be mounted here, neither as root nor in a user namespace (util-linux)"

  init(kibibytes: Int) throws {
    home = try TemporaryFolder()
    let mount =
      "mount -t tmpfs -o size=\(kibibytes)k,mode=700 none '\(home.path)' && echo mounted && exec cat"
    keeper = try Dialogue(
      (Self.isRoot ? ["-m"] : ["-r", "-m"]) + ["/bin/sh", "-c", mount], home: home, program: Self.unshare)
    try keeper.wait(for: "a mounted disk") { try keeper.output().contains("mounted") }
    let user = Self.isRoot ? [] : ["-U", "--preserve-credentials"]
    home.enter =
      [Self.nsenter, "-t", "\(keeper.process.processIdentifier)", "-m"] + user + ["--wdns=\(home.path)"]
  }

  deinit { keeper.kill9() }

  /// Runs a script on the disk.
  @discardableResult
  func shell(_ script: String) throws -> Program.Finished {
    let run = try Dialogue(["-e", "-c", script], home: home, program: "/bin/bash")
    try run.endInput()
    let end = try run.finish()
    try #require(end.status == 0, "\(script): \(end.errors)")
    return end
  }

  /// Fills the disk but for so much.
  func fill(leaving kibibytes: Int) throws {
    try shell("head -c $(( ($(stat -f -c %f .) - \(kibibytes / 4)) * 4096 )) /dev/zero > filler")
  }

  /// Takes back what filled it.
  func empty() throws { try shell("rm -f filler") }
}

import Foundation
import TestKit
import Testing

/// The rig that watches programs leaves none of them behind.
@Suite(.blocking, .enabled(if: Script.isThere, Script.missing)) struct DialogueTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Whether a process is gone, or dead and not looked after yet.
  private func isDead(_ process: Int32) -> Bool {
    do {
      let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status.split(separator: ")").last?.hasPrefix(" Z") == true
    } catch { return true }
  }

  /// A test that fails lets go of its runs: their terminals end, and whoever sits there, heedless of hanging up, too.
  @Test func whatARunHasStartedEndsWithIt() throws {
    var run: Dialogue? = try Dialogue(
      [
        "--quiet", "--return", "--command",
        "trap '' HUP TERM; sh -c 'sleep 1000 & echo sleeper $!; wait' & echo shell $!; wait", "/dev/null",
      ], home: home, program: Script.path, environment: ["SHELL": "/bin/sh"])
    func number(_ name: String) throws -> Int32? {
      let pattern = try Regex("\(name) ([0-9]+)", as: (Substring, Substring).self)
      return try run?.output().firstMatch(of: pattern).flatMap { Int32($0.1) }
    }
    try run?.wait(for: "the processes") { try number("shell") != nil && number("sleeper") != nil }
    let started = [try #require(try number("shell")), try #require(try number("sleeper"))]
    #expect(started.allSatisfy { !isDead($0) })
    run = nil
    // Signals take their time.
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end, !started.allSatisfy(isDead) { usleep(1000) }
    #expect(started.allSatisfy(isDead))
  }
}

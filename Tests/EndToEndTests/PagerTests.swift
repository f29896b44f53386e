import Foundation
import TestKit
import Testing

/// Long output at a terminal.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct PagerTests {
  let home: TemporaryFolder
  /// All lines that `log show` prints where no terminal is.
  let lines: [String]

  init() throws {
    home = try TemporaryFolder()
    let match = ["match", "connect-four", "--players", "random,random", "--games", "2", "--data", "data"]
    try #require(try Program.start(match, home: home).finish().status == 0)
    let shown = try Program.start(["log", "show", "last", "--data", "data"], home: home).finish()
    lines = shown.output.split(separator: "\n").map(String.init)
    try #require(shown.status == 0 && lines.count > 24)
  }

  private func show(_ pager: [String: String], _ words: String = "log show last --data data") throws
    -> Sitting
  {
    try Sitting(
      command: "trap : INT; stty -g > before; PARLOR \(words); echo status-$?; stty -g > after", home: home,
      environment: pager, size: (120, 24))
  }

  /// The short id of each event.
  private var ids: [String] {
    lines.dropFirst(2).compactMap { $0.firstMatch(of: #/\) +([0-9a-f]{10})\b/#).map { String($0.1) } }
  }

  private func end(_ sitting: Sitting) throws -> String {
    let output = try sitting.run.finish().output
    #expect(output.contains("status-0"), "\(output.suffix(300))")
    #expect(try home.bytes("before") == home.bytes("after"))
    return output
  }

  /// Waits until less has shown all of a page and asks what to do, behind so many bytes of output.
  private func waitForPrompt(_ sitting: Sitting, behind count: Int = 0) throws {
    try sitting.run.wait(for: "the prompt of less") {
      let output = try sitting.run.outputBytes()
      return output.count > count && output.suffix(4).elementsEqual(":\u{1b}[K".utf8)
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less"), "less is not installed"))
  func lessShowsAPageAndEndsAtQ() throws {
    let sitting = try show([:])
    try sitting.expect(ids[12])
    try sitting.run.type(" ")
    try sitting.expect(ids[24])
    // Ctrl-C is for the pager, which asks again. The terminal forgets what was typed before it is heard.
    try waitForPrompt(sitting)
    let shown = try sitting.run.outputBytes().count
    try sitting.run.type("\u{3}")
    try waitForPrompt(sitting, behind: shown)
    try sitting.run.type("q")
    let output = try end(sitting)
    #expect(!output.contains(ids[ids.count - 1]))
  }

  @Test(arguments: [
    ["PARLOR_PAGER": "cat > seen"], ["PAGER": "tee seen > /dev/null"], ["PARLOR_PAGER": "cp /dev/stdin seen"],
    ["PAGER": "false", "PARLOR_PAGER": "kill -INT $PPID; kill -INT $PPID; cat > seen"],
  ])
  func aPagerReadsAllLines(_ pager: [String: String]) throws {
    let output = try end(show(pager))
    #expect(!output.contains(ids[0]), "\(output)")
    let seen = String(decoding: try home.bytes("seen"), as: UTF8.self)
    for id in ids { #expect(seen.contains(id)) }
  }

  /// What it has not read is not missed.
  @Test func aPagerMayEndEarly() throws {
    let output = try end(show(["PAGER": "head -n 1"]))
    #expect(output.contains("Connect Four") && !output.contains(ids[1]))
    #expect(!output.contains("error"))
  }

  @Test(arguments: [
    ["PARLOR_PAGER": ""], ["PAGER": "cat"], ["PAGER": "no-such-pager"],
    ["PAGER": "no-such-pager | cat -n 1>&2 | no"],
    ["TERM": "dumb"], ["PAGER": "cat > seen", "PARLOR_PAGER": ""],
  ])
  func withoutAPagerAllIsPrinted(_ pager: [String: String]) throws {
    let output = try end(show(pager))
    for id in ids { #expect(output.contains(id)) }
    #expect(!FileManager.default.fileExists(atPath: home.file("seen")))
  }

  @Test func somebodyMayWantNone() throws {
    let output = try end(show(["PAGER": "cat > seen"], "log show last --data data --no-pager"))
    for id in ids { #expect(output.contains(id)) }
  }

  @Test func whatFitsIsPrinted() throws {
    let output = try end(show(["PAGER": "cat > seen"], "log list --data data"))
    #expect(output.contains("connect-four"))
    #expect(!FileManager.default.fileExists(atPath: home.file("seen")))
  }

  @Test(arguments: ["help match", "match --help", "help"]) func helpComesInPagesToo(_ words: String) throws {
    let output = try end(show(["PAGER": "cat > seen"], words))
    #expect(!output.contains("Usage"))
    #expect(String(decoding: try home.bytes("seen"), as: UTF8.self).contains("Usage"))
  }

  /// Whoever asks the program to end has the pager end.
  @Test func theProgramCanBeEnded() throws {
    let sitting = try show(["PAGER": "kill -TERM $PPID; exec sleep 600"])
    let output = try sitting.run.finish().output
    #expect(output.contains("status-"))
  }

  @Test func withoutATerminalNothingIsPaged() throws {
    let program = try #require(Program.path)
    let run = try Dialogue(
      ["-c", "'\(program)' log show last --data data > out"], home: home, program: "/bin/sh",
      environment: ["PAGER": "cat > seen", "TERM": "xterm"]
    ).finish()
    #expect(run.status == 0)
    #expect(
      String(decoding: try home.bytes("out"), as: UTF8.self).split(separator: "\n").count == lines.count)
  }
}

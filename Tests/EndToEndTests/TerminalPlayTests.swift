import Foundation
import TestKit
import Testing

/// script(1) of util-linux, which lends a program a terminal.
enum Script {
  static let path = "/usr/bin/script"

  /// Whether it is here.
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// What a skipped test says.
  static let missing: Comment = "there is no script(1) to lend a terminal: install util-linux"
}

/// `play` on a terminal.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct TerminalPlayTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Starts a game on a terminal of its own.
  func play(_ environment: [String: String] = [:]) throws -> Dialogue {
    let program = try #require(Program.path)
    let command = "exec '\(program)' play tic-tac-toe --against greedy --seat first --data data"
    let terminal = ["TERM": "xterm-256color", "SHELL": "/bin/sh"].merging(environment) { _, new in new }
    return try Dialogue(
      ["--quiet", "--return", "--command", command, "/dev/null"], home: home, program: Script.path,
      environment: terminal)
  }

  /// Waits for a question, the so-manieth of this text.
  func expect(_ text: String, times: Int = 1, _ run: Dialogue) throws {
    try run.wait(for: "“\(text)”") { try run.output().components(separatedBy: text).count > times }
  }

  @Test func aPersonIsAskedSeesBoardsAndPlaysAgain() throws {
    let run = try play()
    try expect("Your move: ", run)
    #expect(try run.output().contains("┌────┬"))
    #expect(try run.output().contains("\u{1B}["))
    try run.type("5\n")
    try expect("Your move: ", times: 2, run)
    #expect(try run.output().contains("🐱 You played 5"))
    try run.type("resign\n")
    try expect("Play again? [y/N] ", run)
    try run.type("y\n")
    try expect("Your move: ", times: 3, run)
    try run.type("resign\n")
    try expect("Play again? [y/N] ", times: 2, run)
    try run.type("n\n")
    #expect(try run.finish().status == 0)
    let rooms = try Program.run("log", "list", "--data", "data", "--json", home: home).objects()
    #expect(rooms.map { $0["status"] as? String } == ["finished", "finished"])
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func whoWantsNoColourGetsNone(_ environment: [String: String]) throws {
    let run = try play(environment)
    try expect("Your move: ", run)
    try run.type("quit\n")
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.output.contains("┌────┬"))
    // Select Graphic Rendition (ECMA-48) is what sets colours.
    #expect(end.output.firstMatch(of: #/\u{1B}\[[0-9;]*m/#) == nil)
    if environment["TERM"] == "dumb" { #expect(!end.output.contains("\u{1B}")) }
  }

  @Test func ctrlCAtTheQuestionSaysHowToGoOn() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("\u{3}")
    let end = try run.finish()
    #expect(end.status == 130)
    #expect(end.output.contains("\nThe game waits: `parlor play --resume "), "\(end.output.suffix(200))")
    let resumed = try Program.run(
      "play", "--resume", "last", "--data", "data", home: home, input: Data("resign\n".utf8))
    #expect(resumed.status == 0, "\(resumed.errors)")
  }

  @Test func theEndOfInputAtTheQuestionLeavesTheGame() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("\u{4}")
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(end.output.contains("\nThe game waits: `parlor play --resume "), "\(end.output.suffix(200))")
  }

  @Test func ctrlCAfterTheGameEndsIt() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("resign\n")
    try expect("Play again? [y/N] ", run)
    try run.type("\u{3}")
    #expect(try run.finish().status == 130)
  }
}

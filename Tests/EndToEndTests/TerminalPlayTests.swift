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
    try run.type("resign\nresign\n")
    try expect("Play again? [y/N] ", run)
    try run.type("y\n")
    try expect("Your move: ", times: 3, run)
    try run.type("resign\nresign\n")
    try expect("Play again? [y/N] ", times: 2, run)
    try run.type("n\n")
    #expect(try run.finish().status == 0)
    let rooms = try Program.run("log", "list", "--data", "data", "--json", home: home).objects()
    #expect(rooms.map { $0["status"] as? String } == ["finished", "finished"])
  }

  /// What is asked once can be thought over, and a slip of the fingers is seen as one.
  @Test func givingUpIsAskedOnce() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("quti\n")
    try expect("did you mean quit?", run)
    try run.type("resign\n")
    try expect("Give the game up? [y/N] ", run)
    try run.type("n\n")
    try expect("Your move: ", times: 3, run)
    try run.type("5\n")
    try expect("You played 5", run)
    try run.type("leave\n")
    try expect("Leave and lose the game? [y/N] ", run)
    #expect(try !run.output().contains("You lose"))
    try run.type("yes\n")
    let end = try run.finish()
    #expect(end.output.contains("You lose"), "\(end.output.suffix(300))")
  }

  /// The board after one's own move gives way to the one with the bot's answer.
  @Test func aTurnLeavesOneBoard() throws {
    let program = try #require(Program.path)
    let sitting = Sitting(
      run: try Dialogue(
        [
          "--quiet", "--return", "--command",
          "exec '\(program)' play connect-four --against greedy --seat first --data data", "/dev/null",
        ], home: home, program: Script.path, environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"]))
    for turn in 1...2 {
      try sitting.expect("Your move: ", times: turn)
      try sitting.run.type("4\n")
    }
    try sitting.expect("Your move: ", times: 3)
    let screen = try sitting.screen()
    #expect(screen.count { $0.contains("┌────┬") } == 3, "\(screen.joined(separator: "\n"))")
    #expect(screen.count { $0.contains("You played 4") } == 2)
    try sitting.run.type("quit\n")
    #expect(try sitting.run.finish().status == 0)
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
    #expect(
      end.output.contains("\nThe game waits") && end.output.contains(#/`parlor play --resume [0-9a-f]{10}/#),
      "\(end.output.suffix(200))")
    let resumed = try Program.run(
      "play", "--resume", "last", "--data", "data", home: home, input: Data("resign\nresign\n".utf8))
    #expect(resumed.status == 0, "\(resumed.errors)")
  }

  @Test func theEndOfInputAtTheQuestionLeavesTheGame() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("\u{4}")
    let end = try run.finish()
    #expect(end.status == 0)
    #expect(
      end.output.contains("\nThe game waits") && end.output.contains(#/`parlor play --resume [0-9a-f]{10}/#),
      "\(end.output.suffix(200))")
  }

  @Test func ctrlCAfterTheGameEndsIt() throws {
    let run = try play()
    try expect("Your move: ", run)
    try run.type("resign\nresign\n")
    try expect("Play again? [y/N] ", run)
    try run.type("\u{3}")
    #expect(try run.finish().status == 130)
  }
}

import Foundation
import TestKit
import Testing

/// `replay` on a terminal, where somebody steps through it.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct TerminalReplayTests {
  let home: TemporaryFolder

  /// Makes a room of two games, of five and six moves.
  init() throws {
    home = try TemporaryFolder()
    let match = try Program.run(
      "match", "tic-tac-toe", "--players", "solver,random", "--games", "2", "--seed", "3", "--data", "data",
      home: home)
    try #require(match.status == 0, "\(match.errors)")
  }

  /// Runs a line of a shell on a terminal; `PARLOR` stands for the program.
  private func start(
    _ line: String, _ environment: [String: String] = [:], shell: String = "/bin/sh"
  ) throws -> Dialogue {
    let program = try #require(Program.path)
    let command = "stty cols 120 rows 30; " + line.replacing("PARLOR", with: "'\(program)'")
    let terminal = ["TERM": "xterm-256color", "SHELL": shell].merging(environment) { _, new in new }
    return try Dialogue(
      ["--quiet", "--return", "--command", command, "/dev/null"], home: home, program: Script.path,
      environment: terminal)
  }

  private func replay(_ words: String = "", _ environment: [String: String] = [:]) throws -> Dialogue {
    let run = try start("exec PARLOR replay \(words) --data data", environment)
    try expect("q ends", run)
    return run
  }

  /// Waits until a text has been drawn so many times.
  private func expect(_ text: String, times: Int = 1, _ run: Dialogue) throws {
    try run.wait(for: "“\(text)”") { try run.output().components(separatedBy: text).count > times }
  }

  /// How many moves each game has.
  private func moves() throws -> [Int] {
    let objects = try Program.run("replay", "--json", "--data", "data", home: home).objects()
    let positions = objects.filter { $0["type"] as? String == "position" }
    return (1...2).map { game in positions.count { $0["game"] as? Int == game } - 1 }
  }

  @Test func somebodyStepsForwardsAndBackwards() throws {
    let counts = try moves()
    let run = try replay()
    #expect(try run.output().contains("Game 1, start:"))
    #expect(try run.output().contains("0/\(counts[0]):"))
    #expect(try run.output().contains("move 1:") == false)
    for (keys, shown) in [
      ("\u{1B}[C", "1/\(counts[0]):"), (" ", "2/\(counts[0]):"), ("n", "3/\(counts[0]):"),
      ("\n", "4/\(counts[0]):"),
    ] {
      try run.type(keys)
      try expect(shown, run)
    }
    for (keys, shown) in [
      ("\u{1B}OD", "3/\(counts[0]):"), ("p", "2/\(counts[0]):"), ("\u{7F}", "1/\(counts[0]):"),
      ("\u{1B}[H", "0/\(counts[0]):"), ("n", "1/\(counts[0]):"),
    ] {
      try run.type(keys)
      try expect(shown, times: 2, run)
    }
    // The other game, its end, and back over its edge.
    try run.type("\u{1B}[B")
    try expect("0/\(counts[1]):", run)
    try run.type("G")
    try expect("\(counts[1])/\(counts[1]):", run)
    #expect(try run.output().contains("agreed result"))
    try run.type("]n\u{1B}[Ap")
    try run.type("\u{1B}[F")
    try expect("\(counts[0])/\(counts[0]):", run)
    try run.type("n")
    try expect("0/\(counts[1]):", times: 2, run)
    // A sequence that comes in pieces, keys that mean nothing, bytes that are no keys.
    try run.type("\u{1B}")
    try run.type("[")
    try run.type("C")
    try expect("1/\(counts[1]):", run)
    try run.type("x\u{1B}[99;99~é\u{1B}[<0;1;1Mn")
    try expect("2/\(counts[1]):", run)
    try run.type("q")
    #expect(try run.finish().status == 0)
  }

  @Test(arguments: ["q", "\u{4}", "\u{3}"]) func theTerminalIsAsBefore(_ key: String) throws {
    let run = try start("trap : INT; PARLOR replay --data data; echo status $?; stty -a")
    try expect("q ends", run)
    try run.type("n")
    try expect("Game 1, move 1:", run)
    try run.type(key)
    let end = try run.finish()
    #expect(end.output.contains("\nstatus \(key == "\u{3}" ? 130 : 0)\r"), "\(end.output)")
    #expect(end.output.contains(" icanon "))
    #expect(end.output.contains(" echo "))
    // The last picture stays, without the keys.
    let last = try #require(end.output.components(separatedBy: "Game 1, move 1:").last)
    #expect(!last.contains("q ends"))
  }

  @Test func aRequestToEndGivesTheTerminalBack() throws {
    let run = try start(
      "sh -c 'echo process $$; exec PARLOR replay --data data'; echo status $?; stty -a"
        .replacing("PARLOR", with: try #require(Program.path)))
    try expect("q ends", run)
    let number = try #require(try run.output().firstMatch(of: #/process ([0-9]+)/#)).1
    kill(try #require(Int32(number)), SIGTERM)
    let end = try run.finish()
    #expect(end.output.contains("status 130"))
    #expect(end.output.contains(" icanon "))
  }

  /// Ctrl-Z gives the terminal to the shell, and `fg` goes on where it was.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "skipped: there is no bash"))
  func itCanBeStoppedAndGoesOn() throws {
    try home.write(
      "job",
      Data(
        """
        set -m
        '\(try #require(Program.path))' replay --data data
        echo stopped $?
        stty -a
        fg
        echo status $?
        stty -a

        """.utf8))
    let run = try start("exec bash job", shell: "/bin/bash")
    try expect("q ends", run)
    try run.type("n")
    let count = try moves()[0]
    try expect("1/\(count):", run)
    try run.type("\u{1A}")
    // The shell goes on at once, and has the replay go on too, drawn anew.
    try expect("stopped 148", run)
    try expect(" icanon ", run)
    try expect("1/\(count):", times: 2, run)
    try run.type("n")
    try expect("2/\(count):", run)
    try run.type("q")
    let end = try run.finish()
    #expect(end.output.contains("\nstatus 0\r"), "\(end.output)")
    #expect(end.output.components(separatedBy: " icanon ").count == 3, "\(end.output)")
  }

  @Test(arguments: [["NO_COLOR": "1"], ["LC_ALL": "C"]])
  func whoWantsNoColourOrHasNoSignsGetsNone(_ environment: [String: String]) throws {
    let run = try replay("", environment)
    try run.type("q")
    let output = try run.finish().output
    // Select Graphic Rendition (ECMA-48) is what sets colours.
    #expect((output.firstMatch(of: #/\u{1B}\[[0-9;]*m/#) == nil) == (environment["NO_COLOR"] != nil))
    #expect(output.contains(environment["LC_ALL"] == nil ? "← → step" : "left right step"))
  }

  /// The board and the moves up to it, at any size; what is typed besides is gone.
  @Test(arguments: [(36, 20), (80, 24), (120, 40)]) func aReplayFillsTheTerminal(_ columns: Int, _ rows: Int)
    throws
  {
    let count = try moves()[0]
    let sitting = try Sitting(
      command: "PARLOR replay --game 1 --data data; read line; echo \"read $line\"", home: home,
      size: (columns, rows))
    try sitting.wait("the start") { $0.contains("0/\(count): ← → step, q ends") }
    try sitting.run.type("xyz\n")
    try sitting.wait("the first move") { screen in
      screen.contains("1/\(count): ← → step, q ends") && screen.contains { $0.contains("move 1:") }
    }
    #expect(try sitting.screen()[0].hasPrefix("Tic-tac-toe, room "))
    try sitting.run.type("G")
    try sitting.wait("the end") { $0.contains("\(count)/\(count): ← → step, q ends") }
    try sitting.resize(columns: 60, rows: 22)
    try sitting.wait("another size") { $0.count == 22 && $0.contains("\(count)/\(count): ← → step, q ends") }
    try sitting.run.type("q")
    try sitting.wait("the first screen") {
      $0.contains { $0.contains("agreed") } && !$0.contains { $0.contains("q ends") }
    }
    try sitting.run.type("clean\n")
    #expect(try sitting.run.finish().status == 0)
    let terminal = try sitting.view.look(at: sitting.run)
    #expect(terminal.record.contains("read clean") && terminal.unknown.isEmpty, "\(terminal.record)")
    #expect(terminal.record.count { $0.contains("┌────┬") } == 1)
  }

  /// Where nobody can step, everything is printed as it always was.
  @Test func elsewhereEveryPositionIsPrinted() throws {
    let plain = try Program.run("replay", "--data", "data", home: home).output
    for (line, environment) in [
      ("exec PARLOR replay --data data </dev/null", ["NO_COLOR": "1"]),
      ("PARLOR replay --data data | cat", [:]),
      ("exec PARLOR replay --data data", ["TERM": "dumb"]),
      ("exec PARLOR replay --speed 1000 --data data", ["TERM": "dumb"]),
    ] {
      let run = try start(line, environment)
      let end = try run.finish()
      #expect(end.status == 0)
      // A terminal's cells are set in their columns.
      let text = end.output.replacing("\r\n", with: "\n").replacing(#/\u{1B}\[[0-9]+G/#, with: "")
      #expect(text == plain, "\(line)")
    }
    let one = try start("exec PARLOR replay --game 2 --at 1 --data data")
    #expect(try one.finish().output.contains("Game 2, move 1:"))
  }
}

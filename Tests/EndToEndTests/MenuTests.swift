import Foundation
import TestKit
import Testing

/// The program alone at a terminal, for somebody who has read nothing.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct MenuTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ columns: Int = 80, _ rows: Int = 24) throws -> Sitting {
    // Help is longer than the terminal, and nobody sits there to turn its pages.
    try Sitting(
      command: "exec PARLOR", home: home, environment: ["PARLOR_PAGER": "cat"], size: (columns, rows))
  }

  @Test(arguments: [(36, 20), (80, 24), (120, 40)]) func aGameIsFoundByNumbersAndWords(
    _ columns: Int, _ rows: Int
  ) throws {
    let sitting = try start(columns, rows)
    try sitting.wait("the menu") { screen in
      screen.contains { $0.contains("1  play ") } && screen.contains { $0.hasPrefix("Your choice:") }
    }
    try sitting.run.type("paly\n")
    try sitting.expectShown("did you mean play?")
    try sitting.run.type("99\n\n1\n")
    try sitting.expectShown("Othello")
    try sitting.run.type("othello\n")
    try sitting.wait("the game") { $0[0].hasPrefix("Othello — game ") && $0[rows - 1].hasSuffix(":") }
    try sitting.run.type("quit\n")
    #expect(try sitting.run.finish().status == 0)
    // What it did is a command that can be typed the next time.
    let terminal = try sitting.view.look(at: sitting.run)
    #expect(terminal.record.contains("`parlor play othello`"), "\(terminal.record)")
  }

  @Test(
    arguments: [
      ("6\nlist\n", "`parlor tournament list`", 0), ("7\n", "`parlor help`", 0), ("8\n", "Leave", 0),
      ("q\n", "Leave", 0),
      ("\u{4}", "Leave", 0), ("\u{3}", "Leave", 130), ("4\n\n", "Leave", 0),
      ("replay\n", "`parlor replay`", 66),
      ("join\n--evil\n", "`parlor join -- --evil`", 64), ("6\nrun\ntic-tac-toe\n", "Champion", 0),
    ] as [(String, String, Int32)])
  func everyChoiceLeadsSomewhere(_ typed: String, _ shows: String, _ status: Int32) throws {
    let sitting = try start()
    try sitting.expectShown("Your choice:")
    try sitting.run.type(typed)
    let end = try sitting.run.finish()
    #expect(end.output.contains(shows), "\(end.output)")
    #expect(end.status == status, "\(end.output)")
  }

  /// Without somebody who could answer there is help, as ever.
  @Test func elsewhereThereIsHelp() throws {
    let run = try Program.run(home: home)
    #expect(run.output.contains("parlor help") && !run.output.contains("Your choice"))
  }
}

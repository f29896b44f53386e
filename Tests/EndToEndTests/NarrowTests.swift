import Foundation
import TestKit
import Testing

/// What commands print at terminals of any size, in any locale: nothing is broken where the terminal ends, and letters
/// stand for what a locale lacks.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct NarrowTests {
  let home: TemporaryFolder

  /// Rooms of each kind: a match, a bracket, a Swiss tournament, and a game that waits.
  init() throws {
    home = try TemporaryFolder()
    for words in [
      "match connect-four --players greedy,random",
      "match tic-tac-toe --players greedy,random --games 4",
      "tournament run --game tic-tac-toe --entrants greedy,random,solver,lookahead:2",
      "tournament run --game tic-tac-toe --format swiss --entrants greedy,random,solver,lookahead:2",
      "play tic-tac-toe --seat first --against greedy",
    ] {
      let words = words.split(separator: " ").map(String.init) + ["--data", "d"]
      let run = try Program.start(words, home: home, input: Data("5\n".utf8)).finish()
      try #require(run.status == 0, "\(run.errors)")
    }
  }

  /// What is printed to be read, with the status that it ends with.
  private static let commands: [(String, Int32)] = [
    ("help", 0), ("help play", 0), ("help host", 0), ("help tournament run", 0), ("help bot check", 0),
    ("help log", 0), ("version", 0), ("games", 0), ("games prisoners-dilemma", 0), ("bots", 0),
    ("log list --data d", 0), ("log show last --data d", 0), ("log verify --data d", 0),
    ("log verify last --data d", 0), ("log export last --output x.parlor --data d", 0),
    ("log import x.parlor --data d", 0), ("log prune --to 1K --dry-run --data d", 0),
    ("replay last --data d </dev/null", 0), ("replay last --game 1 --at 1 --data d", 0),
    ("tournament list --data d", 0), ("tournament show --data d", 0), ("tournament standings --data d", 0),
    ("tournament bracket --data d", 0), ("tournament resume last --data d", 0),
    ("tournament run --game tic-tac-toe --entrants greedy,random,solver --data e", 0),
    ("match tic-tac-toe --players greedy,random --games 20 --data e", 0), ("ratings --data d", 0),
    ("solve tic-tac-toe 5", 0), ("doctor --data d", 0), ("peers --no-discovery --data d", 0),
    ("block --data d", 0), ("lobby --once --no-discovery --data d", 0), ("identity show --data d", 0),
    ("chat GHJKMN hello --no-discovery --data d", 66), ("play chess", 64), ("play", 64), ("paly", 64),
    ("log show ffff --data d", 66), ("log import none --data d", 66), ("sync 127.0.0.1:1 --data d", 69),
    ("play tic-tac-toe --plain --against solver --data d </dev/null", 0),
  ]

  /// Runs them one after the other at one terminal.
  private func terminal(_ size: (Int, Int), _ environment: [String: String]) throws -> TerminalEmulator {
    let lines = Self.commands.map { "PARLOR \($0.0); echo status $?" }.joined(separator: "; ")
    let sitting = try Sitting(
      command: lines, home: home, environment: ["PARLOR_PAGER": "cat"].merging(environment) { _, new in new },
      size: size)
    #expect(try sitting.run.finish().status == 0)
    let terminal = try sitting.view.look(at: sitting.run)
    let ends = terminal.record.filter { $0.hasPrefix("status ") }
    #expect(ends == Self.commands.map { "status \($0.1)" })
    return terminal
  }

  @Test(arguments: Effort.cases([(36, 20), (80, 24), (120, 40)], quick: 2))
  func nothingIsBrokenWhereTheTerminalEnds(_ columns: Int, _ rows: Int) throws {
    let terminal = try terminal((columns, rows), [:])
    #expect(terminal.unknown.isEmpty, "\(terminal.unknown)")
    for row in terminal.overrun {
      // A longer word, such as an id, and a command that can be pasted go on below; a terminal copies them whole.
      let isCommand = row.contains("`")
      #expect(isCommand || !row.trimmingCharacters(in: [" "]).contains(" "), "\(row)")
    }
    if columns == 36 { #expect(terminal.overrun.contains { !$0.contains("`") }, "no id was broken") }
  }

  /// What is drawn again and again is cut at the terminal's edge: sentences there are broken before.
  @Test(arguments: [36, 80]) func theLobbyIsReadToItsEnd(_ columns: Int) throws {
    let host = try NetworkRun(["host", "gomoku", "--name", "A host with a long name"], data: "h", home: home)
    let lobby = try Sitting("lobby --data l --connect \(try host.address())", home: home, size: (columns, 20))
    try lobby.expectShown("gomoku")
    try lobby.wait("the sentences") { screen in
      let text = screen.joined(separator: " ")
      return text.contains("`parlor join CODE --data l` takes a seat.") && text.contains("1 other peer here")
    }
    #expect(try lobby.view.look(at: lobby.run).overrun.isEmpty)
    try lobby.run.type("\u{3}")
    #expect(try lobby.run.finish().status == 130)
    host.run.kill9()
  }

  @Test(arguments: Effort.cases([["LC_ALL": "C"], ["LANG": "POSIX"], ["TERM": "linux"]], quick: 1))
  func lettersStandForWhatALocaleLacks(_ environment: [String: String]) throws {
    let terminal = try terminal((80, 24), environment)
    let record = terminal.record.joined(separator: "\n")
    let others = record.unicodeScalars.filter { !$0.isASCII }
    #expect(others.isEmpty, "\(String(String.UnicodeScalarView(others)))")
    for words in ["seat 1: X ", "O greedy", "0.5 : ", "+---+", "+- "] {
      #expect(record.contains(words), "\(words)")
    }
  }
}

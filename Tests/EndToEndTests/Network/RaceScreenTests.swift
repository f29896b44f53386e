import Foundation
import TestKit
import Testing

/// A tap race as its host, its players and onlookers see it, each at a terminal.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct RaceScreenTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: String) throws -> (host: Sitting, join: String) {
    let host = try Sitting(
      "host tap-race \(words) --no-join-code --name Hanna --data host", home: home, size: (120, 40))
    let address = try host.address()
    try host.expect("parlor join ")
    let code = try #require(try host.run.output().firstMatch(of: #/parlor join ([G-Z]{6})/#))
    return (host, "\(code.1) --connect \(address)")
  }

  private func sit(_ words: String, _ data: String, _ size: (Int, Int)) throws -> Sitting {
    try Sitting("\(words) --data \(data)", home: home, size: (columns: size.0, rows: size.1))
  }

  private func isShown(_ screen: [String], _ texts: String...) -> Bool {
    texts.allSatisfy { text in screen.contains { $0.contains(text) } }
  }

  /// The bars stand still with the time and the taps, what became of the race stands below, and nothing wraps.
  @Test(arguments: TerminalScreenTests.sizes) func aRaceFillsTheTerminal(_ columns: Int, _ rows: Int) throws {
    let (host, words) = try host("--taps 6 --races 2")
    let ada = try sit("join \(words) --name Ada", "Ada", (columns, rows))
    let bo = try sit("join \(words) --name Bo", "Bo", (columns, rows))
    for name in ["Ada", "Bo"] { try host.expect("\(name) (") }
    for player in [ada, bo] {
      try player.wait("the others, before the first race") {
        isShown($0, "PLACE", "Ada (", "Bo (") && $0[rows - 2] == "The host opens the next race."
          && $0.last == "The space bar taps; q leaves."
      }
    }
    try host.run.type("\n")
    try host.expectShown("First to 6 taps.")
    try host.resize(columns: columns, rows: rows)
    let onlooker = try sit("watch \(words)", "onlooker", (columns, rows))
    try ada.wait("the race") { isShown($0, "race 1 of 2", "First to 6 taps.", "0 of your taps.") }
    try ada.run.type("   x")
    for (sitting, foot) in [(host, ">"), (onlooker, "q ends"), (bo, "The space bar taps; q leaves.")] {
      try sitting.wait("three taps of Ada's") { screen in
        isShown(screen, "First to 6 taps.", "█", " s left") && screen.last == foot
          && screen.contains { $0.contains("Ada (") && $0.contains(" 3 ") && $0.contains("█") }
      }
    }
    #expect(try onlooker.screen()[rows - 2].hasPrefix("at most "))
    #expect(try ada.screen()[rows - 2].hasSuffix(" s left, 3 of your taps."))
    try bo.run.type(" ")
    // Else the race could be over before it has come.
    try host.wait("Bo's tap") { $0.contains { $0.contains("Bo (") && $0.contains(" 1 ") } }
    try ada.run.type("   ")
    for sitting in [host, ada, bo, onlooker] {
      try sitting.wait("who was first") { isShown($0, ") first, 6 taps.", "RANK", "Ada (") }
    }
    #expect(try isShown(ada.screen(), "Place 1, with 6 taps: 25 points.") && isShown(bo.screen(), "Place 2"))
    try onlooker.run.type("q")
    #expect(try onlooker.run.finish().status == 0)
    try host.run.type("next\n")
    try bo.wait("the second race") { isShown($0, "race 2 of 2", "0 of your taps.") }
    try ada.run.type("q")
    #expect(try ada.run.finish().status == 0)
    let terminal = try ada.view.look(at: ada.run)
    #expect(!terminal.isSecondShown && terminal.isCursorShown && terminal.unknown.isEmpty)
    #expect(isShown(terminal.picture, "Ada (", "Your score stays"))
    try bo.run.type("      ")
    for sitting in [host, bo] {
      #expect(try sitting.run.finish().status == 0)
      let terminal = try sitting.view.look(at: sitting.run)
      #expect(!terminal.isSecondShown && isShown(terminal.picture, "RANK", "Bo (", " wins with "))
    }
  }

  /// Ctrl-C leaves too, and says so in its status; another size is drawn at once.
  @Test func aPlayerResizesAndLeaves() throws {
    let (host, words) = try host("--seconds 60 --races 1")
    let ada = try sit("join \(words) --name Ada", "Ada", (80, 24))
    try host.expect("Ada (")
    try host.run.type("\n")
    try ada.expectShown("Most taps in 60 seconds.")
    try ada.resize(columns: 36, rows: 20)
    try ada.wait("the smaller screen") {
      $0.count == 20 && isShown($0, "Most taps", "s left, 0 of your taps.")
    }
    try ada.send(SIGINT)
    #expect(try ada.run.finish().status == 130)
    try host.run.type("quit\n")
    #expect(try host.run.finish().status == 0)
  }
}

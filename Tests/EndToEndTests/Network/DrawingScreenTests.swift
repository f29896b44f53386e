import Foundation
import TestKit
import Testing

/// A drawing game as its host and its players see it, each at a terminal.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct DrawingScreenTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func isShown(_ screen: [String], _ text: String) -> Bool { screen.contains { $0.contains(text) } }

  /// Whether dots of a drawing stand on a screen.
  private func isDrawnOn(_ screen: [String]) -> Bool {
    screen.contains { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } }
  }

  /// The sheet stands above what was guessed, for who draws, who guesses and the host, and stays to the end.
  @Test(arguments: TerminalScreenTests.sizes) func aDrawingFillsTheTerminal(_ columns: Int, _ rows: Int)
    throws
  {
    try home.write("words.txt", Data("tree\n".utf8))
    // Its address stands in one line.
    let host = try Sitting(
      "host drawing --words words.txt --drawings 1 --draw-seconds 300 --no-join-code --name Hanna --data host",
      home: home, size: (columns: 120, rows: 40))
    let address = try host.address()
    try host.expect("parlor join ")
    let code = try #require(try host.run.output().firstMatch(of: #/parlor join ([G-Z]{6})/#))
    let (ada, bo) = (
      try join("\(code.1) --connect \(address)", "Ada", columns, rows, host),
      try join("\(code.1) --connect \(address)", "Bo", columns, rows, host)
    )
    try host.run.type("\n")
    try ada.wait("the word") { isShown($0, "You draw: tree") && $0.last?.hasPrefix("Draw") == true }
    try bo.wait("the question") { isShown($0, "letters.") && $0.last == "Your guess:" }
    #expect(try !isDrawnOn(bo.screen()) && !isShown(bo.screen(), "tree"))
    try ada.run.type("line 0 0 1023 767\n")
    for sitting in [host, ada, bo] { try sitting.wait("the line") { isDrawnOn($0) } }
    try bo.run.type("bush\n")
    for sitting in [host, ada] { try sitting.wait("the guess") { isShown($0, "guesses “bush”") } }
    try bo.wait("the own guess") { isShown($0, "You guess “bush”.") && $0.last == "Your guess:" }
    try bo.run.type("TREE\n")
    try bo.expect("Right: ")
    try ada.expect("You drew it: ")
    for sitting in [host, ada, bo] { #expect(try sitting.run.finish().status == 0) }
  }

  private func join(
    _ words: String, _ name: String, _ columns: Int, _ rows: Int, _ host: Sitting
  ) throws -> Sitting {
    let player = try Sitting(
      "join \(words) --name \(name) --data \(name)", home: home, size: (columns: columns, rows: rows))
    try host.expect("\(name) (")
    return player
  }
}

import Foundation
import TestKit
import Testing

/// A game inside tmux, whose screens are what tmux says that they are: a terminal that nobody here has written.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Tmux.isThere, Tmux.missing))
struct TmuxTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aGameIsPlayedInTmux() throws {
    let program = try #require(Program.path)
    let tmux = try Tmux(
      "trap : INT; '\(program)' play tic-tac-toe --against greedy --seat first --data data; echo status $?;"
        + " read answer; echo read $answer; read end", columns: 80, rows: 24, home: home)
    func expectAsked(_ columns: Int, _ rows: Int, _ words: String...) throws {
      try tmux.wait("the question at \(columns) by \(rows), and \(words)") { screen in
        screen.count == rows && screen.last == "Your move:" && screen[rows - 2] == "It is your turn."
          && screen.count { $0.contains("┌────┬") } == 1
          && words.allSatisfy { text in screen.contains { $0.contains(text) } }
      }
    }
    try expectAsked(80, 24, "Tic-tac-toe — game ", "▸ 🐱 You  to move", "│ 7  │ 8  │ 9  │")
    // What stands around the pieces stands in its columns, however wide a terminal takes an emoji to be.
    try tmux.run("send-keys", "5", "Enter")
    try expectAsked(80, 24, "🐱 You played 5", "🐶 greedy played ")
    let row = try #require(try tmux.screen().first { $0.contains("│ 🐱 │") })
    #expect(row.firstMatch(of: #/^  │.{2,4}│ 🐱 │.{2,4}│/#) != nil, "\(row)")
    // Cursor keys, another size with half a line typed, and Ctrl-C.
    try tmux.run("send-keys", "Up")
    try tmux.wait("a chosen square") { $0.contains { $0.contains(">") && $0.contains("<│") } }
    try tmux.run("send-keys", "-l", "half a li")
    for (columns, rows) in [(36, 20), (120, 40)] {
      try tmux.run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
      try tmux.wait("\(columns) by \(rows)") { screen in
        screen.count == rows && screen.last == "Your move: half a li"
          && screen.contains { $0.contains("🐱 You played 5") }
      }
    }
    try tmux.run("send-keys", "C-c")
    try tmux.wait("the shell") { screen in
      screen.contains("status 130")
        && screen.contains { $0.contains("The game waits: `parlor play --resume ") }
        && screen.count { $0.contains("┌────┬") } == 1
    }
    // The shell reads what comes after, and nothing of the game.
    try tmux.run("send-keys", "clean", "Enter")
    try tmux.wait("the line") { $0.contains("read clean") }
  }
}

/// A server of tmux with one window, which ends with this value.
final class Tmux {
  static let path = "/usr/bin/tmux"
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
  static let missing: Comment = "there is no tmux: install it"

  private let home: TemporaryFolder

  /// Runs a line of a shell in a window of this size.
  init(_ line: String, columns: Int, rows: Int, home: TemporaryFolder) throws {
    self.home = home
    try run("new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", line)
  }

  deinit {
    do { try run("kill-server") } catch { Issue.record(error) }
  }

  /// A command of tmux.
  /// - Returns: what it printed.
  @discardableResult func run(_ words: String...) throws -> String {
    let arguments = ["-u", "-f", "/dev/null", "-S", home.file("tmux")] + words
    let end = try Dialogue(
      arguments, home: home, program: Self.path, environment: ["SHELL": "/bin/sh", "TERM": "xterm-256color"]
    ).finish()
    guard end.status == 0 else { throw Dialogue.Failure(description: "\(words): \(end.errors)") }
    return end.output
  }

  /// What the window shows, row by row without blanks at the ends.
  func screen() throws -> [String] {
    var rows = try run("capture-pane", "-p").components(separatedBy: "\n")
    if rows.last?.isEmpty == true { rows.removeLast() }
    return rows.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  /// Waits until the window shows something.
  func wait(_ what: String, until holds: ([String]) -> Bool) throws {
    let end = ContinuousClock.now + .seconds(120)
    while try !holds(screen()) {
      guard ContinuousClock.now < end else {
        throw Dialogue.Failure(description: "no \(what)\n\(try screen().joined(separator: "\n"))")
      }
      usleep(20_000)
    }
  }
}

import Foundation
import TestKit
import Testing

/// A run of the program at a terminal of its own, which speaks with others over the loopback.
struct Sitting {
  let run: Dialogue

  /// A run that has a terminal already.
  init(run: Dialogue) { self.run = run }

  /// - Parameter words: the command line, as a shell reads it.
  init(_ words: String, home: TemporaryFolder, environment: [String: String] = [:]) throws {
    let program = try #require(Program.path)
    let terminal = ["TERM": "xterm-256color", "SHELL": "/bin/sh"].merging(environment) { _, new in new }
    run = try Dialogue(
      [
        "--quiet", "--return", "--command",
        "exec '\(program)' \(words) --no-discovery --listen 127.0.0.1:0", "/dev/null",
      ], home: home, program: Script.path, environment: terminal)
  }

  /// Waits until something stands on the screen, so many times.
  func expect(_ text: String, times: Int = 1) throws {
    try run.wait(for: "“\(text)”") { try run.output().components(separatedBy: text).count > times }
  }

  /// Kills the program itself, whose signals script(1) would not pass on, and waits for its terminal to end, which is
  /// when the program is gone: what was killed has its folder for a moment still.
  func kill9() throws {
    let id = run.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    for child in children.split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGKILL) }
    _ = try run.finish()
  }

  /// Where it waits for others.
  func address() throws -> String {
    try expect("waits for others at ")
    let found = try #require(
      try run.output().firstMatch(of: #/waits for others at (127\.0\.0\.1:[0-9]+)\./#))
    return String(found.1)
  }

  /// The code of the game that it hosts.
  func code() throws -> String {
    try expect("Waiting for somebody to join")
    return String(try #require(try run.output().firstMatch(of: #/code ([G-Z]{6})/#)).1)
  }

  /// What the terminal shows now, row by row without what was scrolled away of blanks at the ends: the characters, and
  /// where line feeds, Cursor Up, Erase in Line and Erase in Page (ECMA-48) have put them.
  func screen() throws -> [String] {
    var rows: [[Character]] = [[]]
    var (row, column) = (0, 0)
    var text = Substring(try run.output())
    while let character = text.popFirst() {
      switch character {
      case "\r\n", "\n":
        if character == "\r\n" { column = 0 }
        row += 1
        if row == rows.count { rows.append([]) }
      case "\r": column = 0
      case "\u{1B}":
        guard let code = text.prefixMatch(of: #/\[(\??[0-9;]*)([A-Za-z])/#) else { continue }
        text = text[code.range.upperBound...]
        switch code.2 {
        case "A": row = max(0, row - (Int(code.1) ?? 1))
        case "J":
          rows.removeLast(rows.count - row - 1)
          fallthrough
        case "K": rows[row].removeLast(max(0, rows[row].count - column))
        default: break
        }
      default:
        while rows[row].count <= column { rows[row].append(" ") }
        rows[row][column] = character
        column += 1
      }
    }
    return rows.map { String($0) }
  }
}

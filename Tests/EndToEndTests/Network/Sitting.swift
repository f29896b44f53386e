import Foundation
import Terminal
import TestKit
import Testing

/// A run of the program at a terminal of its own, which speaks with others over the loopback.
struct Sitting {
  let run: Dialogue
  /// Of a terminal that does not say its size, all that was written is seen.
  let view: TerminalView

  /// A run that has a terminal already, which does not say its size.
  init(run: Dialogue) {
    self.run = run
    view = TerminalView(columns: 250, rows: 1000)
  }

  /// A person at a game over the loopback, at a terminal that does not say its size unless it is given one.
  /// - Parameter words: the command line, as a shell reads it.
  init(
    _ words: String, home: TemporaryFolder, environment: [String: String] = [:],
    size: (columns: Int, rows: Int)? = nil
  ) throws {
    try self.init(
      command: "exec PARLOR \(words) --no-discovery --listen 127.0.0.1:0", home: home,
      environment: environment,
      size: size)
  }

  /// A line of a shell at a terminal; `PARLOR` stands for the program.
  init(
    command: String, home: TemporaryFolder, environment: [String: String] = [:],
    size: (columns: Int, rows: Int)? = nil
  ) throws {
    let program = try #require(Program.path)
    let terminal = ["TERM": "xterm-256color", "SHELL": "/bin/sh"].merging(environment) { _, new in new }
    let stty = size.map { "stty cols \($0.columns) rows \($0.rows); " } ?? ""
    run = try Dialogue(
      [
        "--quiet", "--return", "--command", stty + command.replacing("PARLOR", with: "'\(program)'"),
        "/dev/null",
      ],
      home: home, program: Script.path, environment: terminal)
    view = TerminalView(columns: size?.columns ?? 250, rows: size?.rows ?? 1000)
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

  /// What the terminal shows now, row by row without blanks at the ends.
  func screen() throws -> [String] { try view.look(at: run).picture }

  /// Waits until the terminal shows something.
  func wait(_ what: String, until holds: ([String]) -> Bool) throws {
    do { try run.wait(for: what, pollMicroseconds: 5000) { holds(try screen()) } } catch {
      throw Dialogue.Failure(description: "\(error)\n\(try screen().joined(separator: "\n"))")
    }
  }

  /// Waits until a text stands on the screen.
  func expectShown(_ text: String) throws { try wait("“\(text)”") { $0.contains { $0.contains(text) } } }

  /// The process that plays, and its terminal.
  private func player() throws -> (id: Int32, terminal: String) {
    let id = run.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    let child = try #require(children.split(separator: " ").compactMap { Int32($0) }.first)
    return (child, try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/fd/0"))
  }

  /// Sends the program a signal.
  func send(_ signal: Int32) throws { kill(try player().id, signal) }

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) throws {
    _ = try view.look(at: run)
    view.terminal.resize(columns: columns, rows: rows)
    let stty = try ChildProcess(
      ["/bin/stty", "-F", try player().terminal, "cols", "\(columns)", "rows", "\(rows)"])
    #expect(stty.terminationStatus == 0)
  }
}

/// A terminal that shows what a run has written so far.
final class TerminalView {
  var terminal: TerminalEmulator
  private var seen = 0

  init(columns: Int, rows: Int) {
    terminal = TerminalEmulator(columns: columns, rows: rows) { DisplayWidth.columns(of: $0) }
  }

  /// The terminal after all that the run has written.
  func look(at run: Dialogue) throws -> TerminalEmulator {
    let bytes = try run.outputBytes().dropFirst(seen)
    // The last character may have come in part.
    for cut in 0...3 where cut <= bytes.count {
      guard let text = String(validating: bytes.dropLast(cut), as: UTF8.self) else { continue }
      terminal.write(text)
      seen += bytes.count - cut
      break
    }
    return terminal
  }
}

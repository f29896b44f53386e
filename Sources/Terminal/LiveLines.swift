/// Lines on a terminal that are drawn again and again in one place. Only where the cursor can be moved.
package struct LiveLines: Sendable {
  private var rows = 0

  /// Nothing is drawn yet; the first lines begin where the cursor stands.
  package init() {}

  /// Draws lines in the place of those before; one that is wider than the terminal is cut there.
  package mutating func draw(_ lines: [String], on console: Console) throws(ConsoleError) {
    // ECMA-48: Cursor Up, Erase in Line, Erase in Page. The private mode 7 of DEC's terminals: no line takes two rows.
    let up = rows > 1 ? "\u{1B}[\(rows - 1)A" : ""
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
    try console.prompt("\r\(up)\u{1B}[?7l\(text)\u{1B}[J\u{1B}[?7h")
    rows = lines.count
  }

  /// Leaves what is drawn where it is; what is drawn next stands below.
  package mutating func leave(_ console: Console) throws(ConsoleError) {
    guard rows > 0 else { return }
    rows = 0
    try console.prompt("\n")
  }

  /// Forgets what is drawn, because others have written since.
  package mutating func forget() { rows = 0 }
}

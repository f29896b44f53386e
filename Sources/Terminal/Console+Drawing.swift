import Platform

// Lines on a terminal that are drawn again and again in one place.

extension Console {
  /// Draws lines on standard output in the place of those that the call before drew; one that is wider than the
  /// terminal is cut there. What is written meanwhile comes above them. Where the cursor cannot be moved, each call
  /// writes its lines below those of the one before.
  /// - Parameter lines: at most as many as the terminal has rows (`Channel.rows`).
  package func draw(_ lines: [String]) throws(ConsoleError) {
    guard output.movesCursor else { return try self.lines(lines) }
    clearStatus()
    try shown.withLock { shown throws(ConsoleError) in
      let before = shown.drawn
      // Where nothing is drawn and nothing is to be, what others have written in this line stays.
      if before.isEmpty, lines.isEmpty { return }
      shown.drawn = lines
      try Self.send(Self.goBack(over: before) + Self.drawing(of: lines), to: output)
    }
  }

  /// Leaves what is drawn where it is; what comes next stands below.
  package func leaveDrawing() throws(ConsoleError) {
    try shown.withLock { shown throws(ConsoleError) in
      guard !shown.drawn.isEmpty else { return }
      shown.drawn = []
      try Self.send("\n", to: output)
    }
  }

  /// Forgets what is drawn, because other processes have written since.
  package func forgetDrawing() { shown.withLock { $0.drawn = [] } }

  /// A text, and below it again what is drawn.
  static func above(_ lines: [String], _ text: String) -> String {
    // ECMA-48: Erase in Page.
    "\(goBack(over: lines))\u{1B}[J\(text)\(drawing(of: lines))"
  }

  /// Goes to the first of lines in whose last one the cursor stands (ECMA-48: Cursor Up).
  private static func goBack(over lines: [String]) -> String {
    lines.count > 1 ? "\r\u{1B}[\(lines.count - 1)A" : "\r"
  }

  /// ECMA-48: Erase in Line, Erase in Page. The private mode 7 of DEC's terminals: no line takes two rows.
  private static func drawing(of lines: [String]) -> String {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
    return "\u{1B}[?7l\(text)\u{1B}[J\u{1B}[?7h"
  }
}

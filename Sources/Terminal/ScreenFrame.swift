/// What a whole terminal shows: its rows, and where the cursor stands.
///
/// A frame is made by a function from what is to be shown (`TableScreen.frame`), and `changes` writes the difference
/// between two of them.
package struct ScreenFrame: Hashable, Sendable {
  /// The rows from the top, with styles, none wider than the terminal.
  package var rows: [String]
  /// Where the cursor stands, both from 0.
  package var cursor: (row: Int, column: Int) { (cursorRow, cursorColumn) }

  private var cursorRow: Int
  private var cursorColumn: Int

  /// A frame of these rows.
  package init(rows: [String], cursor: (row: Int, column: Int)) {
    self.rows = rows
    (cursorRow, cursorColumn) = cursor
  }

  /// What has a terminal that shows a frame show this one: rows that differ are written again, each whole, so that
  /// nothing depends on how wide the terminal draws a character (ECMA-48: Cursor Position, Erase in Line; the mode 25
  /// of DEC's terminals hides the cursor meanwhile).
  /// - Parameter before: what it shows; `nil` when that is not known.
  package func changes(after before: ScreenFrame?) -> String {
    var text = ""
    let known = before.flatMap { $0.rows.count == rows.count ? $0 : nil }
    if known == nil { text += "\u{1B}[2J" }
    for (index, row) in rows.enumerated() where known?.rows[index] != row {
      text += Self.place(row: index, column: 0) + "\u{1B}[2K" + row
    }
    guard !text.isEmpty || known?.cursor ?? (-1, -1) != cursor else { return "" }
    return "\u{1B}[?25l\(text)\(Self.place(row: cursorRow, column: cursorColumn))\u{1B}[?25h"
  }

  private static func place(row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}

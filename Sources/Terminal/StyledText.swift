/// One line of text with styles in it (ECMA-48, Select Graphic Rendition), which can be measured, cut and broken.
///
/// Other escape sequences and control characters are left out.
struct StyledText: Hashable, Sendable {
  /// A character with the marks over it.
  private struct Cell: Hashable {
    var text: String
    var columns: Int
    /// The sequences that set its style; empty for none.
    var style: String

    var isSpace: Bool { text == " " }
  }

  private var cells: [Cell]

  /// The text with the styles that stand in it.
  init(_ text: some StringProtocol) {
    cells = []
    var style = ""
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        Self.take(&rest, &style)
      } else if DisplayWidth.columns(of: scalar) > 0 {
        cells.append(Cell(text: String(scalar), columns: DisplayWidth.columns(of: scalar), style: style))
      } else if !cells.isEmpty, Self.isMark(scalar) {
        cells[cells.count - 1].text.unicodeScalars.append(scalar)
      }
    }
  }

  private init(_ cells: some Sequence<Cell>) { self.cells = Array(cells) }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    DisplayWidth.isJoiningJamo(scalar)
      || [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }

  /// Takes the rest of an escape sequence, and from it the style that holds from there on.
  private static func take(_ rest: inout Substring.UnicodeScalarView, _ style: inout String) {
    guard rest.first == "[" else { return }
    rest.removeFirst()
    var parameters = ""
    while let scalar = rest.popFirst() {
      if (0x20...0x3F).contains(scalar.value) {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      guard scalar == "m" else { return }
      style = parameters.isEmpty || parameters == "0" ? "" : "\(style)\u{1B}[\(parameters)m"
      return
    }
  }

  /// The columns that it takes up on a terminal.
  var columns: Int { cells.reduce(0) { $0 + $1.columns } }

  /// Whether nothing of it shows.
  var isEmpty: Bool { cells.isEmpty }

  /// The text with its styles, none of which goes on behind it.
  var text: String {
    var text = ""
    var style = ""
    for cell in cells {
      if cell.style != style {
        text += (style.isEmpty ? "" : "\u{1B}[0m") + cell.style
        style = cell.style
      }
      text += cell.text
    }
    return style.isEmpty ? text : text + "\u{1B}[0m"
  }

  /// The text without what is beyond so many columns; “…” ends what was cut.
  func cut(to limit: Int) -> StyledText {
    guard columns > limit, limit > 0 else { return limit > 0 ? self : StyledText([Cell]()) }
    var (kept, used) = ([Cell](), 0)
    for cell in cells {
      guard used + cell.columns < limit else { break }
      kept.append(cell)
      used += cell.columns
    }
    return StyledText(kept + [Cell(text: "…", columns: 1, style: "")])
  }

  /// Lines of at most so many columns, at least one: broken at spaces, and within a word that is wider.
  func wrapped(to limit: Int) -> [StyledText] {
    let limit = max(2, limit)
    var lines: [StyledText] = []
    var rest = cells[...]
    while true {
      var (end, used) = (rest.startIndex, 0)
      while end < rest.endIndex, used + rest[end].columns <= limit {
        used += rest[end].columns
        end += 1
      }
      guard end < rest.endIndex else {
        lines.append(StyledText(rest))
        return lines
      }
      let space = rest[end].isSpace ? end : rest[..<end].lastIndex { $0.isSpace }
      // A line that begins with spaces is broken behind them.
      let isBreak = space.map { rest[..<$0].contains { !$0.isSpace } } == true
      let line = rest[..<(isBreak ? space ?? end : end)]
      lines.append(StyledText(line))
      rest = rest[line.endIndex...].drop { $0.isSpace }
    }
  }

  /// Lines of at most so many columns, broken at spaces behind the indent that the text has; a longer word, and what
  /// stands in backquotes, is not broken.
  func brokenAtSpaces(to limit: Int) -> [StyledText] {
    guard columns > limit else { return [self] }
    let indent = min(cells.prefix { $0.isSpace }.count, limit / 2)
    let margin = Array(repeating: Cell(text: " ", columns: 1, style: ""), count: indent)
    var (lines, line, used) = ([StyledText](), [Cell](), 0)
    for word in words {
      let width = word.reduce(0) { $0 + $1.columns }
      if used + width > limit, line.contains(where: { !$0.isSpace }) {
        lines.append(StyledText(line))
        let bare = word.drop { $0.isSpace }
        (line, used) = (margin + bare, indent + bare.reduce(0) { $0 + $1.columns })
      } else {
        line += word
        used += width
      }
    }
    return lines + [StyledText(line)]
  }

  /// The words, each with the spaces before it.
  private var words: [ArraySlice<Cell>] {
    let keepsCommands = cells.count { $0.text == "`" } % 2 == 0
    var (words, start, isInside) = ([ArraySlice<Cell>](), 0, false)
    for index in cells.indices {
      if keepsCommands, cells[index].text == "`" { isInside.toggle() }
      guard index > start, !isInside, cells[index].isSpace, !cells[index - 1].isSpace else { continue }
      words.append(cells[start..<index])
      start = index
    }
    return words + [cells[start...]]
  }
}

package import Rules

/// A square of a board, by its row from the top and its column from the left, both from 0.
package struct BoardSquare: Hashable, Sendable {
  /// The row.
  package var row: Int
  /// The column.
  package var column: Int

  /// The square there.
  package init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
}

/// Draws a `Diagram` as lines of text, every cell equally wide on the terminal.
///
/// A board is drawn in frames with what can be typed in its empty cells. Where that is too wide, it is drawn compact
/// (`CompactLayout`): pieces, dots for empty cells, and the labels around them.
package struct BoardDrawing: Sendable {
  /// The most rows that get a rule between each two; a taller board would not fit a terminal of 24 lines.
  package static let limitRuledRows = 10

  private let pieces: [SafeText]
  private let names: [String]
  let drawing: Drawing
  let setsColumns: Bool
  let indent: Int
  let limitColumns: Int
  let limitRows: Int
  let selected: BoardSquare?
  private let explainsLetters: Bool
  private var sides: [Seat] = []

  /// A way to draw boards.
  ///
  /// - Parameter pieces: what stands for each seat, such as an emoji; a seat without one gets a letter, and
  ///   so does a piece beyond ASCII where only ASCII shows.
  /// - Parameter names: who sits where, for the text under the board; numbers where there is none.
  /// - Parameter setsColumns: whether each cell's end is also set by an escape sequence (ECMA-48, Cursor
  ///   Character Absolute), so that a terminal that draws an emoji at another width still shows straight
  ///   lines. Only for lines that go to a terminal from its left edge on.
  /// - Parameter indent: columns left free at the left.
  /// - Parameter limitColumns: the width that there is, with the indent; a board that is wider is drawn compact.
  /// - Parameter limitRows: the height that there is for the board; a taller one is drawn without rules, or compact.
  /// - Parameter selected: the square that is about to be played.
  /// - Parameter explainsLetters: whether a line under the board says which letters stand for which pieces, where there
  ///   is no room for the pieces.
  package init(
    pieces: [String], names: [String] = [], drawing: Drawing = Drawing(), setsColumns: Bool = false,
    indent: Int = 0, limitColumns: Int = 80, limitRows: Int = .max, selected: BoardSquare? = nil,
    explainsLetters: Bool = true
  ) {
    self.explainsLetters = explainsLetters
    self.names = names
    self.pieces = pieces.map { SafeText($0, limitColumns: 4) }
    self.drawing = drawing
    self.setsColumns = setsColumns
    self.indent = max(0, indent)
    self.limitColumns = limitColumns
    self.limitRows = limitRows
    self.selected = selected
  }

  /// The picture's lines: the board, labels beside its rows and under its columns, the text under it. No board: the
  /// text alone.
  package func lines(_ diagram: Diagram) -> [String] {
    var own = self
    own.sides = diagram.sides
    return own.allLines(diagram)
  }

  private func allLines(_ diagram: Diagram) -> [String] {
    let width = diagram.board.reduce(0) { max($0, $1.count) }
    let text = diagram.lines.map { margin + SafeText($0.text(names: names)).text }
    guard width > 0 else { return text }
    let content = contentColumns(diagram)
    let left = rowLabelColumns(diagram)
    guard isFramed(diagram, width: width, content: content, left: left) else {
      let letters = explainsLetters ? letters(in: diagram) : []
      let words = letters.map { "\($0.letter) is \($0.piece)" }.joined(separator: ", ")
      let legend = words.isEmpty ? [] : [margin + SafeText(words, limitColumns: limitColumns - indent).text]
      return compactLines(diagram, width: width) + legend + text
    }
    let gap = String(repeating: " ", count: left)
    let isRuled = isRuled(diagram)
    var lines = [gap + rule(drawing.lines.top, width: width, content: content)]
    for (index, row) in diagram.board.enumerated() {
      if index > 0, isRuled {
        lines.append(gap + rule(drawing.lines.inner, width: width, content: content))
      }
      let label = rowLabel(index, of: diagram, columns: left)
      lines.append(label + line(row, index, width: width, content: content, start: indent + left))
    }
    lines.append(gap + rule(drawing.lines.bottom, width: width, content: content))
    if !diagram.columnLabels.isEmpty {
      lines.append(labels(diagram.columnLabels, content: content, gap: gap))
    }
    return lines.map { margin + $0 } + text
  }

  /// Whether the board is drawn in frames: it is neither too wide nor too tall for that.
  private func isFramed(_ diagram: Diagram, width: Int, content: Int, left: Int) -> Bool {
    let rows = diagram.board.count + 2 + (diagram.columnLabels.isEmpty ? 0 : 1)
    return indent + left + (content + 3) * width < limitColumns && rows <= limitRows
  }

  /// Whether a position's board is drawn in frames.
  func isFramed(_ diagram: Diagram) -> Bool {
    let width = diagram.board.reduce(0) { max($0, $1.count) }
    var own = self
    own.sides = diagram.sides
    return own.isFramed(
      diagram, width: width, content: own.contentColumns(diagram), left: rowLabelColumns(diagram))
  }

  /// Whether rules stand between the rows of a board in frames.
  private func isRuled(_ diagram: Diagram) -> Bool {
    let rows = diagram.board.count * 2 + 1 + (diagram.columnLabels.isEmpty ? 0 : 1)
    return diagram.board.count <= Self.limitRuledRows && rows <= limitRows
  }

  /// The square that is drawn at a place of the picture, both from 0; `nil` beside the squares.
  package func square(atLine line: Int, column: Int, of diagram: Diagram) -> BoardSquare? {
    let width = diagram.board.reduce(0) { max($0, $1.count) }
    guard width > 0, line >= 0 else { return nil }
    let (content, left) = (contentColumns(diagram), rowLabelColumns(diagram))
    let across = column - indent - left
    let square: BoardSquare
    if isFramed(diagram, width: width, content: content, left: left) {
      let isRule = line == 0 || isRuled(diagram) && line % 2 == 0
      guard !isRule, across > 0, across % (content + 3) != 0 else { return nil }
      square = BoardSquare(row: (line - 1) / (isRuled(diagram) ? 2 : 1), column: across / (content + 3))
    } else {
      guard across >= 0 else { return nil }
      square = BoardSquare(row: line, column: across / compactLayout(diagram, width: width).pitch)
    }
    return square.row < diagram.board.count && square.column < width ? square : nil
  }

  var margin: String { String(repeating: " ", count: indent) }

  /// What stands for a seat: its piece, or a letter where that cannot be shown.
  func piece(_ seat: Seat, isLetter: Bool = false) -> SafeText {
    if seat.index < pieces.count {
      let piece = pieces[seat.index]
      let isPlain = drawing.hasUnicode || piece.text.utf8.allSatisfy { $0 < 0x80 }
      if isPlain, isLetter ? piece.columns == 1 : piece.columns > 0 { return piece }
    }
    let letters = Array("XOABCDEFGHIJKLMNPQRSTUVWYZ")
    let side = sides.firstIndex(of: seat) ?? seat.index
    return SafeText(String(letters[side % letters.count]))
  }

  /// The letters that stand on the board for pieces for which it has no room, in the order of seats; none where it has.
  func letters(in diagram: Diagram) -> [(piece: String, letter: String)] {
    let width = diagram.board.reduce(0) { max($0, $1.count) }
    guard width > 0, !isFramed(diagram), compactLayout(diagram, width: width).hasLetters else { return [] }
    var own = self
    own.sides = diagram.sides
    return pieces.indices.compactMap { index in
      let seat = Seat(UInt16(clamping: index))
      let (piece, letter) = (own.piece(seat).text, own.piece(seat, isLetter: true).text)
      return piece == letter ? nil : (piece, letter)
    }
  }

  /// What stands for a seat in a position.
  package func piece(of seat: Seat, in diagram: Diagram) -> SafeText {
    var own = self
    own.sides = diagram.sides
    return own.piece(seat)
  }

  /// The columns of the widest thing in any cell, without the space on both sides.
  private func contentColumns(_ diagram: Diagram) -> Int {
    let cells = diagram.board.joined().map { cell in
      switch cell {
      case .empty: 0
      case .playable(let text): SafeText(text, limitColumns: 4).columns
      case .piece(let seat), .marked(let seat): piece(seat).columns
      case .face(let text, let emoji, _): face(text, emoji).columns
      }
    }
    let labels = diagram.columnLabels.map { SafeText($0, limitColumns: 4).columns }
    return max(1, pieceColumns, (cells + labels).max() ?? 1)
  }

  /// The columns of the widest piece.
  var pieceColumns: Int {
    pieces.indices.map { piece(Seat(UInt16(clamping: $0))).columns }.max() ?? 1
  }

  private func rule(_ corners: (left: String, middle: String, right: String), width: Int, content: Int)
    -> String
  {
    let part = String(repeating: drawing.lines.horizontal, count: content + 2)
    let rule = Array(repeating: part, count: width).joined(separator: corners.middle)
    return drawing.paint(corners.left + rule + corners.right, .dim)
  }

  private func line(_ row: [Diagram.Cell], _ index: Int, width: Int, content: Int, start: Int) -> String {
    let bar = drawing.paint(drawing.lines.vertical, .dim)
    var text = bar
    for column in 0..<width {
      let cell = column < row.count ? row[column] : .empty
      text += isSelected(index, column) ? chosen(cell, content: content) : self.text(cell, content: content)
      // Columns count from 1 here; a cell takes its content, a space on both sides and the bar before it.
      if setsColumns { text += "\u{1B}[\(start + (column + 1) * (content + 3) + 1)G" }
      text += bar
    }
    return text
  }

  func isSelected(_ row: Int, _ column: Int) -> Bool { selected == BoardSquare(row: row, column: column) }

  /// A square that is about to be played: between signs that also show where there are no styles.
  private func chosen(_ cell: Diagram.Cell, content: Int) -> String {
    let inner =
      switch cell {
      case .empty: ""
      case .playable(let text): text
      case .piece(let seat), .marked(let seat): piece(seat).text
      case .face(let text, let emoji, _): face(text, emoji).text
      }
    return drawing.paint(">\(DisplayWidth.fit(inner, columns: content, align: .center))<", .cyan, .inverse)
  }

  private func text(_ cell: Diagram.Cell, content: Int) -> String {
    switch cell {
    case .empty: return String(repeating: " ", count: content + 2)
    case .playable(let text):
      return drawing.paint(DisplayWidth.fit(text, columns: content + 2, align: .center), .cyan)
    case .piece(let seat):
      return DisplayWidth.fit(piece(seat).text, columns: content + 2, align: .center)
    case .marked(let seat): return marked(piece(seat), content: content)
    case .face(let text, let emoji, let isMarked):
      let face = face(text, emoji)
      return isMarked
        ? marked(face, content: content) : DisplayWidth.fit(face.text, columns: content + 2, align: .center)
    }
  }

  private func marked(_ piece: SafeText, content: Int) -> String {
    let inner = DisplayWidth.fit(piece.text, columns: content, align: .center)
    return drawing.hasStyles ? drawing.paint(" \(inner) ", .inverse) : "[\(inner)]"
  }

  /// What stands for a face: its emoji, or its text where that cannot be shown.
  func face(_ text: String, _ emoji: String) -> SafeText {
    SafeText(drawing.hasUnicode && !emoji.isEmpty ? emoji : text, limitColumns: 4)
  }

  private func labels(_ labels: [String], content: Int, gap: String) -> String {
    let fields = labels.map {
      DisplayWidth.fit(SafeText($0, limitColumns: 4).text, columns: content + 2, align: .center)
    }
    return drawing.paint(Self.trimmed(gap + " " + fields.joined(separator: " ")), .dim)
  }

  private static func trimmed(_ text: String) -> String {
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end])
  }

  /// The columns of the labels beside the rows and of the space behind them; 0 without labels.
  func rowLabelColumns(_ diagram: Diagram) -> Int {
    let columns = diagram.rowLabels.map { SafeText($0, limitColumns: 4).columns }
    return columns.max().map { $0 + 1 } ?? 0
  }

  func rowLabel(_ row: Int, of diagram: Diagram, columns: Int) -> String {
    guard columns > 0 else { return "" }
    let label = row < diagram.rowLabels.count ? SafeText(diagram.rowLabels[row], limitColumns: 4).text : ""
    return drawing.paint(DisplayWidth.fit(label, columns: columns - 1, align: .trailing), .dim) + " "
  }
}

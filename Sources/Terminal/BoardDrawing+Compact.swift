import Rules

extension BoardDrawing {
  /// How wide the cells of a compact board are.
  struct CompactLayout {
    /// Whether letters stand for all pieces.
    var hasLetters: Bool
    /// Columns of a piece.
    var piece: Int
    /// Spaces before each piece: one, or none where not even that fits.
    var space: Int

    var pitch: Int { piece + space }
  }

  /// How a board that is too wide or too tall for frames is laid out.
  func compactLayout(_ diagram: Diagram, width: Int) -> CompactLayout {
    let left = rowLabelColumns(diagram)
    let labels = diagram.columnLabels.map { SafeText($0, limitColumns: 4).columns }.max() ?? 0
    let layouts = [
      CompactLayout(hasLetters: false, piece: max(pieceColumns, labels), space: 1),
      CompactLayout(hasLetters: false, piece: pieceColumns, space: 1),
      CompactLayout(hasLetters: true, piece: 1, space: 1),
    ]
    // One column more: a mark's closing bracket.
    return layouts.first { indent + left + $0.pitch * width + 1 <= limitColumns }
      ?? CompactLayout(hasLetters: true, piece: 1, space: 0)
  }

  /// A board that is too wide or too tall for frames: as wide as fits, of letters without spaces at the least.
  func compactLines(_ diagram: Diagram, width: Int) -> [String] {
    let left = rowLabelColumns(diagram)
    let layout = compactLayout(diagram, width: width)
    var lines = diagram.board.enumerated().map { index, row in
      rowLabel(index, of: diagram, columns: left)
        + compactLine(row, index, width: width, layout: layout, start: indent + left)
    }
    if !diagram.columnLabels.isEmpty {
      lines.append(compactLabels(diagram.columnLabels, layout: layout, left: left))
    }
    return lines.map { margin + $0 }
  }

  private func compactLine(
    _ row: [Diagram.Cell], _ index: Int, width: Int, layout: CompactLayout, start: Int
  ) -> String {
    var text = ""
    // What closes the brackets around the cell before.
    var closing = " "
    for column in 0..<width {
      let cell = column < row.count ? row[column] : .empty
      let isChosen = isSelected(index, column)
      let hasBrackets = layout.space > 0 && (isChosen || !drawing.hasStyles && isMarked(cell))
      if layout.space > 0 { text += hasBrackets ? isChosen ? ">" : "[" : closing }
      closing = hasBrackets ? isChosen ? "<" : "]" : " "
      text += compactText(cell, isChosen: isChosen, layout: layout)
      if setsColumns { text += "\u{1B}[\(start + (column + 1) * layout.pitch + 1)G" }
    }
    return text + (layout.space == 0 ? "" : closing)
  }

  private func compactText(_ cell: Diagram.Cell, isChosen: Bool, layout: CompactLayout) -> String {
    switch cell {
    case .empty, .playable:
      let dot = DisplayWidth.fit(drawing.hasUnicode ? "·" : ".", columns: layout.piece, align: .center)
      return isChosen ? drawing.paint(dot, .cyan, .inverse) : drawing.paint(dot, .dim)
    case .piece(let seat), .marked(let seat):
      return compactText(piece(seat, isLetter: layout.hasLetters), isMarked(cell) || isChosen, layout: layout)
    case .face(let text, let emoji, let isMarked):
      let emoji = self.face(text, emoji)
      let face = emoji.columns <= layout.piece ? emoji : SafeText(text, limitColumns: layout.piece)
      return compactText(face, isMarked || isChosen, layout: layout)
    }
  }

  private func compactText(_ piece: SafeText, _ isMarked: Bool, layout: CompactLayout) -> String {
    let text = DisplayWidth.fit(piece.text, columns: layout.piece, align: .center)
    return isMarked ? drawing.paint(text, .inverse) : text
  }

  private func isMarked(_ cell: Diagram.Cell) -> Bool {
    switch cell {
    case .marked, .face(_, _, isMarked: true): true
    default: false
    }
  }

  /// The labels under the columns, without those that would touch the one before.
  private func compactLabels(_ labels: [String], layout: CompactLayout, left: Int) -> String {
    var text = ""
    for (column, label) in labels.enumerated() {
      let label = SafeText(label, limitColumns: 4)
      let start = left + column * layout.pitch + layout.space + max(0, layout.piece - label.columns) / 2
      let used = DisplayWidth.columns(of: text)
      guard column == 0 || start > used else { continue }
      text += String(repeating: " ", count: max(0, start - used)) + label.text
    }
    return drawing.paint(text, .dim)
  }
}

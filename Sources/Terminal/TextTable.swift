/// Rows and columns as text, aligned by display width.
///
/// Every cell goes through `SafeText`, so names of others may stand in it as they are.
package struct TextTable: Hashable, Sendable {
  /// One column.
  package struct Column: Hashable, Sendable {
    /// What stands above it.
    package var title: String
    /// Where its cells stand.
    package var align: Alignment
    /// Whether its cells may be cut to make the table fit before those of other columns.
    package var shrinks: Bool

    /// A column of text.
    package static func text(_ title: String, shrinks: Bool = true) -> Column {
      Column(title: title, align: .leading, shrinks: shrinks)
    }

    /// A column of numbers, at the right edge and cut only when nothing else can be.
    package static func number(_ title: String) -> Column {
      Column(title: title, align: .trailing, shrinks: false)
    }
  }

  /// Columns from left to right.
  package let columns: [Column]
  private var rows: [[SafeText]] = []
  private var emphasized: Set<Int> = []

  /// An empty table with these columns.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; missing cells are empty, cells past the last column are left out.
  package mutating func append(_ cells: [String], emphasized isEmphasized: Bool = false) {
    let safe = columns.indices.map { SafeText($0 < cells.count ? cells[$0] : "") }
    if isEmphasized { emphasized.insert(rows.count) }
    rows.append(safe)
  }

  /// The table's lines, its titles first, none longer than the limit; no limit where output is no terminal.
  package func lines(limitColumns: Int?, drawing: Drawing = Drawing()) -> [String] {
    let titles = columns.map { SafeText($0.title) }
    let widths = fittedWidths(titles: titles, limitColumns: limitColumns)
    let header = drawing.paint(line(titles, widths: widths, limitColumns: limitColumns), .bold)
    return [header]
      + rows.enumerated().map { index, cells in
        let text = line(cells, widths: widths, limitColumns: limitColumns)
        return emphasized.contains(index) ? drawing.paint(text, .bold) : text
      }
  }

  private static let gap = 2

  private func line(_ cells: [SafeText], widths: [Int], limitColumns: Int?) -> String {
    var text = ""
    for index in cells.indices {
      if index > 0 { text += String(repeating: " ", count: Self.gap) }
      text += DisplayWidth.fit(cells[index].text, columns: widths[index], align: columns[index].align)
    }
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return SafeText(text[..<end], limitColumns: limitColumns ?? .max).text
  }

  /// Each column as wide as its widest cell, then the widest cut again and again until the line fits.
  private func fittedWidths(titles: [SafeText], limitColumns: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(titles[index].columns) { max($0, $1[index].columns) }
    }
    guard let limitColumns else { return widths }
    let room = max(0, limitColumns - Self.gap * (columns.count - 1))
    shrink(&widths, to: room, least: 6) { columns[$0].shrinks }
    shrink(&widths, to: room, least: 1) { _ in true }
    return widths
  }

  private func shrink(_ widths: inout [Int], to room: Int, least: Int, where mayShrink: (Int) -> Bool) {
    var excess = widths.reduce(0, +) - room
    while excess > 0 {
      let candidates = widths.indices.filter { mayShrink($0) && widths[$0] > least }
      guard let widest = candidates.map({ widths[$0] }).max() else { return }
      let tied = candidates.filter { widths[$0] == widest }
      let next = candidates.map { widths[$0] }.filter { $0 < widest }.max() ?? least
      // Columns equally wide give way together, down to the next narrower one; the last ones first.
      let cut = min(widest - max(next, least), (excess + tied.count - 1) / tied.count)
      for index in tied.reversed() where excess > 0 {
        let step = min(cut, excess)
        widths[index] -= step
        excess -= step
      }
    }
  }
}

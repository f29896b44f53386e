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
    /// Whether its cells may be cut to make the table fit; those of other columns never are.
    package var shrinks: Bool
    /// Whether its cells go on below rather than be cut.
    package var wraps = false
    /// Where it is left out rather than that others shrink to nothing: the place in that order, from 1.
    package var yields: Int?

    /// The same column, left out where there is no room for all: those of lower places first.
    package func yielding(_ place: Int) -> Column {
      var column = self
      column.yields = place
      return column
    }

    /// A column of text.
    package static func text(_ title: String, shrinks: Bool = true) -> Column {
      Column(title: title, align: .leading, shrinks: shrinks)
    }

    /// A column of sentences, which go on below where the table would not fit.
    package static func prose(_ title: String) -> Column {
      Column(title: title, align: .leading, shrinks: true, wraps: true)
    }

    /// A column of numbers, at the right edge and never cut.
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

  /// The table's lines, its titles first; no limit where output is no terminal.
  ///
  /// None is longer than the limit, unless the columns that are never cut need more.
  package func lines(limitColumns: Int?, drawing: Drawing = Drawing()) -> [String] {
    if let limitColumns, let yielding = columnThatYields(limitColumns: limitColumns) {
      return without(yielding).lines(limitColumns: limitColumns, drawing: drawing)
    }
    let titles = columns.map { SafeText($0.title) }
    let widths = fittedWidths(titles: titles, limitColumns: limitColumns)
    let header = drawing.paint(line(titles, widths: widths), .bold)
    return [header]
      + rows.enumerated().flatMap { index, cells in
        lines(of: cells, widths: widths).map { text in
          emphasized.contains(index) ? drawing.paint(text, .bold) : text
        }
      }
  }

  /// A row's lines: more than one where a cell goes on below.
  private func lines(of cells: [SafeText], widths: [Int]) -> [String] {
    let parts = cells.indices.map { index -> [SafeText] in
      guard columns[index].wraps, cells[index].columns > widths[index] else { return [cells[index]] }
      return WrappedText.lines(cells[index].text, columns: widths[index]).map { SafeText($0) }
    }
    let height = parts.map(\.count).max() ?? 1
    return (0..<height).map { row in
      line(parts.map { row < $0.count ? $0[row] : SafeText("") }, widths: widths)
    }
  }

  /// The column that is left out first, where the table does not fit though every other one is cut as far as it may.
  private func columnThatYields(limitColumns: Int) -> Int? {
    let widths = columns.indices.map { index in
      let widest = rows.reduce(SafeText(columns[index].title).columns) { max($0, $1[index].columns) }
      return columns[index].shrinks ? min(widest, Self.leastColumns) : widest
    }
    guard widths.reduce(0, +) + Self.gap * (columns.count - 1) > limitColumns else { return nil }
    let yielding = columns.indices.compactMap { index in
      columns[index].yields.map { (place: $0, index: index) }
    }
    return yielding.min { $0.place < $1.place }?.index
  }

  private func without(_ column: Int) -> TextTable {
    var kept = columns
    kept.remove(at: column)
    var table = TextTable(kept)
    table.emphasized = emphasized
    table.rows = rows.map { row in
      var row = row
      row.remove(at: column)
      return row
    }
    return table
  }

  /// What a column that shrinks keeps as long as others can yield.
  private static let leastColumns = 6

  private static let gap = 2

  private func line(_ cells: [SafeText], widths: [Int]) -> String {
    var text = ""
    for index in cells.indices {
      if index > 0 { text += String(repeating: " ", count: Self.gap) }
      text += DisplayWidth.fit(cells[index].text, columns: widths[index], align: columns[index].align)
    }
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end])
  }

  /// Each column as wide as its widest cell, then the widest that may shrink cut again and again until the
  /// line fits: first those that wrap, which loses nothing.
  private func fittedWidths(titles: [SafeText], limitColumns: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(titles[index].columns) { max($0, $1[index].columns) }
    }
    guard let limitColumns else { return widths }
    let room = max(0, limitColumns - Self.gap * (columns.count - 1))
    shrink(&widths, to: room, least: 24) { columns[$0].wraps }
    shrink(&widths, to: room, least: Self.leastColumns) { columns[$0].shrinks && !columns[$0].wraps }
    shrink(&widths, to: room, least: 1) { columns[$0].shrinks }
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

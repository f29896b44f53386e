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
    /// What it keeps of its width as long as others can yield, or the rows can be told below each other.
    package var least = 6

    /// The same column, left out where there is no room for all: those of lower places first.
    package func yielding(_ place: Int) -> Column {
      var column = self
      column.yields = place
      return column
    }

    /// A column of text.
    package static func text(_ title: String, shrinks: Bool = true, least: Int = 6) -> Column {
      Column(title: title, align: .leading, shrinks: shrinks, least: least)
    }

    /// A column of sentences, which go on below where the table would not fit.
    package static func prose(_ title: String) -> Column {
      Column(title: title, align: .leading, shrinks: true, wraps: true, least: 24)
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
  /// None is longer than the limit: where there is no room for the columns, each row is told in lines of its own, as
  /// titles and cells. There only one word that is longer may be too long.
  package func lines(limitColumns: Int?, drawing: Drawing = Drawing()) -> [String] {
    if let limitColumns, leastWidth > limitColumns {
      if let yielding = columnThatYields {
        return without(yielding).lines(limitColumns: limitColumns, drawing: drawing)
      }
      return told(limitColumns: limitColumns, drawing)
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

  /// The width below which columns yield, or rows are told below each other.
  private var leastWidth: Int {
    let widths = columns.indices.map { index in
      let widest = rows.reduce(SafeText(columns[index].title).columns) { max($0, $1[index].columns) }
      return columns[index].shrinks ? min(widest, columns[index].least) : widest
    }
    return widths.reduce(0, +) + Self.gap * (columns.count - 1)
  }

  /// The column that is left out first.
  private var columnThatYields: Int? {
    let yielding = columns.indices.compactMap { index in
      columns[index].yields.map { (place: $0, index: index) }
    }
    return yielding.min { $0.place < $1.place }?.index
  }

  /// Each row in lines of its own: the first cells as they are, the others behind their titles, none of them broken
  /// unless it is wider than a line.
  private func told(limitColumns: Int, _ drawing: Drawing) -> [String] {
    rows.enumerated().flatMap { number, cells in
      var (lines, line) = ([String](), "")
      for (index, cell) in cells.enumerated() where cell.columns > 0 {
        let title = SafeText(columns[index].title).text
        let item = index == 0 || title.isEmpty ? cell.text : "\(title) \(cell.text)"
        let joined = line.isEmpty ? item : "\(line)\(String(repeating: " ", count: Self.gap))\(item)"
        guard DisplayWidth.columns(of: joined) > limitColumns else {
          line = joined
          continue
        }
        // Sentences fill the line; else a cell has one of its own.
        let isFilled = columns[index].wraps || line.isEmpty
        if !isFilled { lines.append(line) }
        let isFirst = lines.isEmpty
        let broken = WrappedText.lines(isFilled ? joined : item, columns: limitColumns, indent: Self.gap)
        lines += broken.dropLast()
        line = broken.last ?? ""
        // A row begins at the edge.
        guard isFirst else { continue }
        let first = String((lines.first ?? line).drop { $0 == " " })
        if lines.isEmpty { line = first } else { lines[0] = first }
      }
      lines.append(line)
      guard emphasized.contains(number) else { return lines }
      return lines.map { drawing.paint($0, .bold) }
    }
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
    shrink(&widths, to: room) { columns[$0].wraps }
    shrink(&widths, to: room) { columns[$0].shrinks && !columns[$0].wraps }
    return widths
  }

  private func shrink(_ widths: inout [Int], to room: Int, where mayShrink: (Int) -> Bool) {
    var excess = widths.reduce(0, +) - room
    while excess > 0 {
      let candidates = widths.indices.filter { mayShrink($0) && widths[$0] > columns[$0].least }
      guard let widest = candidates.map({ widths[$0] }).max() else { return }
      let tied = candidates.filter { widths[$0] == widest }
      let next = candidates.map { widths[$0] }.filter { $0 < widest }.max() ?? 0
      let least = tied.map { columns[$0].least }.max() ?? 0
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

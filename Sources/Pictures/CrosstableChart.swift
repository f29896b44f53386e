import Terminal
package import Tournaments

/// A crosstable as a picture (SVG): each cell has a colour by the share of what could be gained.
package struct CrosstableChart: Sendable {
  private let title: String
  private let table: TournamentCrosstable
  private let names: [String]
  private let points: @Sendable (Int) -> String

  /// More cells than this are refused: a picture of them is of no use to anybody.
  package static let limitCells = 100_000

  /// - Parameters:
  ///   - title: what it is of.
  ///   - names: what entrants are called, by seed.
  ///   - points: how half points are written.
  /// - Returns: `nil` for more than ``limitCells``.
  package init?(
    title: String, table: TournamentCrosstable, names: [String], points: @escaping @Sendable (Int) -> String
  ) {
    guard table.rows.count * table.columns.count <= Self.limitCells else { return nil }
    (self.title, self.table, self.names, self.points) = (title, table, names, points)
  }

  private static let rowHeight = 24
  private static let headHeight = 24
  private static let (numberWidth, nameWidth) = (36, 180)
  private static let leastWidth = 480

  /// The colours by share: all, more than half, half, less, nothing; then the row itself and a bye.
  private static let style = TableStyle.rules(
    "crosstable",
    [
      ".all { fill: #b5dcb8 }", ".more { fill: #d8ecd8 }", ".half { fill: #e8e8e8 }",
      ".less { fill: #f6ded8 }",
      ".none { fill: #efb9b1 }", ".self { fill: #c4c4c4 }", ".bye { fill: #d6e4f5 }",
      ".open { fill: #fff; stroke: #ccc }",
    ],
    dark: [
      ".all { fill: #1f5a2e }", ".more { fill: #2a4a33 }", ".half { fill: #3a3d45 }",
      ".less { fill: #57392f }",
      ".none { fill: #702a24 }", ".self { fill: #565a64 }", ".bye { fill: #28425f }",
      ".open { fill: #1b1d22; stroke: #555 }",
    ])

  /// The picture, line by line: no scripts, nothing from elsewhere, and readable on light and on dark paper.
  package func svg() -> [String] {
    let heads = table.columns.map(head)
    let texts = table.cells.map { $0.map { $0.text(points: points) } }
    let widest = (texts.joined().map(\.count) + heads.map(\.count)).max() ?? 0
    let cell = max(30, TableStyle.width(columns: widest) + 8)
    let sums = table.rows.map { points($0.shownHalfPoints) }
    let pointsWidth = TableStyle.width(columns: max(6, sums.map(\.count).max() ?? 0)) + 8
    let left = TableStyle.margin + Self.numberWidth + 8 + Self.nameWidth + pointsWidth + 8
    let top = TableStyle.titleHeight + Self.headHeight
    let width = max(Self.leastWidth, left + heads.count * cell + TableStyle.margin)
    let height = top + table.rows.count * Self.rowHeight + TableStyle.margin
    var lines = TableStyle.opening(
      width: width, height: height, title: title, style: Self.style, as: "crosstable")
    lines.append(SVGText.line("points", x: left - 8, y: top - 8, "faint end"))
    for (column, head) in heads.enumerated() {
      lines.append(SVGText.line(head, x: left + column * cell + cell / 2, y: top - 8, "faint middle"))
    }
    for (row, standing) in table.rows.enumerated() {
      let y = top + row * Self.rowHeight
      lines += label(standing, number: row + 1, points: sums[row], pointsRight: left - 8, y: y)
      for (column, content) in table.cells[row].enumerated() {
        let box = (x: left + column * cell, y: y, width: cell - 2)
        lines += Self.drawn(content, texts[row][column], box)
      }
    }
    return lines + ["</svg>"]
  }

  private func head(_ column: TournamentCrosstable.Column) -> String {
    switch column {
    case .entrant(let entrant): "\((table.rows.firstIndex { $0.entrant == entrant } ?? 0) + 1)"
    case .round(let round): "R\(round + 1)"
    }
  }

  private func label(
    _ standing: Standing, number: Int, points: String, pointsRight: Int, y: Int
  ) -> [String] {
    let full = standing.entrant.index < names.count ? names[standing.entrant.index] : "\(standing.entrant)"
    let name = TableStyle.fitted(full, width: Self.nameWidth)
    let text = SVGText.line(name, x: TableStyle.margin + Self.numberWidth + 8, y: y + 16, "")
    return [
      SVGText.line("\(number)", x: TableStyle.margin + Self.numberWidth, y: y + 16, "faint end"),
      name == SafeText(full).text ? text : "<g><title>\(SVGText.escaped(full))</title>\(text)</g>",
      SVGText.line(points, x: pointsRight, y: y + 16, "strong end"),
    ]
  }

  private static func drawn(
    _ cell: TournamentCrosstable.Cell, _ text: String, _ box: (x: Int, y: Int, width: Int)
  ) -> [String] {
    guard let tone = tone(of: cell) else { return [] }
    let rect =
      "<rect class=\"\(tone)\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(rowHeight - 2)\"/>"
    guard !text.isEmpty else { return [rect] }
    return [rect, SVGText.line(text, x: box.x + box.width / 2, y: box.y + 15, "middle")]
  }

  /// The class of a cell's colour; `nil` for a cell that is left empty.
  private static func tone(of cell: TournamentCrosstable.Cell) -> String? {
    switch cell.kind {
    case .nothing: nil
    case .itself: "self"
    case .open: "open"
    case .bye: "bye"
    case .counted, .forfeit:
      cell.gained == cell.most
        ? "all"
        : cell.gained == 0
          ? "none"
          : 2 * cell.gained == cell.most
            ? "half"
            : 2 * cell.gained > cell.most ? "more" : "less"
    }
  }
}

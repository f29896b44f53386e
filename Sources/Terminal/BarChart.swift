/// How far each of some is, as bars below each other.
package struct BarChart: Hashable, Sendable {
  /// One bar.
  package struct Bar: Hashable, Sendable {
    /// Its place among all; `nil` while there is none.
    package var place: Int?
    /// Whose it is; it goes through `SafeText`.
    package var name: String
    /// How long it is.
    package var count: Int
    /// Whether it belongs to whoever looks.
    package var isOwn: Bool

    /// A bar.
    package init(place: Int?, name: String, count: Int, isOwn: Bool) {
      (self.place, self.name, self.count, self.isOwn) = (place, name, count, isOwn)
    }
  }

  /// What is counted, as the title of its column.
  package var unit: String
  /// The bars from above to below.
  package var bars: [Bar]
  /// The count of a bar as long as there can be.
  package var most: Int

  /// A chart of these bars.
  package init(unit: String, bars: [Bar], most: Int) {
    (self.unit, self.bars, self.most) = (unit, bars, max(1, most))
  }

  /// The least rows that a chart is cut to: its titles, a bar, and how many more there are.
  private static let leastRows = 3

  /// Its lines, as many as there is room for: of too many bars those in front, and the own one.
  package func lines(limitColumns: Int?, limitRows: Int = .max, drawing: Drawing) -> [String] {
    let limitRows = max(Self.leastRows, limitRows)
    guard bars.count + 1 > limitRows else { return table(bars, limitColumns, drawing) }
    let room = limitRows - 2
    let inFront = bars.indices.sorted { (bars[$0].place ?? .max, $0) < (bars[$1].place ?? .max, $1) }
    let own = inFront.filter { bars[$0].isOwn }
    let others = inFront.filter { !bars[$0].isOwn }
    let shown = (own + others).prefix(room).sorted().map { bars[$0] }
    return table(shown, limitColumns, drawing) + [
      "\(drawing.hasUnicode ? "…" : "...") and \(bars.count - room) more"
    ]
  }

  private func table(_ bars: [Bar], _ limitColumns: Int?, _ drawing: Drawing) -> [String] {
    let width = min(40, max(8, (limitColumns ?? 80) - 46))
    let block = drawing.hasUnicode ? "█" : "#"
    var table = TextTable([.number("PLACE"), .text("PLAYER"), .number(unit), .text("", shrinks: false)])
    for bar in bars {
      let filled = String(repeating: block, count: min(width, bar.count * width / most))
      table.append(
        [bar.place.map { "\($0)" } ?? "-", bar.name, "\(bar.count)", filled], emphasized: bar.isOwn)
    }
    return table.lines(limitColumns: limitColumns, drawing: drawing)
  }
}

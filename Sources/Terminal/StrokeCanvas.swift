package import Rules

/// A drawing in the cells of a terminal: as dots of Braille, eight in a cell, or as one letter a cell.
///
/// Colours do not show, but for white, which takes away what it covers.
package struct StrokeCanvas: Sendable {
  /// How many dots there are across and down.
  private let columns: Int
  private let rows: Int
  private var dots: [Bool]
  private let isBraille: Bool

  /// How many cells across the widest canvas has, and the narrowest.
  private static let limits = (most: 64, least: 16)

  /// A canvas with these strokes, as large as there is room for.
  package init(_ strokes: [HostedStroke], limitColumns: Int, limitRows: Int = .max, isBraille: Bool) {
    let room = min(Self.limits.most, limitColumns, limitRows > 100 ? .max : limitRows * 8 / 3)
    let cells = max(Self.limits.least, room) / 8 * 8
    self.isBraille = isBraille
    // A cell is twice as high as it is wide: two by four dots, or one by two of which one shows.
    columns = isBraille ? 2 * cells : cells
    rows = columns * HostedStroke.sheet.rows / HostedStroke.sheet.columns / (isBraille ? 1 : 2)
    dots = [Bool](repeating: false, count: columns * rows)
    for stroke in strokes { draw(stroke) }
  }

  private mutating func draw(_ stroke: HostedStroke) {
    let isInk = stroke.colour != "white"
    let (dot, wide) = (HostedStroke.sheet.columns / columns, Int(stroke.width))
    let size = (across: max(1, wide / dot), down: max(1, wide * rows / HostedStroke.sheet.rows))
    let points = stroke.points.map { point in
      (
        x: Int(point.x) * columns / HostedStroke.sheet.columns,
        y: Int(point.y) * rows / HostedStroke.sheet.rows
      )
    }
    guard var at = points.first else { return }
    stamp(at.x, at.y, size, isInk)
    for next in points.dropFirst() {
      // As many steps as the longer way has dots.
      let steps = max(abs(next.x - at.x), abs(next.y - at.y))
      for step in 0..<max(0, steps) {
        let done = step + 1
        stamp(
          at.x + Self.rounded((next.x - at.x) * done, by: steps),
          at.y + Self.rounded((next.y - at.y) * done, by: steps), size, isInk)
      }
      at = next
    }
  }

  /// The nearest whole number to a quotient.
  private static func rounded(_ number: Int, by divisor: Int) -> Int {
    (2 * number + (number < 0 ? -divisor : divisor)) / (2 * divisor)
  }

  private mutating func stamp(_ x: Int, _ y: Int, _ size: (across: Int, down: Int), _ isInk: Bool) {
    // What lies off the sheet is not drawn.
    let (top, left) = (min(rows, max(0, y - size.down / 2)), min(columns, max(0, x - size.across / 2)))
    for row in top..<min(rows, top + size.down) {
      for column in left..<min(columns, left + size.across) {
        dots[row * columns + column] = isInk
      }
    }
  }

  /// The bits of a Braille cell's dots, by row and column.
  private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  /// The canvas, a line for each row of cells.
  package var lines: [String] {
    guard isBraille else {
      return (0..<rows).map { row in
        String((0..<columns).map { dots[row * columns + $0] ? "#" : " " })
      }
    }
    return stride(from: 0, to: rows, by: 4).map { row in
      var line = String.UnicodeScalarView()
      for column in stride(from: 0, to: columns, by: 2) {
        var cell: UInt32 = 0x2800
        for (down, bits) in Self.bits.enumerated() where row + down < rows {
          for (across, bit) in bits.enumerated() where dots[(row + down) * columns + column + across] {
            cell |= bit
          }
        }
        if let scalar = Unicode.Scalar(cell) { line.append(scalar) }
      }
      return String(line)
    }
  }

  /// The lines with an edge at the right and below, so that the sheet shows where nothing is drawn.
  package var framed: [String] {
    let (side, floor, corner) = isBraille ? ("│", "─", "┘") : ("|", "-", "+")
    let cells = isBraille ? columns / 2 : columns
    return lines.map { $0 + side } + [String(repeating: floor, count: cells) + corner]
  }
}

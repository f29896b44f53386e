/// Ratings with the intervals of their errors as a picture (SVG): a line for each player, the best first.
package struct RatingChart: Sendable {
  /// One player.
  package struct Player: Sendable {
    /// Its name; it goes through `SafeText`.
    package var name: String
    package var rating: Double
    /// Half the width of the interval; `nil` where it is not known.
    package var error: Double?

    /// A player.
    package init(name: String, rating: Double, error: Double?) {
      (self.name, self.rating, self.error) = (name, rating, error)
    }
  }

  private let title: String
  private let groups: [[Player]]
  private let low: Double
  private let high: Double

  /// - Parameter groups: players whose ratings can be compared; a gap is left between groups.
  package init(title: String, groups: [[Player]]) {
    self.title = title
    self.groups = groups.filter { !$0.isEmpty }
    let players = groups.joined()
    let ends = players.flatMap {
      [Self.bounded($0.rating - ($0.error ?? 0)), Self.bounded($0.rating + ($0.error ?? 0))]
    }
    let (least, most) = (ends.min() ?? 0, ends.max() ?? 0)
    // Whoever has no error would stand at the edge.
    let room = max(10, (most - least) / 20)
    (low, high) = (least - room, most + room)
  }

  /// Ratings beyond this are drawn at the edge.
  private static let limit = 1_000_000.0
  private static func bounded(_ value: Double) -> Double {
    value.isNaN ? 0 : min(limit, max(-limit, value))
  }

  private static let (rowHeight, axisHeight) = (24, 30)
  private static let (nameWidth, plotWidth, numberWidth) = (240, 480, 160)

  private static let style = TableStyle.rules(
    "ratings",
    [
      ".bar { fill: none; stroke: #2f6fb3; stroke-width: 2 }", ".dot { fill: #2f6fb3 }",
      ".grid { fill: none; stroke: #ddd }",
    ],
    dark: [".bar { stroke: #7fb4ea }", ".dot { fill: #7fb4ea }", ".grid { stroke: #444 }"])

  /// The picture, line by line: no scripts, nothing from elsewhere, and readable on light and on dark paper.
  package func svg() -> [String] {
    let left = TableStyle.margin + Self.nameWidth + 12
    let width = left + Self.plotWidth + 12 + Self.numberWidth + TableStyle.margin
    let rows = groups.reduce(0) { $0 + $1.count } + max(0, groups.count - 1)
    let bottom = TableStyle.titleHeight + max(1, rows) * Self.rowHeight
    var lines = TableStyle.opening(
      width: width, height: bottom + Self.axisHeight, title: title, style: Self.style, as: "ratings")
    for tick in ticks {
      let x = place(tick, left: left)
      lines.append("<path class=\"grid\" d=\"M\(Self.text(x)) \(TableStyle.titleHeight)V\(bottom)\"/>")
      lines.append(SVGText.line("\(Int(tick))", x: x / 10, y: bottom + 18, "faint middle"))
    }
    var row = 0
    for group in groups {
      for player in group {
        lines += drawn(
          player, left: left, y: TableStyle.titleHeight + row * Self.rowHeight + Self.rowHeight / 2)
        row += 1
      }
      row += 1
    }
    return lines + ["</svg>"]
  }

  private func drawn(_ player: Player, left: Int, y: Int) -> [String] {
    let x = place(player.rating, left: left)
    var lines = [
      SVGText.line(
        TableStyle.fitted(player.name, width: Self.nameWidth), x: left - 12, y: y + 4, "end")
    ]
    var words = Self.tenths(player.rating)
    if let error = player.error {
      let (from, to) = (place(player.rating - error, left: left), place(player.rating + error, left: left))
      lines.append(
        "<path class=\"bar\" d=\"M\(Self.text(from)) \(y - 5)V\(y + 5)M\(Self.text(from)) \(y)H\(Self.text(to))"
          + "M\(Self.text(to)) \(y - 5)V\(y + 5)\"/>")
      words += " ± \(Self.tenths(error))"
    }
    lines.append("<circle class=\"dot\" cx=\"\(Self.text(x))\" cy=\"\(y)\" r=\"4\"/>")
    lines.append(SVGText.line(words, x: left + Self.plotWidth + 12, y: y + 4, ""))
    return lines
  }

  /// Where a rating lies, in tenths.
  private func place(_ rating: Double, left: Int) -> Int {
    let share = min(1, max(0, (Self.bounded(rating) - low) / (high - low)))
    return left * 10 + Int((share * Double(Self.plotWidth * 10)).rounded())
  }

  /// Round numbers, at most seven.
  private var ticks: [Double] {
    var step = 1.0
    var factors = [2, 2.5, 2]
    while step * 6 < high - low {
      step *= factors[0]
      factors.append(factors.removeFirst())
    }
    let first = (low / step).rounded(.up)
    return (0..<7).map { (first + Double($0)) * step }.filter { $0 <= high }
  }

  private static func text(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }

  /// A number to a tenth, rounded half away from zero.
  private static func tenths(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return value.isNaN ? "–" : value < 0 ? "-∞" : "∞" }
    let tenths = Int((value.magnitude * 10).rounded())
    return "\(value < 0 && tenths > 0 ? "-" : "")\(text(tenths))"
  }
}

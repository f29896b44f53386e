import Terminal

/// Shares of a whole over time as a picture: one band for each name, one above the other, as SVG.
package struct ShareChart: Sendable {
  /// One moment.
  package struct Moment: Sendable {
    /// Where it lies on the axis.
    package var time: Int
    /// Each name's share, from 0 to 1.
    package var shares: [Double]

    /// A moment.
    package init(time: Int, shares: [Double]) { (self.time, self.shares) = (time, shares) }
  }

  private let title: String
  private let unit: String
  private let names: [String]
  private let moments: [Moment]
  /// The names' places, the largest share at the end first; of those that are lost, who had the most.
  private let order: [Int]

  /// - Parameters:
  ///   - unit: what time is counted in, the axis's title.
  ///   - names: whose the shares are; they go through `SafeText`.
  ///   - moments: at least two, the earliest first; of many some are shown.
  package init(title: String, unit: String, names: [String], moments: [Moment]) {
    precondition(
      moments.count >= 2 && moments.allSatisfy { $0.shares.count == names.count }, "a chart of \(title)")
    (self.title, self.unit, self.names) = (title, unit, names)
    let last = moments.count - 1
    let shown = min(moments.count, Self.limitMoments)
    self.moments = (0..<shown).map { moments[$0 * last / (shown - 1)] }
    let end = moments[last].shares
    let sums = names.indices.map { name in moments.reduce(0) { $0 + $1.shares[name] } }
    order = names.indices.sorted { (-end[$0], -sums[$0], $0) < (-end[$1], -sums[$1], $1) }
  }

  private static let limitMoments = 241
  private static let (left, top, width, height) = (56, 48, 600, 360)
  private static let (row, legendWidth, margin) = (20, 280, 24)
  private static let limitNameColumns = 26

  /// The picture, line by line: no scripts, nothing from elsewhere, and readable on light and on dark paper.
  package func svg() -> [String] {
    let legendLeft = Self.left + Self.width + Self.margin
    let fullWidth = legendLeft + Self.legendWidth
    let fullHeight = Self.top + max(Self.height + 52, names.count * Self.row + Self.margin)
    var lines = SVGText.opening(width: fullWidth, height: fullHeight, title: title, style: Self.style)
    lines.append(SVGText.line(title, x: Self.left, y: 30, "title"))
    lines += bands() + axes()
    for (place, name) in order.enumerated() {
      let y = Self.top + place * Self.row
      lines.append(
        "<rect class=\"band\" x=\"\(legendLeft)\" y=\"\(y)\" width=\"14\" height=\"14\""
          + " fill=\"\(Self.colour(place))\"/>")
      lines.append(
        SVGText.line(
          "\(percent(name)) \(SafeText(names[name], limitColumns: Self.limitNameColumns).text)",
          x: legendLeft + 22, y: y + 12, "name"))
    }
    return lines + ["</svg>"]
  }

  private static let style = [
    "<style>", "text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #222 }",
    ".title { font-size: 15px; font-weight: bold }", ".axis { fill: #666 }", ".right { text-anchor: end }",
    ".middle { text-anchor: middle }", ".paper { fill: #fff }", ".band { stroke: #fff; stroke-width: 0.5 }",
    ".line { stroke: #888; stroke-width: 0.5; stroke-dasharray: 2 4 }",
    "@media (prefers-color-scheme: dark) {",
    "text { fill: #eee } .axis { fill: #aaa } .paper { fill: #1b1d22 } .band { stroke: #1b1d22 }", "}",
    "</style>",
  ]

  /// Colours that neighbours tell apart: the golden angle from one to the next, and three lightnesses.
  private static func colour(_ place: Int) -> String {
    "hsl(\((210 + place * 137) % 360),\([62, 48][place % 2])%,\([46, 62, 54][place % 3])%)"
  }

  /// The bands, the largest share at the end on top.
  private func bands() -> [String] {
    var upper = moments.map { _ in 0.0 }
    return order.enumerated().map { place, name in
      let lower = zip(upper, moments).map { min(1, $0 + $1.shares[name]) }
      let there = moments.indices.map { point($0, upper[$0]) }
      let back = moments.indices.reversed().map { point($0, lower[$0]) }
      upper = lower
      let edge = (there + back).joined(separator: "L")
      return "<path class=\"band\" fill=\"\(Self.colour(place))\" d=\"M\(edge)Z\">"
        + "<title>\(SVGText.escaped(names[name]))</title></path>"
    }
  }

  /// A point of a band's edge, in tenths.
  /// - Parameter share: what lies above it.
  private func point(_ moment: Int, _ share: Double) -> String {
    let (first, last) = (moments[0].time, moments[moments.count - 1].time)
    let x = Self.left * 10 + (moments[moment].time - first) * Self.width * 10 / max(1, last - first)
    let y = Self.top * 10 + Int((share * Double(Self.height * 10)).rounded())
    return "\(x / 10).\(x % 10) \(y / 10).\(y % 10)"
  }

  /// Lines at each quarter, and the first, the middle and the last moment.
  private func axes() -> [String] {
    let (right, bottom) = (Self.left + Self.width, Self.top + Self.height)
    let quarters = (0...4).flatMap { quarter in
      let y = Self.top + Self.height * (4 - quarter) / 4
      return [
        "<path class=\"line\" d=\"M\(Self.left) \(y)H\(right)\"/>",
        SVGText.line("\(quarter * 25) %", x: Self.left - 8, y: y + 4, "axis right"),
      ]
    }
    let (first, last) = (moments[0].time, moments[moments.count - 1].time)
    return quarters + [
      SVGText.line("\(first)", x: Self.left, y: bottom + 20, "axis"),
      SVGText.line("\(last)", x: right, y: bottom + 20, "axis right"),
      SVGText.line(unit, x: Self.left + Self.width / 2, y: bottom + 20, "axis middle"),
    ]
  }

  /// A name's share at the end, to a tenth of a per cent.
  private func percent(_ name: Int) -> String {
    let tenths = Int((moments[moments.count - 1].shares[name] * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

import Terminal

/// What pictures of tournaments have in common: a font whose characters are all of one width, and colours for light and
/// dark paper.
enum TableStyle {
  /// A little more than a column takes at 12 pixels, in tenths of a pixel.
  private static let columnTenths = 74

  /// How wide a text is at most.
  static func width(columns: Int) -> Int { (columns * columnTenths + 9) / 10 }

  /// A text that is cut where it does not fit into so many pixels.
  static func fitted(_ text: String, width: Int) -> String {
    SafeText(text, limitColumns: width * 10 / columnTenths).text
  }

  /// The space around a picture, and what its title takes of the top.
  static let (margin, titleHeight) = (20, 44)

  /// How a picture of this class begins, with its title in it, cut where it does not fit.
  static func opening(width: Int, height: Int, title: String, style: [String], as name: String) -> [String] {
    let shown = fitted(title, width: (width - 2 * margin) * 4 / 5)
    return SVGText.opening(width: width, height: height, title: title, style: style, as: name)
      + [SVGText.line(shown, x: margin, y: 28, "title")]
  }

  /// The rules of a picture of this class.
  static func rules(_ name: String, _ own: [String], dark: [String]) -> [String] {
    let plain = [
      "text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #222 }",
      ".title { font-size: 15px; font-weight: bold }", ".faint { fill: #5c5c5c }",
      ".end { text-anchor: end }",
      ".middle { text-anchor: middle }", ".strong { font-weight: bold }", ".paper { fill: #fff }",
      ".line { fill: none; stroke: #999 }",
    ]
    let night = [
      "text { fill: #eee }", ".faint { fill: #b0b0b0 }", ".paper { fill: #1b1d22 }", ".line { stroke: #777 }",
    ]
    func scoped(_ rules: [String]) -> [String] { rules.map { ".\(name) \($0)" } }
    return ["<style>"] + scoped(plain + own) + ["@media (prefers-color-scheme: dark) {"]
      + scoped(night + dark)
      + ["}", "</style>"]
  }
}

/// How a piece of text stands out.
package enum Style: Hashable, Sendable, CaseIterable {
  /// Heavier.
  case bold
  /// Fainter.
  case dim
  /// Foreground and background swapped.
  case inverse
  /// For errors and losses.
  case red
  /// For success and wins.
  case green
  /// For warnings.
  case yellow
  /// For names and headings.
  case blue
  /// For things to type.
  case cyan

  /// The code of ECMA-48, Select Graphic Rendition.
  fileprivate var code: Int {
    switch self {
    case .bold: 1
    case .dim: 2
    case .inverse: 7
    case .red: 31
    case .green: 32
    case .yellow: 33
    case .blue: 34
    case .cyan: 36
    }
  }
}

/// How text may be drawn in one place: with or without colour, beyond ASCII or not.
package struct Drawing: Hashable, Sendable {
  /// Whether styles show; else they vanish.
  package var hasStyles: Bool
  /// Whether box-drawing characters and emoji show; else ASCII stands for them.
  package var hasUnicode: Bool

  /// Text without styles, with or without characters beyond ASCII.
  package init(hasStyles: Bool = false, hasUnicode: Bool = true) {
    self.hasStyles = hasStyles
    self.hasUnicode = hasUnicode
  }

  /// The text in these styles, or as it is where there are none.
  package func paint(_ text: String, _ styles: Style...) -> String { paint(text, styles) }

  /// The text in these styles, or as it is where there are none.
  func paint(_ text: String, _ styles: [Style]) -> String {
    guard hasStyles, !styles.isEmpty, !text.isEmpty else { return text }
    let codes = styles.map { String($0.code) }.joined(separator: ";")
    return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
  }

  /// Line-drawing characters of this place.
  var lines: LineCharacters { hasUnicode ? .box : .ascii }
}

/// The characters that frames and brackets are drawn with.
struct LineCharacters: Sendable {
  let horizontal: String
  let vertical: String
  /// Left, middle and right corner of a board's first rule.
  let top: (left: String, middle: String, right: String)
  /// The same of an inner rule.
  let inner: (left: String, middle: String, right: String)
  /// The same of the last rule.
  let bottom: (left: String, middle: String, right: String)

  static let box = LineCharacters(
    horizontal: "─", vertical: "│", top: ("┌", "┬", "┐"), inner: ("├", "┼", "┤"), bottom: ("└", "┴", "┘"))
  static let ascii = LineCharacters(
    horizontal: "-", vertical: "|", top: ("+", "+", "+"), inner: ("+", "+", "+"), bottom: ("+", "+", "+"))
}

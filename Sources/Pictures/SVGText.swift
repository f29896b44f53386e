import Terminal

/// Text and the frame of a picture.
package enum SVGText {
  /// Text that is safe to show, and never markup.
  package static func escaped(_ text: String) -> String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(SafeText(text).text) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  /// How a picture begins: its size, its title, its style and its paper.
  /// - Parameter style: a class that all rules of the style name, where it may stand in a page with others.
  static func opening(
    width: Int, height: Int, title: String, style: [String], as name: String? = nil
  ) -> [String] {
    let own = name.map { " class=\"\($0)\"" } ?? ""
    return [
      "<svg\(own) xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
        + " viewBox=\"0 0 \(width) \(height)\" role=\"img\">", "<title>\(escaped(title))</title>",
    ] + style + ["<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>"]
  }

  /// One line of text; its place is that of its beginning, middle or end, as its style says.
  static func line(_ text: String, x: Int, y: Int, _ style: String) -> String {
    let styled = style.isEmpty ? "" : " class=\"\(style)\""
    return "<text\(styled) x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>"
  }
}

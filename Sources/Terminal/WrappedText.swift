/// Text broken into lines at spaces.
package enum WrappedText {
  /// Lines of at most so many columns, each behind an indent; a longer word has a line of its own, uncut.
  ///
  /// - Parameters:
  ///   - first: what stands in place of the first line's indent, padded to its width; when it is wider, the text
  ///     starts on the line after it.
  ///   - keepsCommands: whether what stands in backquotes is one word, so that it can be pasted.
  package static func lines(
    _ text: String, columns: Int, indent: Int = 0, first: String? = nil, keepsCommands: Bool = false
  ) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    if let first {
      let used = DisplayWidth.columns(of: first)
      if used < indent {
        line = first + String(repeating: " ", count: indent - used)
      } else {
        lines.append(first)
      }
    }
    var used = indent
    var isEmpty = true
    for word in words(of: text, keepsCommands: keepsCommands) {
      let width = DisplayWidth.columns(of: word)
      if !isEmpty, used + 1 + width > columns {
        lines.append(line)
        (line, used, isEmpty) = (margin, indent, true)
      }
      line += isEmpty ? word : " " + word
      used += isEmpty ? width : width + 1
      isEmpty = false
    }
    if !isEmpty || lines.isEmpty { lines.append(isEmpty ? (first ?? "") : line) }
    return lines
  }

  private static func words(of text: String, keepsCommands: Bool) -> [Substring] {
    guard keepsCommands, text.count(where: { $0 == "`" }) % 2 == 0 else { return text.split(separator: " ") }
    var isInside = false
    return text.split { character in
      if character == "`" { isInside.toggle() }
      return character == " " && !isInside
    }
  }
}

/// A message for people, with whatever words of others stand in it, made safe to print and short enough to
/// read.
///
/// It stays one line: what would end it becomes U+FFFD, as every control character does. A word beyond 200
/// columns and a message beyond 600 are cut, where “…” stands then.
package enum MessageText {
  /// The widest word, in columns.
  static let limitWordColumns = 200
  /// The widest message, in columns.
  static let limitColumns = 600

  /// The message, safe to print on one line.
  package static func line(_ message: String) -> String {
    // A cut word is not looked at beyond the limit of the whole, so that a huge one costs no more.
    let words = message.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
    let safe = words.lazy.map { SafeText(Substring($0), limitColumns: limitWordColumns).text }
    return SafeText(safe.joined(separator: " "), limitColumns: limitColumns).text
  }

  /// The text with ASCII in place of typographic quotes, dashes, dots and fractions, for terminals that lack them.
  static func plainSigns(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "“", "”", "‘", "’": plain.append("'")
      case "–", "—": plain.append("-")
      case "…": plain.append(contentsOf: "...".unicodeScalars)
      case "±": plain.append(contentsOf: "+-".unicodeScalars)
      case "¼", "½", "¾":
        if plain.last.map({ ("0"..."9").contains($0) }) != true { plain.append("0") }
        plain.append(contentsOf: (scalar == "½" ? ".5" : scalar == "¼" ? ".25" : ".75").unicodeScalars)
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }

  /// The message as lines of at most so many columns, broken at spaces; its indent stays.
  package static func lines(_ message: String, columns: Int) -> [String] {
    let line = line(message)
    guard DisplayWidth.columns(of: line) > columns else { return [line] }
    let indent = line.prefix { $0 == " " }.count
    return WrappedText.lines(line, columns: columns, indent: min(indent, columns / 2), keepsCommands: true)
  }
}

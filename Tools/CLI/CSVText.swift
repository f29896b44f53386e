import Terminal

/// Lines of a table for spreadsheets (RFC 4180, with lines that end with LF alone).
enum CSVText {
  /// Fields between commas, those with a comma, a quotation mark or a line's end in quotation marks.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let text = SafeText(field).text
      guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
      return "\"\(text.replacing("\"", with: "\"\""))\""
    }.joined(separator: ",")
  }

  /// A number of halves or quarters, exact, with a point.
  static func decimal(_ value: Int64, parts: Int) -> String {
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(parts))
    let fraction = ["", ".25", ".5", ".75"][Int(rest) * 4 / parts]
    return "\(value < 0 ? "-" : "")\(whole)\(fraction)"
  }
}

import Terminal

/// Lines of a table for spreadsheets.
enum CSVText {
  /// Fields between commas, those with a comma, a quotation mark or a line's end in quotation marks.
  static func line(_ fields: [String]) -> String {
    fields.map { field in
      let text = SafeText(field).text
      guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
      return "\"\(text.replacing("\"", with: "\"\""))\""
    }.joined(separator: ",")
  }
}

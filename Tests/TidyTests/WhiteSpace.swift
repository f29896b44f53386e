extension Check {
  static let whiteSpace = Check(
    "clean white space",
    inEach: { file in
      var found: [Violation] = []
      for (index, line) in file.lines.enumerated() {
        if let last = line.unicodeScalars.last, last.properties.isWhitespace {
          found.append(Violation(file, index + 1, "white space ends the line", do: "Delete it"))
        }
        if line.utf8.contains(UInt8(ascii: "\t")) {
          found.append(Violation(file, index + 1, "a tab", do: "Use spaces; in a string write `\\t`"))
        }
      }
      let isWhole = file.text.isEmpty || (file.text.utf8.last == newline && file.lines.dropLast().last != "")
      if !isWhole {
        found.append(
          Violation(
            file, max(1, file.lines.count), "the file does not end with one newline", do: "End it with one"))
      }
      return found
    })

  private static let newline = UInt8(ascii: "\n")
}

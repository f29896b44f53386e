extension Check {
  static let lineLengths = Check(
    "lines of at most 120 columns",
    inEach: { file in
      guard !file.isMarkdown else { return [] }
      return file.lines.enumerated().filter { $1.utf8.count > 120 && $1.count > 120 }.map { index, line in
        Violation(
          file, index + 1, "the line has \(line.count) columns, more than 120",
          do: "Break it, or say it shorter")
      }
    })

  static let fileLengths = Check(
    "files of at most 500 lines",
    inEach: { file in
      guard file.isSwift, file.lines.count > 501, !file.isExcused(at: 1) else { return [] }
      return [
        Violation(
          file, 501, "the file has \(file.lines.count - 1) lines, more than 500",
          do: "Split it by type or topic, or give a reason after `// tidy: ` in its first line")
      ]
    })

  static let functionLengths = Check(
    "functions of at most 60 lines",
    inEach: { file in
      file.functions.filter { $0.lastLine - $0.line + 1 > 60 && !file.isExcused(at: $0.line) }.map {
        Violation(
          file, $0.line, "`\($0.name)` has \($0.lastLine - $0.line + 1) lines, more than 60",
          do: "Give its steps names of their own, or a reason after `// tidy: ` above it")
      }
    })
}

extension SourceFile {
  /// Functions and initializers with a body: from the line of the keyword to that of the closing brace.
  var functions: [(name: String, line: Int, lastLine: Int)] {
    swift.tokens.indices.compactMap { index in
      let keyword = swift.text(index)
      guard ["func", "init", "subscript"].contains(keyword), swift.text(index, -1) != "." else { return nil }
      guard let open = bodyStart(after: index), let close = closingBrace(of: open) else { return nil }
      let name = keyword == "func" ? swift.text(index, 1) : keyword
      return (name, swift.tokens[index].line, swift.tokens[close].line)
    }
  }

  /// The brace that opens the body of the function; none for a requirement of a protocol.
  private func bodyStart(after index: Int) -> Int? {
    let ends: Set = [
      "func", "var", "let", "init", "subscript", "deinit", "struct", "enum", "class", "actor", "protocol",
      "extension", "typealias", "associatedtype", "case", "static", "}",
    ]
    var depth = 0
    for place in (index + 1)..<max(index + 1, swift.tokens.count) {
      let text = swift.text(place)
      if text == "(" || text == "[" { depth += 1 }
      if text == ")" || text == "]" { depth -= 1 }
      if depth == 0, text == "{" { return place }
      if depth == 0, ends.contains(text) { return nil }
    }
    return nil
  }

  private func closingBrace(of open: Int) -> Int? {
    var depth = 0
    for place in open..<swift.tokens.count {
      if swift.text(place) == "{" { depth += 1 }
      if swift.text(place) == "}" { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }
}

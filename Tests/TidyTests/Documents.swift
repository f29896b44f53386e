import Foundation

extension SourceFile {
  /// The lines of a Markdown file outside its fenced blocks, each with its number from 1.
  var prose: [(line: Int, text: Substring)] {
    var fence: Substring?
    var found: [(Int, Substring)] = []
    for (index, line) in lines.enumerated() {
      let trimmed = line.drop { $0 == " " }
      let mark = trimmed.prefix(3)
      if let open = fence {
        if mark == open { fence = nil }
      } else if mark == "```" || mark == "~~~" {
        fence = mark
      } else {
        found.append((index + 1, line))
      }
    }
    return found
  }
}

extension Check {
  static let documentTitles = Check(
    "documents have one title",
    inEach: { file in
      guard file.isMarkdown else { return [] }
      let titles = file.prose.filter { $0.text.hasPrefix("# ") }
      if titles.isEmpty {
        return [Violation(file, 1, "the document has no title", do: "Begin it with one line `# Title`")]
      }
      return titles.dropFirst().map {
        Violation(file, $0.line, "the document has a second title", do: "Make it a section with `##`")
      }
    })

  static let documentLinks = Check(
    "relative links lead to files",
    inAll: { tree in
      tree.files.filter(\.isMarkdown).flatMap { file in
        file.prose.flatMap { line, text in
          links(in: text).filter { !leads($0, from: file, in: tree) }.map {
            Violation(
              file, line, "the link to `\($0)` leads nowhere",
              do: "Name a file by its path relative to this one")
          }
        }
      }
    })

  /// The targets of `[text](target)` and `[text]: target`, without those in code spans.
  static func links(in line: Substring) -> [String] {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    let text = parts.enumerated().map { $0.offset.isMultiple(of: 2) ? String($0.element) : "code" }.joined()
    var targets: [String] = []
    for piece in text.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
      targets.append(String(piece.prefix { $0 != ")" && $0 != " " }))
    }
    if text.hasPrefix("["), let colon = text.firstRange(of: "]: ") {
      targets.append(String(text[colon.upperBound...].prefix { $0 != " " }))
    }
    return targets
  }

  /// Whether the target is a place in the same page, on another host, or a file or folder of the tree.
  private static func leads(_ target: String, from file: SourceFile, in tree: SourceTree) -> Bool {
    if target.hasPrefix("#") || target.contains("://") || target.hasPrefix("mailto:") { return true }
    let path = String(target.prefix { $0 != "#" })
    guard !path.isEmpty, let plain = path.removingPercentEncoding else { return false }
    var parts = file.path.split(separator: "/").dropLast().map(String.init)
    for part in plain.split(separator: "/", omittingEmptySubsequences: true) {
      switch part {
      case ".": continue
      case ".." where parts.isEmpty: return false
      case "..": parts.removeLast()
      default: parts.append(String(part))
      }
    }
    return !plain.hasPrefix("/") && (parts.isEmpty || tree.paths.contains(parts.joined(separator: "/")))
  }
}

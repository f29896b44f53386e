extension Check {
  static let namedTests = Check(
    "tests that the page of threats names exist",
    inAll: { tree in
      guard let page = tree.file("Docs/THREATS.md") else { return [] }
      let files = tree.swiftFiles.filter { $0.isIn("Tests") }.map { DeclaredTests($0) }
      return page.prose.flatMap { line, text in
        testNames(in: text).filter { name in !files.contains { $0.declares(name) } }.map {
          Violation(
            page, line, "there is no test `\($0)`",
            do: "Name suite and function of one that there is, or write it")
        }
      }
    })

  /// The code spans in the last cell of a table's row.
  private static func testNames(in row: Substring) -> [String] {
    guard row.hasPrefix("|"), let cell = row.split(separator: "|").last else { return [] }
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}

/// What one file of tests declares.
private struct DeclaredTests {
  private let suites: Set<String>
  private let functions: Set<String>

  init(_ file: SourceFile) {
    let swift = file.swift
    func names(after keyword: String) -> Set<String> {
      Set(swift.tokens.indices.filter { swift.text($0) == keyword }.map { swift.text($0, 1) })
    }
    suites = names(after: "struct")
    functions = names(after: "func")
  }

  /// Whether the suite is here and, where one is named, its function.
  func declares(_ test: String) -> Bool {
    let parts = test.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let suite = parts.first, parts.count <= 2, suites.contains(suite) else { return false }
    return parts.count == 1 || functions.contains(parts[1])
  }
}

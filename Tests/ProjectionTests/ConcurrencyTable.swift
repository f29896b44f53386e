import Foundation
import TestKit

/// Which of two concurrent steps on one node is taken. The same text stands in Docs/PROTOCOL.md §1.2.
struct ConcurrencyTable {
  /// What a table says of a pair.
  enum Rule: String {
    case row, column, seat, both
    case never = "-"
  }

  static let text = """
                 offence  ruling  resign  leave   drawn   accept  move    commit  reveal
    offence      seat     row     row     row     row     row     -       row     row
    ruling       column   -       row     row     row     row     row     row     row
    resign       column   column  seat    seat    row     row     row     row     row
    leave        column   column  seat    seat    row     row     row     row     row
    drawn        column   column  column  column  seat    row     row     -       -
    accept       column   column  column  column  column  seat    row     -       -
    move         -        column  column  column  column  column  -       -       -
    commit       column   column  column  column  -       -       -       both    -
    reveal       column   column  column  column  -       -       -       -       both
    """

  /// The labels of rows and columns.
  let labels: [String]
  private let rules: [[Rule]]

  init() throws {
    let rows = Self.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    labels = rows[0]
    rules = try rows.dropFirst().map { row in
      try row.dropFirst().map { word in
        guard let rule = Rule(rawValue: word) else { throw UnknownWord(word: word) }
        return rule
      }
    }
  }

  private struct UnknownWord: Error { let word: String }

  /// The rule for a pair; whatever the table does not name leaves the other alone.
  subscript(row: String, column: String) -> Rule {
    guard let a = labels.firstIndex(of: row), let b = labels.firstIndex(of: column) else { return .both }
    return rules[a][b]
  }

  /// The page that holds the same table.
  static func page() throws -> String {
    try PackageFolder.text("Docs/PROTOCOL.md")
  }
}

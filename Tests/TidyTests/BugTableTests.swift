import Foundation
import TestKit
import Testing

/// The table of planted bugs does not rot: each can be planted where it says, and its tests are there.
@Suite("Planted bugs")
struct BugTableTests {
  private static let path = "Tests/Fixtures/planted-bugs.txt"

  @Test("Every old text stands in its file once, and every named test exists")
  func table() throws {
    let text = try PackageFolder.text(Self.path)
    let table = BugTable(text)
    #expect(table.strayLines.isEmpty)
    #expect(table.bugs.count >= 14)
    #expect(Set(table.bugs.map(\.name)).count == table.bugs.count)
    let tree = try TidyTests.tree.get()
    let names = TestNames(tree)
    for bug in table.bugs {
      for problem in bug.problems(in: tree, names) {
        Issue.record("\(bug.name): \(problem); change \(Self.path)")
      }
    }
  }

  @Test("A text that is not there or there twice, and a test that is gone, are told")
  func alarms() throws {
    let tree = SourceTree([
      "Sources/Rules/A.swift": "let a = 1\nlet b = 1\nlet b = 1\n",
      "Tests/RulesTests/ATests.swift": "@Suite struct ATests { @Test func holds() {} }",
    ])
    func problems(old: String, new: String = "let a = 2", test: String = "RulesTests.ATests/holds")
      -> [String]
    {
      let file = "Sources/Rules/A.swift"
      let table = BugTable("name: a\nbreaks: b\nfile: \(file)\ntest: \(test)\nold| \(old)\nnew| \(new)\n")
      return table.bugs.flatMap { $0.problems(in: tree, TestNames(tree)) }
    }
    #expect(problems(old: "let a = 1") == [])
    #expect(problems(old: "let a = 2", new: "") == ["the old text stands in Sources/Rules/A.swift 0 times"])
    #expect(problems(old: "let b = 1") == ["the old text stands in Sources/Rules/A.swift 2 times"])
    #expect(problems(old: "a = 1") == ["the old text stands in Sources/Rules/A.swift 0 times"])
    #expect(problems(old: "let a = 1", new: "let a = 1") == ["the new text is the old one"])
    let gone = ["RulesTests.ATests/is", "RulesTests.BTests/holds", "GamesTests.ATests/holds", "holds"]
    for test in gone {
      #expect(problems(old: "let a = 1", test: test) == ["there is no test \(test)"])
    }
    #expect(BugTable("name: a\nwrong: b\n").strayLines == ["wrong: b"])
  }
}

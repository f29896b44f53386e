import TestKit
import Testing

/// The project's own text follows its rules.
@Suite("The source tree is tidy")
struct TidyTests {
  static let tree = Result { try SourceTree(root: PackageFolder.url) }

  @Test("Rule", arguments: Check.all)
  func follows(_ check: Check) throws {
    for violation in check.violations(try TidyTests.tree.get()) {
      Issue.record("\(violation)")
    }
  }

  @Test("The walk finds the sources and leaves out what is built")
  func finds() throws {
    let tree = try TidyTests.tree.get()
    for path in ["Package.swift", "Tools/parlor", ".ci/run", "Tests/TidyTests/TidyTests.swift"] {
      #expect(tree.file(path) != nil, "\(path) is missing")
    }
    #expect(tree.paths.contains("LICENSE"))
    #expect(!tree.paths.contains { $0.hasPrefix(".build") || $0.hasPrefix(".git") })
  }
}

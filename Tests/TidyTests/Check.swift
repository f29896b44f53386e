import Testing

/// A place that breaks a rule.
struct Violation: CustomStringConvertible, Equatable {
  let path: String
  /// Counted from 1.
  let line: Int
  /// What stands there and why that is a problem.
  let problem: String
  /// What to do about it.
  let advice: String

  var description: String { "\(path):\(line): \(problem). \(advice)." }

  init(_ file: SourceFile, _ line: Int, _ problem: String, do advice: String) {
    path = file.path
    self.line = line
    self.problem = problem
    self.advice = advice
  }
}

/// A rule over the text of the project.
struct Check: Sendable, CustomTestStringConvertible {
  let name: String
  let violations: @Sendable (SourceTree) -> [Violation]

  var testDescription: String { name }

  /// A rule that looks at one file at a time.
  init(_ name: String, inEach violations: @escaping @Sendable (SourceFile) -> [Violation]) {
    self.name = name
    self.violations = { $0.files.flatMap(violations) }
  }

  /// A rule that looks at the whole project.
  init(_ name: String, inAll violations: @escaping @Sendable (SourceTree) -> [Violation]) {
    self.name = name
    self.violations = violations
  }

  static let all: [Check] = [
    bannedCalls, openTasks, pureImports, pureCalls, shellCalls, hashOrder, safetyRemarks, unsafePlaces,
    moduleOrder,
    lineLengths, functionLengths, fileLengths, deadCode, documentTitles, documentLinks, namedTests,
    letterCase, whiteSpace,
  ]
}

extension SourceFile {
  /// Whether the line, or the comment lines directly above it, carry `// tidy:` and three words or more.
  func isExcused(at line: Int) -> Bool {
    guard let reason = tidyReason(at: line) else { return false }
    return reason.split(separator: " ").count >= 3
  }

  /// What follows `tidy:` in the comments of a line and of the comment lines directly above it.
  func tidyReason(at line: Int) -> Substring? {
    let remarks = swift.remarks(at: line)
    guard let mark = remarks.firstRange(of: "tidy: ") else { return nil }
    return remarks[mark.upperBound...]
  }
}

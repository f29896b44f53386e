/// A bug that `Tools/plant` can plant, as its table has it.
struct PlantableBug {
  let name: String
  var breaks = ""
  var file = ""
  var tests: [String] = []
  var old = ""
  var new = ""

  /// What keeps it from being planted in the tree, or from being caught; empty when all is well.
  func problems(in tree: SourceTree, _ names: TestNames) -> [String] {
    var found: [String] = []
    if breaks.isEmpty || tests.isEmpty || old.isEmpty { found.append("the entry lacks a field") }
    if old == new { found.append("the new text is the old one") }
    if let text = tree.file(file)?.text {
      let count = BugTable.occurrences(of: "\n" + old, in: "\n" + text)
      if count != 1 { found.append("the old text stands in \(file) \(count) times") }
    } else {
      found.append("there is no file \(file)")
    }
    for test in tests where !names.contains(test) { found.append("there is no test \(test)") }
    return found
  }
}

/// The table of bugs to plant.
struct BugTable {
  private(set) var bugs: [PlantableBug] = []
  /// Lines that belong to no entry.
  private(set) var strayLines: [Substring] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") { read(line) }
  }

  private mutating func read(_ line: Substring) {
    if let name = line.value(after: "name: ") {
      bugs.append(PlantableBug(name: name))
    } else if bugs.isEmpty {
      strayLines.append(line)
    } else if let words = line.value(after: "breaks: ") {
      bugs[bugs.count - 1].breaks = words
    } else if let path = line.value(after: "file: ") {
      bugs[bugs.count - 1].file = path
    } else if let test = line.value(after: "test: ") {
      bugs[bugs.count - 1].tests.append(test)
    } else if let code = line == "old|" ? "" : line.value(after: "old| ") {
      bugs[bugs.count - 1].old += code + "\n"
    } else if let code = line == "new|" ? "" : line.value(after: "new| ") {
      bugs[bugs.count - 1].new += code + "\n"
    } else {
      strayLines.append(line)
    }
  }

  static func occurrences(of part: String, in text: String) -> Int {
    var count = 0
    var rest = text.utf8[...]
    while let range = rest.firstRange(of: part.utf8) {
      count += 1
      // The line feed at the end may be the one before the next occurrence.
      rest = rest[rest.index(after: range.lowerBound)...]
    }
    return count
  }
}

/// The names of all tests: of a module, a suite, and a function that stands in the same file.
struct TestNames {
  private var files: [(module: Substring, suites: Set<String>, functions: Set<String>)] = []

  init(_ tree: SourceTree) {
    for file in tree.swiftFiles {
      let folders = file.path.split(separator: "/")
      guard folders.count > 2, folders[0] == "Tests" else { continue }
      let swift = file.swift
      func names(after keyword: String) -> Set<String> {
        Set(swift.tokens.indices.filter { swift.text($0) == keyword }.map { swift.text($0, 1) })
      }
      files.append((folders[1], names(after: "struct"), names(after: "func")))
    }
  }

  func contains(_ test: String) -> Bool {
    let parts = test.split(whereSeparator: { ".\u{2F}".contains($0) })
    guard parts.count == 3 else { return false }
    return files.contains {
      $0.module == parts[0] && $0.suites.contains(String(parts[1])) && $0.functions.contains(String(parts[2]))
    }
  }
}

extension Substring {
  fileprivate func value(after label: String) -> String? {
    hasPrefix(label) ? String(dropFirst(label.count)) : nil
  }
}

/// A type, function or value that a file declares.
struct DeclaredName: Equatable {
  let name: String
  let line: Int
  let isPrivate: Bool
}

extension SourceFile {
  /// The names that the file declares outside of any braces.
  var topLevelNames: [DeclaredName] { declaredNames(atDepth: 0) }

  /// The names that the file gives to other types in extensions, or to its own members.
  var memberNames: [DeclaredName] { declaredNames(atDepth: 1) }

  /// The names declared inside this many open brackets and braces.
  private func declaredNames(atDepth wanted: Int) -> [DeclaredName] {
    let kinds: Set = ["struct", "enum", "class", "actor", "protocol", "func", "typealias", "let", "var"]
    var depth = 0
    var found: [DeclaredName] = []
    for index in swift.tokens.indices {
      let text = swift.text(index)
      if ["{", "(", "["].contains(text) { depth += 1 }
      if ["}", ")", "]"].contains(text) { depth -= 1 }
      guard depth == wanted, kinds.contains(text), swift.token(index, 1).kind == .word else { continue }
      guard swift.text(index, -1) != "import", swift.text(index, -1) != "." else { continue }
      let modifiers = swift.tokens[..<index].suffix(3).filter { $0.line == swift.tokens[index].line }
      let isPrivate = modifiers.contains { ["private", "fileprivate"].contains($0.text) }
      found.append(
        DeclaredName(name: swift.text(index, 1), line: swift.tokens[index].line, isPrivate: isPrivate))
    }
    return found
  }

  /// How often each word of the file's code stands there, not counting the heads of extensions.
  var wordCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for index in swift.tokens.indices where swift.tokens[index].kind == .word {
      if swift.text(index, -1) != "extension" { counts[swift.text(index), default: 0] += 1 }
    }
    return counts
  }
}

extension Check {
  /// Names that nothing mentions, and files of which no other file uses a name or an extension's member.
  static let deadCode = Check(
    "no dead code",
    inAll: { tree in
      let counts = tree.swiftFiles.map { ($0.path, $0.wordCounts) }
      var total: [String: Int] = [:]
      for (_, words) in counts { total.merge(words) { $0 + $1 } }
      let owned = Dictionary(uniqueKeysWithValues: counts)
      return tree.swiftFiles.filter { $0.isIn("Sources", "Bots") && !$0.isExample }.flatMap { file in
        deadNames(of: file, own: owned[file.path] ?? [:], total: total)
      }
    })

  private static func deadNames(of file: SourceFile, own: [String: Int], total: [String: Int]) -> [Violation]
  {
    let names = file.topLevelNames.filter { allowedDead[$0.name] == nil }
    let dead = names.filter { total[$0.name, default: 0] <= 1 }.map {
      Violation(
        file, $0.line, "nothing mentions `\($0.name)`",
        do:
          "Delete it, or test it; a reason to keep it goes into allowedDead in Tests/TidyTests/DeadCode.swift"
      )
    }
    let extends = file.swift.tokens.contains { $0.kind == .word && $0.text == "extension" }
    let open = (names + (extends ? file.memberNames : [])).filter { !$0.isPrivate }
    let isUsed = open.contains { total[$0.name, default: 0] > own[$0.name, default: 0] }
    guard dead.isEmpty, let first = names.first, !open.isEmpty, !isUsed else { return dead }
    return [
      Violation(
        file, first.line, "no other file mentions what this one declares, beginning with `\(first.name)`",
        do: "Delete the file, or use it")
    ]
  }

  /// Names that stand for a reason though no file mentions them, with the reason.
  static let allowedDead: [String: String] = [:]
}

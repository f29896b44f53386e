extension Check {
  /// Iteration over a Dictionary or Set, as far as the names in a pure module, or in the log, show it.
  static let hashOrder = Check(
    "pure modules never iterate in hash order",
    inAll: { tree in
      let pure = tree.swiftFiles.filter { $0.isPure || $0.isIn("Sources/EventLog") }
      let modules = Dictionary(grouping: pure, by: \.folder)
      return modules.keys.sorted().flatMap { folder in
        let names = (modules[folder] ?? []).map { HashedNames(in: $0) }
        let ofModule = names.reduce(into: Set<String>()) { $0.formUnion($1.hashed) }
        return zip(modules[folder] ?? [], names).flatMap { file, own in
          HashOrderScan(file: file, names: ofModule.subtracting(own.others).union(own.hashed)).violations
        }
      }
    })
}

extension SourceFile {
  /// The module's folder: the first two parts of the path.
  var folder: String { path.split(separator: "/").prefix(2).joined(separator: "/") }
}

/// The names that a file declares as Dictionary or Set, and those that it declares as something else.
struct HashedNames {
  private(set) var hashed: Set<String> = []
  private(set) var others: Set<String> = []

  init(in file: SourceFile) {
    let swift = file.swift
    for index in swift.tokens.indices where swift.tokens[index].kind == .word {
      if swift.text(index, 1) == ":", swift.token(index, 1).isGlued, swift.text(index, 2) != ":" {
        note(swift.text(index), isHashed: HashedNames.isHashedType(swift, at: index + 2))
      } else if ["let", "var"].contains(swift.text(index, -1)), swift.text(index, 1) == "=" {
        note(swift.text(index), isHashed: HashedNames.isHashedValue(swift, at: index + 2))
      }
    }
    others.subtract(hashed)
  }

  private mutating func note(_ name: String, isHashed: Bool) {
    if isHashed { hashed.insert(name) } else { others.insert(name) }
  }

  /// Whether `[Key: Value]`, `Dictionary` or `Set` starts here, as a type; a label before it does not matter.
  static func isHashedType(_ swift: SwiftTokens, at index: Int) -> Bool {
    var place = index
    while ["inout", "borrowing", "consuming", "sending"].contains(swift.text(place)) { place += 1 }
    if swift.text(place) == "Swift", swift.text(place, 1) == "." { place += 2 }
    if ["Dictionary", "Set"].contains(swift.text(place)) { return true }
    return isDictionaryBracket(swift, at: place)
  }

  /// Whether a value of such a type starts here: `[Key: Value]()`, `[:]`, `Set(`, `Dictionary(`.
  static func isHashedValue(_ swift: SwiftTokens, at index: Int) -> Bool {
    isHashedType(swift, at: index)
  }

  /// Whether a bracket opens here that has a colon at its own depth and no question mark before it.
  private static func isDictionaryBracket(_ swift: SwiftTokens, at index: Int) -> Bool {
    guard swift.text(index) == "[" else { return false }
    var depth = 0
    for place in index..<swift.tokens.count {
      switch swift.text(place) {
      case "[", "(", "{": depth += 1
      case "]", ")", "}": depth -= 1
      case "?" where depth == 1 && !swift.tokens[place].isGlued: return false
      case ":" where depth == 1: return true
      default: break
      }
      if depth == 0 { return false }
    }
    return false
  }
}

/// Looks for uses of the names in which the order of the elements shows.
private struct HashOrderScan {
  let file: SourceFile
  let names: Set<String>

  /// Members whose result depends on the order of the elements.
  static let ordered: Set = [
    "map", "compactMap", "flatMap", "forEach", "reduce", "first", "enumerated", "makeIterator", "popFirst",
    "joined", "prefix", "dropFirst", "lazy", "description",
  ]
  /// What may follow `.keys` and `.values`, because the order of the elements does not show.
  static let unordered: Set = ["sorted", "count", "isEmpty", "contains", "allSatisfy", "min", "max"]

  var violations: [Violation] {
    file.swift.tokens.indices.compactMap { index in
      guard names.contains(file.swift.text(index)), let use = orderedUse(at: index) else { return nil }
      let line = file.swift.tokens[index].line
      guard !isSorted(on: line), !isExcused(at: line) else { return nil }
      return Violation(
        file, line, "\(use) goes through `\(file.swift.text(index))` in the order of its hashes",
        do: "Sort first; where the order cannot show, say `// tidy: order does not matter because …`")
    }
  }

  /// How the name's elements are gone through at this token, if they are.
  private func orderedUse(at index: Int) -> String? {
    let swift = file.swift
    if swift.text(index, 1) == "{" || swift.text(index, 1) == "where", isLoop(endingAt: index) {
      return "`for`"
    }
    if isWholeArgument(at: index) { return "an array" }
    var dot = index + 1
    if ["?", "!"].contains(swift.text(dot)) { dot += 1 }
    guard swift.text(dot) == ".", swift.token(dot, 0).isGlued else { return nil }
    let member = swift.text(dot, 1)
    if ["keys", "values"].contains(member) {
      let isHarmless = swift.text(dot, 2) == "." && HashOrderScan.unordered.contains(swift.text(dot, 3))
      return isHarmless ? nil : "`.\(member)`"
    }
    return HashOrderScan.ordered.contains(member) ? "`.\(member)`" : nil
  }

  /// Whether the name ends the sequence of a `for … in a.b.name`.
  private func isLoop(endingAt index: Int) -> Bool {
    var place = index - 1
    while place >= 1, file.swift.text(place) == "." { place -= 2 }
    return file.swift.text(place) == "in" && isFor(before: place)
  }

  /// Whether a `for` stands before this `in` on the same or the line before, so that it is no closure's.
  private func isFor(before index: Int) -> Bool {
    for place in stride(from: index - 1, to: max(-1, index - 20), by: -1) {
      if file.swift.text(place) == "for" { return true }
      if file.swift.text(place) == "{" { return false }
    }
    return false
  }

  /// Whether the name is all that stands in `Array(…)` or `[Type](…)`.
  private func isWholeArgument(at index: Int) -> Bool {
    let swift = file.swift
    guard swift.text(index, 1) == ")", swift.text(index, -1) == "(" else { return false }
    return swift.text(index, -2) == "Array"
      || (swift.text(index, -2) == "]" && swift.token(index, -1).isGlued)
  }

  private func isSorted(on line: Int) -> Bool {
    file.lines[line - 1].contains(".sorted") || file.lines[line - 1].contains(".sort(")
  }

  private func isExcused(at line: Int) -> Bool {
    file.tidyReason(at: line)?.hasPrefix("order does not matter because ") ?? false
  }
}

/// A spelling that must not stand in some files, and why.
struct BannedSpelling {
  let tokens: SwiftTokens
  let spelling: String
  let problem: String
  let advice: String
  /// Whether `// tidy:` with a reason excuses it.
  let isExcusable: Bool

  init(_ spelling: String, _ problem: String, do advice: String, isExcusable: Bool = false) {
    tokens = SwiftTokens(spelling)
    self.spelling = spelling
    self.problem = problem
    self.advice = advice
    self.isExcusable = isExcusable
  }
}

/// Spellings by their first token, so that a file is walked once.
struct BannedSpellings {
  private var byFirst: [String: [BannedSpelling]] = [:]

  init(_ spellings: [BannedSpelling]) {
    for spelling in spellings {
      byFirst[spelling.tokens.text(0), default: []].append(spelling)
    }
  }

  /// Each place in the file where one of them stands.
  func violations(in file: SourceFile) -> [Violation] {
    var found: [Violation] = []
    for index in file.swift.tokens.indices {
      guard let candidates = byFirst[file.swift.text(index)] else { continue }
      for banned in candidates where file.swift.matches(banned.tokens, at: index) {
        let line = file.swift.tokens[index].line
        if file.swift.text(index, -1) == "func" { continue }
        if banned.isExcusable, file.isExcused(at: line) { continue }
        found.append(Violation(file, line, "`\(banned.spelling)` \(banned.problem)", do: banned.advice))
      }
    }
    return found
  }
}

extension Check {
  static let bannedCalls = Check(
    "banned calls",
    inEach: { file in
      let isWriter = file.isIn("Tools", "Sources/Terminal", "Tests/OutsidePackage")
      return everywhere.violations(in: file)
        + (isWriter ? [] : prints.violations(in: file).filter { !isMember($0, in: file) })
    })

  private static let everywhere = BannedSpellings([
    BannedSpelling(
      "try?", "throws away the reason of a failure",
      do: "Catch it and say or return what it means; where nothing can be lost, end the line with"
        + " `// tidy: ` and the reason",
      isExcusable: true),
    BannedSpelling(
      "try!", "turns a failure into a trap", do: "Throw on, or show by types that it cannot fail"),
    BannedSpelling(
      "as!", "traps on an unexpected type", do: "Use `as?` with an error, or a type that needs no cast"),
    BannedSpelling(
      "fatalError(", "traps without naming what was expected",
      do: "Throw; for an impossible state use precondition or preconditionFailure with state and input"),
  ])

  private static let prints = BannedSpellings(
    ["print(", "debugPrint(", "dump("].map {
      BannedSpelling(
        $0, "writes to standard output from a library or test",
        do: "Return the text or an event; only Tools and Sources/Terminal print")
    })

  /// Whether the call on the violation's line is a method of something else, such as `table.print(`.
  private static func isMember(_ violation: Violation, in file: SourceFile) -> Bool {
    let calls = file.swift.tokens.indices.filter { index in
      file.swift.tokens[index].line == violation.line
        && ["print", "debugPrint", "dump"].contains(file.swift.text(index))
        && file.swift.text(index, 1) == "("
    }
    return calls.allSatisfy { file.swift.text($0, -1) == "." && file.swift.text($0, -2) != "Swift" }
  }
}

extension Check {
  /// Marks of unfinished work, in code, comments and scripts.
  static let openTasks = Check(
    "no open tasks",
    inEach: { file in
      guard !file.isMarkdown else { return [] }
      var found: [Violation] = []
      for (index, line) in file.lines.enumerated() {
        let text = file.isSwift ? file.swift.comments[index + 1] ?? "" : String(line)
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for word in words where openMarks.contains(String(word)) {
          found.append(
            Violation(
              file, index + 1, "`\(word)` marks unfinished work",
              do: "Finish it, or open an issue and delete the mark"))
        }
      }
      return found
    })

  /// Written in parts, so that this file does not break its own rule.
  private static let openMarks: Set = ["FIX" + "ME", "TO" + "DO", "X" + "XX", "HA" + "CK"]
}

extension Check {
  /// Imports that bring files, clocks and processes into reach.
  static let pureImports = Check(
    "pure modules import no system",
    inEach: { file in
      guard file.isPure else { return [] }
      return file.imports.filter { systemModules.contains($0.module) }.map {
        Violation(
          file, $0.line, "`import \($0.module)` in a pure module",
          do: "Hand in what it gives (bytes, time, randomness), or move the code to EventLog, Peer or Tools")
      }
    })

  private static let systemModules: Set = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Darwin", "Dispatch",
    "Platform",
  ]

  /// Clocks, unseeded random numbers and hashes that differ from process to process.
  static let pureCalls = Check(
    "pure modules read no clock and no luck",
    inEach: { file in
      file.isPure ? impure.violations(in: file) : []
    })

  private static let impure = BannedSpellings(
    ["ContinuousClock", "SuspendingClock", "Date("].map {
      BannedSpelling($0, "reads a clock in a pure module", do: "Hand the time in as a value")
    }
      + [
        ".random(in:", ".random()", ".randomElement()", ".shuffled()", ".shuffle()",
        "SystemRandomNumberGenerator",
      ].map {
        BannedSpelling(
          $0, "is random without our seed in a pure module",
          do: "Draw from a RandomStream that is handed in, so that the match repeats from its seed")
      }
      + ["Hasher(", ".hashValue"].map {
        BannedSpelling(
          $0, "differs from process to process", do: "Use the digests of Events, or compare the values")
      })
}

extension Check {
  /// Clocks and luck of whole peers, which run on simulated machines too.
  static let shellCalls = Check(
    "peers take time and luck from their shell",
    inEach: { file in
      let isShell = ["Shell", "EventLoop"].contains { file.path == "Sources/Network/\($0).swift" }
      return file.isIn("Sources/Network", "Sources/Service") && !isShell
        ? besideShell.violations(in: file) : []
    })

  private static let besideShell = BannedSpellings(
    [
      "ContinuousClock", "SuspendingClock", "MonotonicClock", "WallClock", "Task.sleep",
      "SigningKey.randomSeed",
      ".random(in:",
    ].map {
      BannedSpelling(
        $0, "passes a peer's shell by, so that no simulated machine can have it run",
        do: "Take the loop's clock and timers, and the random bytes of the shell")
    })
}

extension SourceFile {
  /// The modules that a Swift file imports, each with its line.
  var imports: [(module: String, line: Int)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias", "actor"]
    return swift.tokens.indices.compactMap { index in
      guard swift.text(index) == "import", swift.tokens[index].kind == .word else { return nil }
      let named = kinds.contains(swift.text(index, 1)) ? 2 : 1
      return (swift.text(index, named), swift.tokens[index].line)
    }
  }
}

extension Check {
  /// Promises to the compiler that it cannot check.
  static let safetyRemarks = Check(
    "unchecked promises give their reason",
    inEach: { file in
      promises.violations(in: file).filter { !file.swift.remarks(at: $0.line).contains("SAFETY: ") }
    })

  private static let promises = BannedSpellings(
    ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"].map {
      BannedSpelling(
        $0, "is a promise that the compiler does not check",
        do: "Give the reason in a `// SAFETY: ` comment on the line or directly above it")
    })

  /// Unsafe expressions in the modules that are meant to be safe.
  static let unsafePlaces = Check(
    "unsafe code stays in its modules",
    inEach: { file in
      let mayBeUnsafe = file.isIn(
        "Sources/Platform", "Sources/JSON", "Sources/LMDB", "Sources/Events", "Sources/EventLog",
        "Sources/Channel",
        "Sources/Terminal", "Sources/Network", "Sources/Discovery", "Sources/Web", "Sources/NATS",
        "Sources/ServiceSimulation",
        "Bots/Search", "Tools/Bench", "Tools/FuzzTargets", "Tests")
      guard !mayBeUnsafe else { return [] }
      return file.swift.tokens.indices.filter { isUnsafeExpression($0, in: file.swift) }.map {
        Violation(
          file, file.swift.tokens[$0].line, "an `unsafe` expression in a module that is meant to be safe",
          do: "Wrap the C call in Platform, JSON, LMDB, Events, EventLog, Channel, Network, NATS, Discovery,"
            + " Web or Terminal")
      }
    })

  /// Whether `unsafe` stands before an operand; `@unsafe` and `nonisolated(unsafe)` are something else.
  private static func isUnsafeExpression(_ index: Int, in swift: SwiftTokens) -> Bool {
    guard swift.text(index) == "unsafe", swift.text(index, -1) != "@" else { return false }
    let operand = swift.token(index, 1)
    return operand.kind != .symbol
      || (["(", "&", "[", "-", "!", "."].contains(operand.text) && !operand.isGlued)
  }
}

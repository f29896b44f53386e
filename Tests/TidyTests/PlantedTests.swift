import Testing

/// Every rule is broken here on purpose and must notice it; beside that stands what only looks similar.
@Suite("Each rule catches a planted violation and passes a clean text")
struct PlantedTests {
  /// The places that a rule finds, each as `path:line`.
  private func places(_ check: Check, _ texts: KeyValuePairs<String, String>) -> [String] {
    check.violations(SourceTree(texts)).map { "\($0.path):\($0.line)" }
  }

  /// The lines that a rule finds in one file.
  private func lines(_ check: Check, _ path: String, _ text: String) -> [Int] {
    check.violations(SourceTree([path: text])).map(\.line)
  }

  @Test("Every rule has its name once")
  func names() {
    #expect(Set(Check.all.map(\.name)).count == Check.all.count)
  }

  @Test(
    "Banned calls",
    arguments: [
      "let a = try? read()", "let a = try! read()", "let a = b as! Int", "fatalError(\"why\")", "print(a)",
      "Swift.print(a)", "debugPrint(a)", "dump(a)", "let a = try? read()  // tidy: because",
      "\"\\(try! a())\"",
    ])
  func bannedCalls(_ code: String) {
    #expect(lines(.bannedCalls, "Sources/Peer/A.swift", "let a = 0\n\(code)\n") == [2])
  }

  @Test(
    "Allowed calls",
    arguments: [
      "try a()", "let a = try !b()", "b as? Int", "// try! print(a) fatalError(", "\"try? print(a)\"",
      "let a = try? read()  // tidy: a missing file is empty",
      "// tidy: a missing file is empty\nlet a = try? read()", "table.print(a)", "func print(_ a: Int) {}",
      "let text = \"\"\"\n  try! a\n  \"\"\"", "#\"\\(try! a)\"#", "/* try! /* as! */ try! */",
    ])
  func allowedCalls(_ code: String) {
    #expect(lines(.bannedCalls, "Sources/Peer/A.swift", "\(code)\n") == [])
  }

  @Test("Strings with code in them leave brackets in balance")
  func interpolation() {
    let tokens = SwiftTokens(##"f("a\(g(1))b\("c\(d)")", #"x\#(y)"#)"##).tokens
    #expect(tokens.filter { $0.kind == .symbol }.map(\.text) == ["(", "(", ")", ",", ")"])
    #expect(tokens.filter { $0.kind == .word }.map(\.text) == ["f", "g", "1", "d", "y"])
    #expect(tokens.filter { $0.kind == .string }.map(\.text) == ["c", "ab", "x"])
  }

  @Test("Printing is for Tools and Terminal")
  func printing() {
    let text = "print(a)\n"
    #expect(lines(.bannedCalls, "Tools/CLI/A.swift", text) == [])
    #expect(lines(.bannedCalls, "Sources/Terminal/A.swift", text) == [])
    #expect(lines(.bannedCalls, "Sources/TerminalLike/A.swift", text) == [1])
    #expect(lines(.bannedCalls, "Tests/GamesTests/A.swift", text) == [1])
  }

  @Test("Open tasks", arguments: ["FIX" + "ME", "TO" + "DO", "X" + "XX", "HA" + "CK"])
  func openTasks(_ mark: String) {
    #expect(lines(.openTasks, "Sources/Peer/A.swift", "let a = 0  // \(mark): later\n") == [1])
    #expect(lines(.openTasks, "Tools/setup", "# later\n# \(mark) later\n") == [2])
    #expect(lines(.openTasks, "Sources/Peer/A.swift", "let a\(mark) = \"\(mark)\"  // \(mark)S\n") == [])
  }

  @Test("System imports", arguments: ["Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Platform"])
  func pureImports(_ module: String) {
    for path in ["Sources/Rules/A.swift", "Sources/Events/A.swift", "Bots/Search/A.swift"] {
      #expect(lines(.pureImports, path, "import Rules\nimport \(module)\n") == [2])
      #expect(lines(.pureImports, path, "public import struct \(module).A\n") == [1])
      #expect(lines(.pureImports, path, "// import \(module)\n") == [])
    }
    #expect(lines(.pureImports, "Sources/Peer/A.swift", "import \(module)\n") == [])
    #expect(lines(.pureImports, "Sources/EventLog/A.swift", "import \(module)\n") == [])
  }

  @Test(
    "Clocks and luck",
    arguments: [
      "ContinuousClock().now", "let c: SuspendingClock", "Date()", "Int.random(in: 0..<2)", "Bool.random()",
      "var g = SystemRandomNumberGenerator()", "a.shuffled()", "a.shuffle()", "a.randomElement()",
      "var h = Hasher()", "a.hashValue",
    ])
  func pureCalls(_ code: String) {
    #expect(lines(.pureCalls, "Sources/Gossip/A.swift", "\n\(code)\n") == [2])
    #expect(lines(.pureCalls, "Sources/Peer/A.swift", "\n\(code)\n") == [])
  }

  @Test(
    "Clocks and luck of peers", arguments: ["try await Task.sleep(for: a)", "MonotonicClock.milliseconds"])
  func shellCalls(_ code: String) {
    #expect(lines(.shellCalls, "Sources/Service/A.swift", "\n\(code)\n") == [2])
    #expect(lines(.shellCalls, "Sources/Network/Shell.swift", "\n\(code)\n") == [])
    #expect(lines(.shellCalls, "Sources/Web/A.swift", "\n\(code)\n") == [])
  }

  @Test(
    "Seeded numbers",
    arguments: ["a.shuffled(using: &stream)", "stream.below(2)", "func hash(into h: Hasher)"])
  func pureCallsAllowed(_ code: String) {
    #expect(lines(.pureCalls, "Sources/Gossip/A.swift", "\(code)\n") == [])
  }

  @Test(
    "Hash order",
    arguments: [
      "for (k, v) in heads {", "for (k, v) in self.heads {", "for v in seen where v > 0 {",
      "for k in heads.keys {", "return heads.values.map(f)", "heads.map { $0 }", "seen.first", "Array(seen)",
      "[Int](seen)", "state.heads.values", "heads?.keys", "made.forEach { f($0) }",
      "grouped.reduce(into: 0) { f }",
      "heads.keys  // tidy: a good reason is needed",
    ])
  func hashOrder(_ code: String) {
    let names = """
      var heads: [PeerID: Int] = [:]
      let seen: Set<Int>
      let made = [String: [Int]]()
      let grouped = Dictionary(grouping: a, by: f)

      """
    #expect(lines(.hashOrder, "Sources/Gossip/A.swift", names + code + "\n}\n") == [5])
    let apart = places(.hashOrder, ["Sources/Gossip/A.swift": names, "Sources/Gossip/B.swift": code + "\n"])
    #expect(apart == ["Sources/Gossip/B.swift:1"])
    #expect(lines(.hashOrder, "Sources/Peer/A.swift", names + code + "\n") == [])
  }

  @Test(
    "No hash order",
    arguments: [
      "for k in heads.keys.sorted() {", "heads.keys.sorted(by: f)", "heads.values.max()", "heads.count",
      "heads[k]", "seen.contains(1)", "heads.mapValues(f)", "for move in moves {", "moves.map(f)",
      "heads.map { $0.key }.sorted()", "seen.isEmpty", "array.map(f)", "let a: [Int] = flag ? a : b",
      "heads.values.map(f)  // tidy: order does not matter because it is a sum",
      "// tidy: order does not matter because it is a sum\nheads.values.map(f)",
      "seen.filter { heads[$0] > 0 }",
    ])
  func hashOrderAllowed(_ code: String) {
    let names = "var heads: [Int: Int]\nlet seen: Set<Int> = []\nlet moves: [Move]\n"
    #expect(lines(.hashOrder, "Sources/Gossip/A.swift", names + code + "\n}\n") == [])
  }

  @Test("Unchecked promises", arguments: ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"])
  func safetyRemarks(_ promise: String) {
    let path = "Sources/LMDB/A.swift"
    #expect(lines(.safetyRemarks, path, "// SAFETY: one thread\nlet b = 0\n\(promise)\n") == [3])
    #expect(lines(.safetyRemarks, path, "\(promise)  // one thread\n") == [1])
    #expect(lines(.safetyRemarks, path, "\(promise)  // SAFETY: one thread\n") == [])
    #expect(lines(.safetyRemarks, path, "// SAFETY: one thread,\n// by its lock\n\(promise)\n") == [])
  }

  @Test("Unsafe expressions", arguments: ["unsafe read(p)", "unsafe (a, b)", "unsafe &a", "unsafe [a]"])
  func unsafePlaces(_ code: String) {
    for path in ["Sources/Peer/A.swift", "Sources/Games/A.swift", "Bots/Other/A.swift", "Tools/CLI/A.swift"] {
      #expect(lines(.unsafePlaces, path, "let a = \(code)\n") == [1])
    }
    for path in ["Sources/LMDB/A.swift", "Bots/Search/A.swift", "Tools/Bench/A.swift"] {
      #expect(lines(.unsafePlaces, path, "let a = \(code)\n") == [])
    }
    let others = "// unsafe read(p)\nlet a = \"unsafe read\"\n@unsafe func f()\nnonisolated(unsafe) var b\n"
    #expect(lines(.unsafePlaces, "Sources/Peer/A.swift", others) == [])
  }
}

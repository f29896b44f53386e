import Testing

/// The same for the rules about modules, sizes, dead code and documents.
@Suite("Each rule about files catches a planted violation and passes a clean text")
struct PlantedTreeTests {
  private func places(_ check: Check, _ texts: KeyValuePairs<String, String>) -> [String] {
    check.violations(SourceTree(texts)).map { "\($0.path):\($0.line)" }
  }

  private func lines(_ check: Check, _ path: String, _ text: String) -> [Int] {
    check.violations(SourceTree([path: text])).map(\.line)
  }

  static let manifest = """
    func library(_ name: String, _ dependencies: [String]) -> Target { f("x", targets: []) }
    let package = Package(
      name: "parlor",
      products: [.executable(name: "parlor", targets: ["parlor"])],
      targets: [
        .systemLibrary(name: "CLMDB", path: "Sources/System/CLMDB", providers: [.apt(["liblmdb-dev"])]),
        library("LMDB", ["CLMDB"]),
        library("Rules", []),
        library("SearchBots", ["Rules"], path: "Bots/Search"),
        .executableTarget(name: "parlor", dependencies: ["Rules", "LMDB"], path: "Tools/CLI"),
        tests("RulesTests", ["Rules"], resources: [.copy("Data")]),
      ]
    )

    """

  @Test("The targets of the manifest")
  func targets() {
    let package = PackageTargets(SourceFile(path: "Package.swift", text: PlantedTreeTests.manifest))
    #expect(
      package.targets == [
        PackageTarget(name: "CLMDB", dependencies: [], path: "Sources/System/CLMDB"),
        PackageTarget(name: "LMDB", dependencies: ["CLMDB"], path: "Sources/LMDB"),
        PackageTarget(name: "Rules", dependencies: [], path: "Sources/Rules"),
        PackageTarget(name: "SearchBots", dependencies: ["Rules"], path: "Bots/Search"),
        PackageTarget(name: "parlor", dependencies: ["Rules", "LMDB"], path: "Tools/CLI"),
        PackageTarget(name: "RulesTests", dependencies: ["Rules"], path: "Tests/RulesTests"),
      ])
  }

  @Test("The real manifest is understood")
  func realManifest() throws {
    let manifest = try #require(try TidyTests.tree.get().file("Package.swift"))
    let targets = PackageTargets(manifest).targets
    #expect(targets.contains { $0.name == "TidyTests" && $0.path == "Tests/TidyTests" })
    #expect(targets.contains { $0.name == "parlor" && $0.path == "Tools/CLI" && !$0.dependencies.isEmpty })
  }

  @Test("Imports that the manifest does not declare")
  func wrongImports() {
    let found = places(
      .moduleOrder,
      [
        "Package.swift": PlantedTreeTests.manifest,
        "Bots/Search/A.swift": "import Rules\nimport LMDB\n",
        "Sources/Rules/A.swift": "import Testing\n@testable import struct SearchBots.A\n",
        "Sources/Other/A.swift": "let a = 0\n",
        "Tests/RulesTests/A.swift": "import LMDB\n",
      ])
    #expect(
      found == [
        "Bots/Search/A.swift:2", "Sources/Rules/A.swift:1", "Sources/Rules/A.swift:2",
        "Sources/Other/A.swift:1",
        "Tests/RulesTests/A.swift:1",
      ])
  }

  @Test("Imports that the manifest declares")
  func rightImports() {
    let found = places(
      .moduleOrder,
      [
        "Package.swift": PlantedTreeTests.manifest,
        "Bots/Search/A.swift": "import Foundation\npublic import Rules\n// import LMDB\n",
        "Tests/RulesTests/A/B.swift": "import Testing\n@testable import Rules\n",
        "Tools/CLI/A.swift": "import func Rules.a\nimport Synchronization\n",
      ])
    #expect(found == [])
  }

  @Test("Targets that do not stand above their users")
  func targetOrder() {
    let text = "let package = Package(\n  targets: [\n  library(\"A\", [\"B\"]),\n  library(\"B\", []),\n])\n"
    #expect(lines(.moduleOrder, "Package.swift", text) == [3])
    #expect(lines(.moduleOrder, "Package.swift", PlantedTreeTests.manifest) == [])
  }

  @Test("Long lines")
  func longLines() {
    let long = String(repeating: "é", count: 121)
    #expect(lines(.lineLengths, "Sources/Peer/A.swift", "\n\(long)\n") == [2])
    #expect(lines(.lineLengths, "Tools/setup", "\n\(long)\n") == [2])
    #expect(lines(.lineLengths, "Sources/Peer/A.swift", "\n\(long.dropLast())\n") == [])
    #expect(lines(.lineLengths, "README.md", "\n\(long)\n") == [])
  }

  @Test("Long files")
  func longFiles() {
    let path = "Sources/Peer/A.swift"
    let full = String(repeating: "let a = 0\n", count: 500)
    #expect(lines(.fileLengths, path, full + "let a = 0\n") == [501])
    #expect(lines(.fileLengths, path, full) == [])
    #expect(lines(.fileLengths, path, "// tidy: one table of all openings\n" + full) == [])
  }

  @Test(
    "Long functions", arguments: ["func f<A: B>(a: [Int] = { [] }()) -> A where A: C {", "init(a: Int) {"])
  func longFunctions(_ head: String) {
    let path = "Sources/Peer/A.swift"
    let body = String(repeating: "  if a { b() }\n", count: 58)
    #expect(lines(.functionLengths, path, "\n\(head)\n\(body)  c()\n}\n") == [2])
    #expect(lines(.functionLengths, path, "\n\(head)\n\(body)}\n") == [])
    #expect(lines(.functionLengths, path, "// tidy: one table of moves\n\(head)\n\(body)  c()\n}\n") == [])
    let requirement = "protocol P {\n  func f() -> Int\n  var a: Int { get }\n}\nenum E {\n\(body)\n}\n"
    #expect(lines(.functionLengths, path, requirement) == [])
  }

  @Test("Dead names and files")
  func deadCode() {
    let dead = places(
      .deadCode,
      [
        "Sources/Peer/A.swift": "package struct Used {}\nprivate func unused() {}\n",
        "Sources/Peer/B.swift":
          "// Lonely\nextension Lonely {}\nstruct Lonely { let u: Used }\nlet l = Lonely()\n",
        "Sources/Peer/C.swift": "let a = 0\n",
        "Tests/PeerTests/A.swift": "let x = l(\"a\")\nextension Lonely {}\n",
      ])
    #expect(dead == ["Sources/Peer/A.swift:2", "Sources/Peer/C.swift:1"])
    let unused = places(
      .deadCode,
      [
        "Bots/Search/A.swift":
          "struct First { func go() { First(\"\\(1)\") } }\nfunc second() { second() }\n",
        "Bots/Search/B.swift": "extension First {}\n",
      ])
    #expect(unused == ["Bots/Search/A.swift:1"])
  }

  @Test("Living names and files")
  func livingCode() {
    let found = places(
      .deadCode,
      [
        "Sources/Peer/A.swift": "struct A { let inner = 0 }\nprivate let one = 1\nfunc f() -> Int { one }\n",
        "Sources/Peer/A+B.swift": "extension A { func nobody() {} }\n",
        "Sources/Peer/C.swift": "struct C {}\nextension A { func give() -> C { C() } }\n",
        "Tools/CLI/main.swift": "let main = 0\n",
        "Tests/PeerTests/A.swift": "let x = f()\nlet y = A().give()\n",
      ])
    #expect(found == [])
  }

  @Test("The list of allowed dead names is true")
  func allowedDead() throws {
    let tree = try TidyTests.tree.get()
    let declared = Set(
      tree.swiftFiles.filter { $0.isIn("Sources", "Bots") }.flatMap(\.topLevelNames).map(\.name))
    for (name, reason) in Check.allowedDead {
      #expect(declared.contains(name), "\(name) is gone: take it off the list")
      #expect(reason.split(separator: " ").count >= 3, "\(name) needs a reason")
    }
  }

  @Test("Titles")
  func titles() {
    #expect(lines(.documentTitles, "README.md", "Words\n\n## Section\n") == [1])
    #expect(lines(.documentTitles, "Docs/A.md", "# One\n\n## Section\n\n# Two\n") == [5])
    #expect(lines(.documentTitles, "Docs/A.md", "# One\n\n```\n# a comment\n```\n\n## Section\n") == [])
  }

  @Test(
    "Links that lead nowhere",
    arguments: [
      "[a](B.md)", "[a](../../README.md)", "![a](/README.md)", "[a]: C.md", "[a]() b", "[a](C.md#x)",
    ])
  func brokenLinks(_ link: String) {
    let found = places(.documentLinks, ["Docs/A.md": "# A\n\n\(link)\n", "README.md": "# R\n"])
    #expect(found == ["Docs/A.md:3"])
  }

  @Test(
    "Links that lead somewhere",
    arguments: [
      "[a](../README.md)", "[a](A.md#part \"title\")", "[a](#part)", "[a](https://example.org/x)",
      "`[a](B.md)`", "```\n[a](B.md)\n```", "[a]: ../README.md", "[a](..)", "[b](./A%2Emd)",
    ])
  func goodLinks(_ link: String) {
    let found = places(.documentLinks, ["Docs/A.md": "# A\n\n\(link)\n", "README.md": "# R\n"])
    #expect(found == [])
  }

  @Test("Tests that the page of threats names")
  func namedTests() {
    let suite = "@Suite struct ATests {\n  @Test func holds() {}\n}\n"
    func found(_ cells: String, in page: String = "Docs/THREATS.md") -> [String] {
      let row = "# T\n\n| `a.b` | \(cells) |\n"
      return places(.namedTests, [page: row, "Tests/RulesTests/ATests.swift": suite])
    }
    for named in ["`ATests.holds`", "`ATests`", "none", "`BTests` | `ATests`, `ATests.holds`"] {
      #expect(found(named) == [], "\(named)")
    }
    for gone in ["`ATests.is`", "`BTests`", "`BTests.holds`", "`holds`", "`ATests.`", "`ATests`, `b`"] {
      #expect(found(gone).allSatisfy { $0 == "Docs/THREATS.md:3" } && found(gone).count == 1, "\(gone)")
    }
    #expect(found("`BTests`", in: "Docs/A.md") == [])
  }

  @Test("Names that differ in their case alone")
  func letterCase() {
    #expect(places(.letterCase, ["Tools/Run": "", "Tools/run": "", "tools/b": ""]) == ["Tools/Run:1"])
    #expect(places(.letterCase, ["Tools/run": "", "Tools/runs": ""]) == [])
  }

  @Test("White space")
  func whiteSpace() {
    for path in ["Sources/Peer/A.swift", "Tools/setup", "README.md"] {
      #expect(lines(.whiteSpace, path, "a\nb \n") == [2])
      #expect(lines(.whiteSpace, path, "a\r\n") == [1])
      #expect(lines(.whiteSpace, path, "a\n\tb\n") == [2])
      #expect(lines(.whiteSpace, path, "a\nb") == [2])
      #expect(lines(.whiteSpace, path, "a\n\n").count == 1)
      #expect(lines(.whiteSpace, path, "a\n\n  b\n") == [])
    }
  }
}

/// A target of Package.swift.
struct PackageTarget: Equatable {
  let name: String
  let dependencies: [String]
  /// The folder with its sources.
  let path: String
}

/// The targets of Package.swift, read from its text: each element of the last array that is called `targets`.
struct PackageTargets {
  private(set) var targets: [PackageTarget] = []

  init(_ manifest: SourceFile) {
    let swift = manifest.swift
    let starts = swift.tokens.indices.filter { swift.matches(SwiftTokens("targets: ["), at: $0) }
    guard let start = starts.last else { return }
    var depth = 1
    var element: [Token] = []
    for token in swift.tokens[(start + 3)...] {
      let symbol = token.kind == .symbol ? token.text : ""
      if ["(", "[", "{"].contains(symbol) { depth += 1 }
      if [")", "]", "}"].contains(symbol) { depth -= 1 }
      guard depth == 0 || (depth == 1 && symbol == ",") else {
        element.append(token)
        continue
      }
      if let target = PackageTargets.target(element) { targets.append(target) }
      element = []
      if depth == 0 { break }
    }
  }

  /// A call such as `library("Games", ["Rules"], path: "…")`: the first string is the name, the others
  /// before any label, or after `dependencies:`, are the dependencies.
  private static func target(_ tokens: [Token]) -> PackageTarget? {
    guard let name = tokens.first(where: { $0.kind == .string })?.text else { return nil }
    let kind = tokens.first { $0.kind == .word }?.text ?? ""
    var label = ""
    var dependencies: [String] = []
    var path: String?
    for (index, token) in tokens.enumerated() {
      let isLabel = token.kind == .word && index + 1 < tokens.count && tokens[index + 1].text == ":"
      if isLabel { label = token.text }
      guard token.kind == .string else { continue }
      if label == "path" { path = token.text }
      if label == "dependencies" || (label.isEmpty && token.text != name) { dependencies.append(token.text) }
    }
    let parent = ["tests", "testTarget"].contains(kind) ? "Tests" : "Sources"
    return PackageTarget(name: name, dependencies: dependencies, path: path ?? "\(parent)/\(name)")
  }

  /// The target whose folder holds the file.
  func owner(of path: String) -> PackageTarget? {
    targets.filter { path.hasPrefix($0.path + "/") }.max { $0.path.utf8.count < $1.path.utf8.count }
  }
}

extension Check {
  /// Imports follow Package.swift, and its targets name only targets above them.
  static let moduleOrder = Check(
    "imports follow the order of modules",
    inAll: { tree in
      guard let manifest = tree.file("Package.swift") else { return [] }
      let package = PackageTargets(manifest)
      return unorderedTargets(package, manifest) + tree.swiftFiles.flatMap { wrongImports(package, $0) }
    })

  private static func unorderedTargets(_ package: PackageTargets, _ manifest: SourceFile) -> [Violation] {
    var above: Set<String> = []
    var found: [Violation] = []
    for target in package.targets {
      for name in target.dependencies where !above.contains(name) {
        let line = manifest.swift.tokens.last { $0.kind == .string && $0.text == target.name }?.line ?? 1
        found.append(
          Violation(
            manifest, line, "\(target.name) depends on \(name), which does not stand above it",
            do: "A module uses only modules above its own: move the code or the target"))
      }
      above.insert(target.name)
    }
    return found
  }

  private static func wrongImports(_ package: PackageTargets, _ file: SourceFile) -> [Violation] {
    // The package of somebody outside has targets of its own.
    guard file.isIn("Sources", "Bots", "Tools", "Tests"), !file.isIn("Tests/OutsidePackage") else {
      return []
    }
    guard let target = package.owner(of: file.path) else {
      return [
        Violation(
          file, 1, "no target of Package.swift owns this file", do: "Add the target, or delete the file")
      ]
    }
    let allowed = Set(target.dependencies).union(toolchain).union(file.isIn("Tests") ? ["Testing"] : [])
    return file.imports.filter { !allowed.contains($0.module) }.map {
      Violation(
        file, $0.line, "\(target.name) imports \($0.module), which is not among its dependencies",
        do: "Declare it in Package.swift if that module stands above, else move the code")
    }
  }

  private static let toolchain: Set = [
    "Swift", "Synchronization", "Dispatch", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc",
  ]
}

import Foundation

/// One text file of the project.
struct SourceFile {
  /// Relative to the root, with `/` between the parts.
  let path: String
  let text: String
  let lines: [Substring]
  /// Empty for files that are not Swift.
  let swift: SwiftTokens

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    swift = SwiftTokens(path.hasSuffix(".swift") ? text : "")
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isMarkdown: Bool { path.hasSuffix(".md") }

  /// Whether the file lies in one of the folders.
  func isIn(_ folders: String...) -> Bool { folders.contains { path.hasPrefix($0 + "/") } }

  /// Whether the file is a program that shows how bots are written.
  var isExample: Bool { isIn("Bots/Examples") }

  /// Whether the file belongs to a module whose results depend on nothing but its input.
  var isPure: Bool {
    isIn("Bots") && !isExample || SourceFile.pureModules.contains { path.hasPrefix("Sources/\($0)/") }
  }

  static let pureModules = [
    "Ratings", "Rules", "Games", "BotKit", "Events", "Projection", "Gossip", "Channel", "Tournaments",
    "Simulation",
  ]
}

/// What the checks look at: the texts of the project and the names of all its files and folders.
struct SourceTree {
  /// In the order of their paths.
  var files: [SourceFile]
  /// Files and folders, text or not, relative to the root.
  var paths: Set<String>

  /// A tree of texts, for tests of the checks themselves.
  init(_ texts: KeyValuePairs<String, String>) {
    files = texts.map { SourceFile(path: $0.key, text: $0.value) }
    paths = Set(texts.map(\.key))
  }

  /// The project that this file lies in. Hidden folders other than `.ci` hold nothing of ours.
  init(root: URL) throws {
    files = []
    paths = []
    try read(folder: root, prefix: "")
    files.sort { $0.path < $1.path }
  }

  var swiftFiles: [SourceFile] { files.filter(\.isSwift) }

  func file(_ path: String) -> SourceFile? { files.first { $0.path == path } }

  private mutating func read(folder: URL, prefix: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      if name.hasPrefix("."), name != ".ci" { continue }
      let path = prefix + name
      let place = folder.appendingPathComponent(name)
      paths.insert(path)
      let type = try FileManager.default.attributesOfItem(atPath: place.path)[.type] as? FileAttributeType
      if type == .typeDirectory {
        try read(folder: place, prefix: path + "/")
      } else if type == .typeRegular, SourceTree.isText(path) {
        files.append(SourceFile(path: path, text: try String(contentsOf: place, encoding: .utf8)))
      }
    }
  }

  /// Whether the checks read the file: sources, scripts and documents, but no fixtures.
  static func isText(_ path: String) -> Bool {
    if path.hasPrefix("Tests/Fixtures/") { return path.hasSuffix(".md") }
    let scripts = [
      "Tools/setup", "Tools/parlor", "Tools/test", "Tools/run", "Tools/fuzz", "Tools/plant", "Tools/package",
      "Tools/pictures", ".ci/run",
    ]
    let endings = [".swift", ".md", ".sh", ".py", ".h", ".c", ".modulemap", ".yml", ".js", ".css", ".html"]
    return scripts.contains(path) || endings.contains { path.hasSuffix($0) }
  }
}

internal import Events

/// The page that checks files of games, as one file, which a browser also opens from disk.
///
/// Browsers load no modules for a page from disk, so they stand in the page itself: each module behind those that it
/// imports, without its imports and without the word `export`. The page names the hashes of its script and its styles:
/// nothing else runs in it, wherever it was kept.
struct VerifyPage {
  /// Why modules cannot stand in one page.
  enum Fault: Error, Equatable {
    /// There is no such file.
    case missing(String)
    /// A file declares a name that another one has declared.
    case declaredTwice(String, in: String)
    /// A file has what would end a script or a style in a page, or an import of another form.
    case outOfPlace(in: String)
  }

  /// The page.
  let text: String
  /// What it may run and load, as the answer that gives it says too.
  let policy: String

  /// - Parameter files: the texts of its parts, by their paths; the page itself is `verify.html`.
  init(_ files: [String: String]) throws(Fault) {
    var modules = Modules(files)
    try modules.add("verify.js")
    let script = "\n" + modules.text
    var (styles, lines): ([String], [Substring]) = ([], [])
    for line in try Self.file("verify.html", files).split(separator: "\n", omittingEmptySubsequences: false) {
      if let path = line.between("<link rel=\"stylesheet\" href=\"", "\">") {
        let style = "\n" + (try Self.file(path, files))
        guard !style.contains("</") else { throw .outOfPlace(in: path) }
        styles.append(style)
        lines.append("<style>\(style)</style>")
      } else if line.hasPrefix("<script ") {
        lines.append("<script type=\"module\">\(script)</script>")
      } else {
        lines.append(line)
      }
    }
    let policy =
      "default-src 'none'; script-src \(Self.source(script)); "
      + "style-src \(styles.map(Self.source).joined(separator: " ")); base-uri 'none'; form-action 'none'"
    let meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
    guard let place = lines.firstIndex(where: { $0.hasPrefix("<meta charset=") }) else {
      throw .outOfPlace(in: "verify.html")
    }
    lines.insert(Substring(meta), at: place + 1)
    text = lines.joined(separator: "\n")
    self.policy = policy + "; frame-ancestors 'none'"
  }

  fileprivate static func file(_ path: String, _ files: [String: String]) throws(Fault) -> String {
    guard let text = files[path] else { throw .missing(path) }
    return text
  }

  /// What a policy calls a text that stands in the page.
  private static func source(_ text: String) -> String {
    "'sha256-\(Base64.text(Hashing.sha256(Array(text.utf8))))'"
  }
}

/// Modules in one script.
private struct Modules {
  private let files: [String: String]
  private var (found, names): (Set<String>, Set<Substring>) = ([], [])
  private(set) var text = ""

  init(_ files: [String: String]) { self.files = files }

  /// Adds a module behind all that it imports.
  mutating func add(_ path: String) throws(VerifyPage.Fault) {
    guard found.insert(path).inserted else { return }
    var (own, imported): (String, Substring?) = ("", nil)
    for line in try VerifyPage.file(path, files).split(separator: "\n", omittingEmptySubsequences: false) {
      if imported != nil || line.hasPrefix("import ") {
        imported = (imported ?? "") + line
        guard line.hasSuffix(";") else { continue }
        guard let name = imported?.between(" from \"", "\";") else { throw .outOfPlace(in: path) }
        try add(Self.path(of: name, in: path))
        imported = nil
        continue
      }
      let line = line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
      if let name = Self.declared(line), !names.insert(name).inserted {
        throw .declaredTwice(String(name), in: path)
      }
      own += line + "\n"
    }
    guard !own.contains("</script"), !own.contains("<!--") else { throw .outOfPlace(in: path) }
    text += own
  }

  /// The name that a line declares for the whole module.
  private static func declared(_ line: Substring) -> Substring? {
    let line = line.hasPrefix("async ") ? line.dropFirst("async ".count) : line
    for word in ["function ", "class ", "const ", "let "] where line.hasPrefix(word) {
      return line.dropFirst(word.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    }
    return nil
  }

  /// The path that a module calls by a name such as `./bytes.js` or `../elements.js`.
  private static func path(of name: String, in path: String) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}

extension Substring {
  /// What stands between two texts that it has in this order.
  fileprivate func between(_ before: String, _ after: String) -> String? {
    guard let start = firstRange(of: before)?.upperBound,
      let end = self[start...].firstRange(of: after)?.lowerBound
    else { return nil }
    return String(self[start..<end])
  }
}

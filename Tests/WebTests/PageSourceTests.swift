import Foundation
import TestKit
import Testing

@testable import Web

/// The page's sources: what is served is what lies in the folder, it is small, and nothing in it makes markup of texts.
@Suite struct PageSourceTests {
  private static let folder = PackageFolder.file("Sources/Web/Page")

  /// The files by their paths in the folder.
  private static func sources() throws -> [String: [UInt8]] {
    var sources: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
      sources[path] = Array(try Data(contentsOf: file))
    }
    return sources
  }

  /// Whether a file is of the page that checks files of games.
  private static func isOfProtocol(_ path: String) -> Bool {
    path.hasPrefix("protocol/") || isServedWithin(path)
  }

  /// Whether a file is not served by itself: a part of the page of one file, or what tells Node of modules.
  private static func isServedWithin(_ path: String) -> Bool {
    path.hasPrefix("verify.") || path == "protocol/package.json"
  }

  @Test func whatIsServedIsWhatLiesThere() throws {
    let sources = try Self.sources().filter { !Self.isServedWithin($0.key) }
    let files = PageFile.all()
    #expect(files.count == sources.count + 1 && files.count > 3)
    #expect(try #require(files["/verify.html"]).content.count <= 240_000)
    for (path, content) in sources {
      let file = files[path == "index.html" ? "/" : "/" + path]
      #expect(file?.content == content, "\(path): Sources/System/CPage/page.c has a row for each file")
    }
  }

  @Test func itIsSmall() throws {
    let sources = try Self.sources()
    // What a browser fetches that opens every part of it.
    let packed = PageFile.all().filter { $0.key != "/verify.html" }.values.map(\.packed.count).reduce(0, +)
    #expect(packed <= 150_000)
    // 120,000 bytes were enough until there was a sheet to draw on, which has some 5,500; hosting with a key has 5,400,
    // and what moves were worth 3,600. The protocol's files had 220,000 before drawing games were read and played, and
    // 240,000 before games with rounds were.
    for (isOfProtocol, limit) in [(false, 138_000), (true, 285_000)] {
      let files = sources.filter { Self.isOfProtocol($0.key) == isOfProtocol }
      #expect(files.values.map(\.count).reduce(0, +) <= limit && files.count > 3)
    }
    for (path, content) in sources {
      let lines = String(decoding: content, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 400, "\(path)")
      for (index, line) in lines.enumerated() { #expect(line.count <= 120, "\(path):\(index + 1)") }
    }
  }

  /// What turns a text into markup, code or style, or leads away from this server.
  private static let banned = [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment",
    "setHTMLUnsafe", "srcdoc", "eval(", "new Function", "javascript:", "import(", ".style", "cssText",
    "\"style\"", " style=", "<style", "postMessage", "https://",
  ]

  /// What is wrong with a source, in words.
  private static func faults(_ text: String) -> [String] {
    var faults = banned.filter { text.contains($0) }
    // The name of SVG's elements is an address that nobody asks.
    let addresses = text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
    if addresses.contains("http://") { faults.append("http://") }
    if text.range(of: #"<[^>]*\son[a-z]+\s*="#, options: .regularExpression) != nil {
      faults.append("a handler in markup")
    }
    if text.range(of: #"<script(?![^>]*\ssrc=)"#, options: .regularExpression) != nil {
      faults.append("a script in markup")
    }
    return faults
  }

  @Test func textsAreNeverMarkup() throws {
    for (path, content) in try Self.sources() {
      #expect(Self.faults(String(decoding: content, as: UTF8.self)) == [], "\(path)")
    }
  }

  @Test(
    "What would be found",
    arguments: [
      "place.innerHTML = name", "made.insertAdjacentHTML('beforeend', text)", "document.write(text)",
      "eval(text)",
      "<p onclick=\"go()\">", "<p style=\"color: red\">", "<script>go()</script>", "made.style.color = 'red'",
      "fetch('http://example.org')", "element(\"p\", { \"style\": text })",
    ])
  func faultsAreFound(_ text: String) { #expect(Self.faults(text).count == 1) }
}

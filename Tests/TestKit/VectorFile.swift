import Foundation
import Testing

/// A file of test vectors: records of `name: value` lines with an empty line after each, in UTF-8.
///
/// Lines that begin with `#` are for people. Values are hexadecimal bytes, decimal numbers or words.
package struct VectorFile {
  package typealias Record = [(name: String, value: String)]

  package let name: String
  package let introduction: [String]
  package var records: [Record] = []

  package init(_ name: String, _ introduction: [String]) {
    self.name = name
    self.introduction = introduction
  }

  private var url: URL {
    PackageFolder.file("Tests/Fixtures/vectors/\(name).txt")
  }

  private var text: String {
    let head = introduction.map { "# \($0)\n" }.joined()
    return head + "\n"
      + records.map { $0.map { "\($0.name): \($0.value)\n" }.joined() }.joined(separator: "\n")
  }

  /// Expects that the file holds exactly these records. With PARLOR_RECORD=1 it is written instead.
  package func check() throws {
    if ProcessInfo.processInfo.environment["PARLOR_RECORD"] == "1" {
      try Data(text.utf8).write(to: url)
      return
    }
    let stored = try Data(contentsOf: url)
    #expect(stored == Data(text.utf8), "\(name).txt is not what this program makes")
  }

  /// The records of the file, each as a dictionary.
  package func stored() throws -> [[String: String]] {
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
    return lines.split(separator: "").map { record in
      var fields: [String: String] = [:]
      for line in record {
        let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        fields[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
      }
      return fields
    }
  }
}

import Foundation

/// Published figures that are compared with where they lie, because they are not all ours to pass on.
///
/// They are looked for beside the package, in `../shared/reference/data`, or in the folder that the
/// environment variable `PARLOR_REFERENCE_DATA` names. Tests that need them are skipped without them:
/// `@Test(.enabled(if: ReferenceData.has("axelrod"), ReferenceData.absence))`.
package enum ReferenceData {
  /// Words for a skipped test.
  package static let absence = "the reference data are not beside the package (../shared/reference/data)"

  /// Whether a file or folder of the reference data is there.
  package static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The lines of a text file; a name that ends in `.gz` is unpacked by `gzip`.
  package static func lines(_ name: String) throws -> [Substring] {
    let text =
      name.hasSuffix(".gz")
      ? try unpacked(path(name)) : try String(contentsOfFile: path(name), encoding: .utf8)
    return text.split(whereSeparator: \.isNewline)
  }

  /// The bytes of a file.
  package static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The names of what is in a folder, in no order.
  package static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder))
  }

  /// Where a file or folder of the reference data lies.
  package static func path(_ name: String) -> String {
    let folder =
      ProcessInfo.processInfo.environment["PARLOR_REFERENCE_DATA"]
      ?? PackageFolder.file("../shared/reference/data").path
    return folder + "/" + name
  }

  private static func unpacked(_ path: String) throws -> String {
    let output = Pipe()
    let gzip = try ChildProcess(["/usr/bin/env", "gzip", "-dc", path], output: .pipe(output))
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    guard gzip.terminationStatus == 0 else { throw Unreadable(path: path, status: gzip.terminationStatus) }
    return String(decoding: data, as: UTF8.self)
  }

  private struct Unreadable: Error {
    var path: String
    var status: Int32
  }
}

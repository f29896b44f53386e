import Foundation
package import Testing

/// Texts that are kept beside the tests and compared byte for byte.
package enum Snapshot {
  /// Fails unless the file holds exactly this text.
  ///
  /// With `PARLOR_WRITE_SNAPSHOTS` set, the file is written instead.
  package static func check(_ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let url = PackageFolder.file(path)
    if ProcessInfo.processInfo.environment["PARLOR_WRITE_SNAPSHOTS"] != nil {
      let folder = url.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try Data(text.utf8).write(to: url)
    }
    let known = try String(decoding: Data(contentsOf: url), as: UTF8.self)
    let advice: Comment =
      "\(path) differs; PARLOR_WRITE_SNAPSHOTS=1 Tools/test --filter 'EndToEndTests|CommandLineTests' writes it"
    #expect(text == known, advice, sourceLocation: sourceLocation)
  }
}

package import Foundation

/// The folder in which this package lies, and what the tests read of it.
package enum PackageFolder {
  package static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file or folder of the package.
  package static func file(_ path: String) -> URL { url.appending(path: path).standardizedFileURL }

  /// What a file of the package says.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: file(path), encoding: .utf8)
  }
}

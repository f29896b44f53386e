import Foundation

/// The programs of this package.
public enum BuiltProgram {
  /// The file of a program, which lies beside the tests; `nil` where there is none.
  public static func path(_ name: String) -> String? {
    // On Darwin the tests run from inside a bundle that lies where the programs lie.
    let neighbours = [Bundle.main.executableURL, Bundle(for: Marker.self).bundleURL].compactMap(\.self)
    return neighbours.map { $0.deletingLastPathComponent().appendingPathComponent(name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private final class Marker {}
}

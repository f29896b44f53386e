import Foundation

/// The programs of this package.
public enum BuiltProgram {
  /// The file of a program: it lies beside the program under test, which `PARLOR_PROGRAM` names, else beside the
  /// tests; `nil` where there is none.
  public static func path(_ name: String) -> String? {
    let tested = ProcessInfo.processInfo.environment["PARLOR_PROGRAM"].map { URL(fileURLWithPath: $0) }
    // On Darwin the tests run from inside a bundle that lies where the programs lie.
    let neighbours = [tested, Bundle.main.executableURL, Bundle(for: Marker.self).bundleURL]
    return neighbours.compactMap(\.self).map {
      $0.deletingLastPathComponent().appendingPathComponent(name).path
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private final class Marker {}
}

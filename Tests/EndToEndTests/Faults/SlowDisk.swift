import Foundation
import TestKit
import Testing

/// What makes each flush of a program take longer (`Tools/Faults/slow-flush.c`).
struct SlowDisk {
  private let folder: TemporaryFolder

  /// The environment of a program whose flushes wait first.
  func environment(microseconds: Int) -> [String: String] {
    ["LD_PRELOAD": folder.file("slow-flush.so"), "FLUSH_MICROSECONDS": "\(microseconds)"]
  }

  /// Compiles the library; `nil` where there is no compiler or nothing can be preloaded.
  init?() throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let compilers = path.split(separator: ":").map { "\($0)/clang" }
    guard let clang = compilers.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    folder = try TemporaryFolder()
    let source = PackageFolder.file("Tools/Faults/slow-flush.c").path
    let words = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", source, "-o"]
    let run = try Dialogue(words + [folder.file("slow-flush.so")], home: folder, program: clang)
    let end = try run.finish()
    try #require(end.status == 0, "\(end.errors)")
  }
}

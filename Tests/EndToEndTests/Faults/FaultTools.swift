import Foundation
import TestKit
import Testing

/// A program other than ours, run to its end.
enum OtherProgram {
  /// Where it lies on the path of whoever runs the tests, or `nil`.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Runs it with nothing at its input; its output goes through files, so that no length of it matters.
  static func run(
    _ path: String, _ arguments: [String], in folder: TemporaryFolder,
    environment: [String: String] = ["LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC"]
  ) throws -> Program.Finished {
    let name = UUID().uuidString
    let process = try ChildProcess(
      [path] + arguments, in: folder.path, environment: environment,
      output: .file(folder.written("\(name).out")), errors: .file(folder.written("\(name).err")))
    process.waitUntilExit()
    return Program.Finished(
      status: process.terminationStatus,
      output: String(decoding: try folder.bytes("\(name).out"), as: UTF8.self),
      errors: String(decoding: try folder.bytes("\(name).err"), as: UTF8.self))
  }
}

/// strace(1), which makes system calls of a program fail.
enum Strace {
  /// The path of a strace that works here: in a container it may be forbidden.
  static let path: String? = {
    guard let path = OtherProgram.find("strace") else { return nil }
    do {
      let folder = try TemporaryFolder()
      let words = ["-f", "-o", folder.file("calls"), "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"]
      return try OtherProgram.run(path, words + ["true"], in: folder).status == 0 ? path : nil
    } catch { return nil }
  }()
}

/// The programs of the power-cut rig, compiled from `Tools/Faults` into a folder that is gone with this.
struct FaultTools {
  private static let compiler = OtherProgram.find("clang")

  /// What is missing for the rig on this machine, in words; `nil` when all is there.
  static let missing: String? = {
    return compiler == nil ? "there is no clang on the path" : nil
  }()

  let folder: TemporaryFolder
  /// The library that records what a program writes.
  var recorder: String { folder.file("record.so") }
  /// The program that goes through disk states.
  var cuts: String { folder.file("cuts") }

  init() throws {
    folder = try TemporaryFolder()
    try compile(["record.c"], ["-shared", "-fPIC", "-o", recorder, "-ldl", "-lpthread"])
    try compile(["cuts.c", "disk.c", "draw.c", "programs.c"], ["-o", cuts])
  }

  private func compile(_ files: [String], _ more: [String]) throws {
    let sources = files.map { PackageFolder.file("Tools/Faults/\($0)").path }
    let settings = ["-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror"]
    let run = try OtherProgram.run(try #require(Self.compiler), settings + sources + more, in: folder)
    try #require(run.status == 0, "\(run.errors)")
  }
}

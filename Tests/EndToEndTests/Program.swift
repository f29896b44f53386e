import Foundation
import TestKit
import Testing

/// The real program, as a user's shell runs it.
enum Program {
  /// What a run left behind.
  struct Finished {
    let status: Int32
    let output: String
    let errors: String

    /// The JSON objects of the output, a line each; fails for a line that is none.
    func objects() throws -> [[String: Any]] {
      try output.split(separator: "\n").map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any], "not an object: \(line)")
      }
    }
  }

  /// The program under test: `PARLOR_PROGRAM`, else the one beside the tests; `nil` where neither is there.
  static let path = ProcessInfo.processInfo.environment["PARLOR_PROGRAM"] ?? BuiltProgram.path("parlor")

  /// Whether there is a program to test.
  static var isThere: Bool { path != nil }

  /// What a skipped test says.
  static let missing: Comment = "there is no program: set PARLOR_PROGRAM, or build the program first"

  /// A run that goes on until it is awaited.
  struct Running {
    let process: ChildProcess
    fileprivate let folder: TemporaryFolder
    /// Kept, so that the folder does not go while the program works in it.
    fileprivate let home: TemporaryFolder

    /// Waits for the program's end.
    /// - Throws: `Stuck`, when it does not end; then it is killed.
    func finish() throws -> Finished {
      let end = ContinuousClock.now + Stuck.limit
      while process.isRunning {
        guard ContinuousClock.now < end else {
          process.killWithDescendants()
          throw Stuck(words: process.words, output: try printed(), errors: try said())
        }
        usleep(500)
      }
      return Finished(
        status: process.terminationStatus,
        output: try printed(), errors: try said())
    }

    /// What it has printed so far.
    func printed() throws -> String { String(decoding: try folder.bytes("out"), as: UTF8.self) }

    /// What it has said on standard error so far.
    private func said() throws -> String { String(decoding: try folder.bytes("err"), as: UTF8.self) }
  }

  /// A run that did not end, with what it had printed until then.
  struct Stuck: Error, CustomStringConvertible {
    let words: [String]
    let output: String
    let errors: String

    /// How long a run may take before it counts as stuck and is killed: far beyond anything that is right.
    static let limit: Duration = .seconds(600)

    var description: String { "it did not end: \(words)\n\(output)\n\(errors)" }
  }

  /// What every run finds in its environment.
  static func standardEnvironment(_ home: TemporaryFolder) -> [String: String] {
    // By its last name a shell finds the program too, so that this is what stands in the commands that it prints.
    let folder = path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "/usr/bin"
    return ["HOME": home.path, "LANG": "C.UTF-8", "PATH": "\(folder):/usr/bin:/bin", "TZ": "UTC"]
  }

  /// Starts the program with nothing in its environment but what is said here and a home of its own.
  static func start(
    _ arguments: [String], home: TemporaryFolder, input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Running {
    let folder = try TemporaryFolder()
    try folder.write("in", input)
    let content = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file("in")))
    return try start(arguments, home: home, folder, input: .file(content), environment: environment)
  }

  /// Starts it with somebody at its input who may still write.
  static func start(_ arguments: [String], home: TemporaryFolder, input: Pipe) throws -> Running {
    try start(arguments, home: home, try TemporaryFolder(), input: .pipe(input), environment: [:])
  }

  private static func start(
    _ arguments: [String], home: TemporaryFolder, _ folder: TemporaryFolder, input: ChildProcess.End,
    environment: [String: String]
  ) throws -> Running {
    let process = try ChildProcess(
      home.enter + [#require(path)] + arguments, in: home.path,
      environment: standardEnvironment(home).merging(environment) { _, new in new },
      input: input, output: .file(folder.written("out")), errors: .file(folder.written("err")))
    return Running(process: process, folder: folder, home: home)
  }

  /// Runs the program to its end.
  static func run(
    _ arguments: String..., home: TemporaryFolder, input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Finished {
    try start(arguments, home: home, input: input, environment: environment).finish()
  }
}

/// A folder that is gone when the test lets go of it.
final class TemporaryFolder {
  let path: String
  /// The beginning of a command line that runs the rest under other conditions, its program by its whole path.
  var enter: [String] = []

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("parlor-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  func write(_ name: String, _ bytes: Data) throws { try bytes.write(to: URL(fileURLWithPath: file(name))) }

  /// A new file that a program writes to.
  func written(_ name: String) throws -> FileHandle {
    try write(name, Data())
    return try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
  }

  /// Every file and folder below, by relative path, ascending, with its permission bits.
  func tree() throws -> [(path: String, mode: Int)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    return try names.map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
      return (name, try #require(attributes[.posixPermissions] as? Int))
    }
  }
}

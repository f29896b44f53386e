import Foundation
import TestKit
import Testing

/// The benchmark as somebody runs it: it must fail when what it measures is wrong.
@Suite("The benchmark", .blocking, .enabled(if: BenchProgram.isThere, "there is no built benchmark"))
struct BenchProgramTests {
  @Test("A set of positions with right values is solved, one with a wrong value fails with status 1")
  func solves() throws {
    let folder = try StoreFolder()
    let sets = folder.path + "/connect4"
    try FileManager.default.createDirectory(atPath: sets, withIntermediateDirectories: true)
    let position = "2252576253462244111563365343671351441"
    for (value, status) in [(-1, 0), (1, 1)] as [(Int, Int32)] {
      try Data("\(position) \(value)\n".utf8).write(to: URL(fileURLWithPath: sets + "/Test_L3_R1"))
      let end = try BenchProgram.run(
        ["--only", "solve.connect-four.L3_R1"], environment: ["PARLOR_REFERENCE_DATA": folder.path])
      #expect(end.status == status, "\(end.errors)")
      #expect(end.output.contains("\"name\":\"solve.connect-four.L3_R1\"") == (status == 0))
    }
  }

  @Test("A list that does not show the rooms fails with status 1")
  func lists() throws {
    let end = try BenchProgram.run(
      ["--quick", "--only", "start.list.small"], environment: ["PARLOR_PROGRAM": "/bin/true"])
    #expect(end.status == 1, "\(end.errors)")
  }

  @Test("What it cannot do it says, with the status of sysexits")
  func refuses() throws {
    #expect(try BenchProgram.run(["--only", "nothing"]).status == 64)
    #expect(try BenchProgram.run(["--games", "none"]).status == 64)
    #expect(try BenchProgram.run(["--only", "append", "--data", "/nowhere/at/all"]).status == 73)
    let missing = ["PARLOR_PROGRAM": "/nowhere/parlor"]
    #expect(try BenchProgram.run(["--only", "start.list"], environment: missing).status == 66)
  }

  @Test("Ctrl-C ends it with 130, and nothing is left behind")
  func stops() throws {
    let end = try BenchProgram.run(["--only", "match.tic-tac-toe.memory"], interruptedAt: "a match of")
    #expect(end.status == 130, "\(end.errors)")
  }

  @Test("A figure of several processes is measured, and Ctrl-C ends all of them")
  func startsProcesses() throws {
    let whole = try BenchProgram.run(["--quick", "--only", "sync.one-feed"])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(whole.output.hasPrefix("{\"name\":\"sync.one-feed\",\"value\":"))
    let stopped = try BenchProgram.run(["--only", "sync.one-feed"], interruptedAt: "sync.one-feed: ")
    #expect(stopped.status == 130, "\(stopped.errors)")
    #expect(try BenchProgram.run(["as-other-process", "nothing"]).status == 64)
  }

  @Test("Two line bots play and are verified, and end with the benchmark")
  func startsLineBots() throws {
    let whole = try BenchProgram.run(["--quick", "--only", "match.line-bots"])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(whole.output.hasPrefix("{\"name\":\"match.line-bots\",\"value\":"))
  }

  @Test("Sockets are those of the real program, which ends with the benchmark")
  func servesSockets() throws {
    let whole = try BenchProgram.run(["--quick", "--only", "socket"])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(whole.output.hasPrefix("{\"name\":\"socket.move\",\"value\":"))
    #expect(whole.output.contains("{\"name\":\"socket.watchers\",\"value\":"))
    let other = ["PARLOR_PROGRAM": "/bin/true"]
    let silent = try BenchProgram.run(["--quick", "--only", "socket.move"], environment: other)
    #expect(silent.status == 70 && silent.errors.contains("did not say \"web\""), "\(silent.errors)")
  }

  @Test("It names its figures, and its help shows examples")
  func tells() throws {
    let list = try BenchProgram.run(["--list"])
    let names = list.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    #expect(list.status == 0)
    #expect(names.contains("append.batch") && names.contains("solve.connect-four.L1_R3"))
    let help = try BenchProgram.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("Examples:") && help.output.contains("parlor-bench --quick"))
  }
}

/// The built benchmark.
private enum BenchProgram {
  struct End {
    let status: Int32
    let output: String
    let errors: String
  }

  private static let path = BuiltProgram.path("parlor-bench")

  static var isThere: Bool { path != nil }

  /// - Parameter interruptedAt: the words on standard error at which it gets a Ctrl-C; `nil` for none.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], interruptedAt: String? = nil
  ) throws -> End {
    let folder = try StoreFolder()
    var files: [FileHandle] = []
    for name in ["out", "err"] {
      let file = folder.path + "/" + name
      #expect(FileManager.default.createFile(atPath: file, contents: nil))
      files.append(try FileHandle(forWritingTo: URL(fileURLWithPath: file)))
    }
    let standard = ["TMPDIR": folder.path, "PATH": "/usr/bin:/bin"]
    let process = try ChildProcess(
      [try #require(path)] + arguments, environment: standard.merging(environment) { _, new in new },
      output: .file(files[0]), errors: .file(files[1]))
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)), as: UTF8.self)
    }
    if let interruptedAt {
      while process.isRunning, try !text("err").contains(interruptedAt) { usleep(20_000) }
      process.send(SIGINT)
    }
    let end = End(status: process.terminationStatus, output: try text("out"), errors: try text("err"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == ["err", "out"], "the benchmark left files behind")
    return end
  }
}

import Foundation
import TestKit
import Testing

/// The simulator as somebody runs it.
@Suite(
  "The simulator's program", .blocking, .enabled(if: SimulateProgram.isThere, "there is no built simulator"))
struct SimulateProgramTests {
  @Test("Its help shows options and examples, its list what can be chosen")
  func tells() throws {
    let help = try SimulateProgram.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("--scenario") && help.output.contains("parlor-simulate --seeds 2000"))
    let list = try SimulateProgram.run(["--list"])
    #expect(list.status == 0)
    for line in ["scenario\tmemory\t", "fault\tinvited-rooms\t", "mistake\tignores-distance\t"] {
      #expect(list.output.contains(line))
    }
  }

  @Test("0 when all held, 1 when something did not, 64 for wrong arguments")
  func statuses() throws {
    #expect(try SimulateProgram.run(["--scenario", "calm"]).status == 0)
    let failed = try SimulateProgram.run(["--scenario", "calm", "--plant", "talks-on", "--seeds", "1"])
    #expect(failed.status == 1)
    #expect(failed.output.contains("bounds: at "))
    #expect(failed.output.contains("again: parlor-simulate --first "))
    for words in [
      ["--seeds", "0"], ["--scenario", "none"], ["--trace", "--seeds", "2"], ["--peers", "1"],
      ["--scenario", "services", "--peers", "2"], ["--scenario", "services", "--plant", "talks-on"],
    ] {
      let refused = try SimulateProgram.run(words)
      #expect(refused.status == 64)
      #expect(refused.output.isEmpty && refused.errors.contains("--help"))
    }
  }

  @Test(
    "Each line of --json is an object, the seeds come in order, and two processes print the same digests",
    arguments: [("mixed", 12), ("services", 6), ("attacks", 4)])
  func repeats(_ scenario: String, _ most: Int) throws {
    let count = Effort.size(most, quick: 2)
    let words = ["--scenario", scenario, "--first", "7", "--seeds", "\(count)", "--json"]
    let runs = try (0..<2).map { _ in try SimulateProgram.run(words) }
    let seeds = try runs.map { try $0.objects().filter { $0["type"] as? String == "seed" } }
    #expect(seeds[0].compactMap { $0["seed"] as? Int } == Array(7..<(7 + count)))
    let digests = seeds.map { $0.compactMap { $0["digest"] as? String } }
    #expect(digests[0] == digests[1] && Set(digests[0]).count == count)
    let last = try #require(try runs[0].objects().last)
    #expect(last["type"] as? String == "finished")
    #expect(last["seeds"] as? Int == count && last["failed"] as? Int == 0)
  }

  @Test("Ctrl-C ends it with what was found so far, says how to go on, and 130")
  func stops() throws {
    let words = ["--scenario", "calm", "--seeds", "100000", "--jobs", "1", "--json"]
    let end = try SimulateProgram.run(words, interruptedAt: "\"type\":\"seed\"")
    #expect(end.status == 130)
    let last = try #require(try end.objects().last)
    let count = try #require(last["seeds"] as? Int)
    #expect(last["type"] as? String == "finished" && count > 0)
    #expect(end.errors.contains("go on with --first \(1 + count) --seeds \(100_000 - count)"))
  }
}

/// The built simulator.
private enum SimulateProgram {
  struct End {
    let status: Int32
    let output: String
    let errors: String

    func objects() throws -> [[String: Any]] {
      try output.split(separator: "\n").map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any], "not an object: \(line)")
      }
    }
  }

  private static let path = BuiltProgram.path("parlor-simulate")

  static var isThere: Bool { path != nil }

  /// - Parameter interruptedAt: the words on standard output at which it gets a Ctrl-C; `nil` for none.
  static func run(_ arguments: [String], interruptedAt: String? = nil) throws -> End {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }
    let files = try ["out", "err"].map { name in
      let file = folder.appendingPathComponent(name)
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    let process = try ChildProcess(
      [try #require(path)] + arguments, output: .file(files[0]), errors: .file(files[1]))
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }
    if let interruptedAt {
      while process.isRunning, try !text("out").contains(interruptedAt) { usleep(20_000) }
      process.send(SIGINT)
    }
    return End(status: process.terminationStatus, output: try text("out"), errors: try text("err"))
  }
}

import Foundation
import TestKit
import Testing

/// A run of the program that somebody watches: its input stays open, what it prints is read while it runs, and
/// it can be stopped at any moment.
final class Dialogue {
  /// What went wrong with a run that a test waits for.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let process: ChildProcess
  private let folder: TemporaryFolder
  /// Kept, so that the folder does not go while the program works in it.
  private let home: TemporaryFolder
  private let input = Pipe()

  /// Writing to a run that has ended is an error here, not the end of the tests.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Starts the program, or another one that starts it.
  init(
    _ arguments: [String], home: TemporaryFolder, program: String? = nil, environment: [String: String] = [:]
  ) throws {
    Self.ignoresBrokenPipes
    self.home = home
    folder = try TemporaryFolder()
    process = try ChildProcess(
      home.enter + [program ?? #require(Program.path)] + arguments, in: home.path,
      environment: Program.standardEnvironment(home).merging(environment) { _, new in new },
      input: .pipe(input), output: .file(folder.written("out")), errors: .file(folder.written("err")))
  }

  deinit {
    do { try endInput() } catch { Issue.record(error) }
  }

  // MARK: - Input

  /// Types this.
  func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Types this if the run still listens.
  func typeIfItListens(_ text: String) {
    do { try type(text) } catch { return }
  }

  /// Ends the input.
  func endInput() throws { try input.fileHandleForWriting.close() }

  /// Sends a signal.
  func send(_ signal: Int32) { process.send(signal) }

  // MARK: - Output

  /// What it has printed so far.
  func output() throws -> String { String(decoding: try folder.bytes("out"), as: UTF8.self) }

  /// The same, byte for byte.
  func outputBytes() throws -> Data { try folder.bytes("out") }

  /// How many whole lines it has printed so far.
  func lineCount() throws -> Int { try folder.bytes("out").count { $0 == 0x0A } }

  /// What it has said on standard error so far.
  func errors() throws -> String { String(decoding: try folder.bytes("err"), as: UTF8.self) }

  /// The objects of the whole lines printed so far.
  func objects() throws -> [[String: Any]] {
    let text = try output()
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return try Program.Finished(status: 0, output: String(text[..<end]), errors: "").objects()
  }

  /// The objects of one type printed so far.
  func objects(_ type: String) throws -> [[String: Any]] {
    try objects().filter { $0["type"] as? String == type }
  }

  // MARK: - Waiting

  /// Waits until something holds that the run brings about.
  /// - Throws: when the run ends without it.
  func wait(for what: String, pollMicroseconds: UInt32 = 1000, until holds: () throws -> Bool) throws {
    guard try waitOrEnd(pollMicroseconds: pollMicroseconds, until: holds) else {
      let run = try finish()
      throw Failure(description: "ended with \(run.status) before \(what)\n\(run.output)\n\(run.errors)")
    }
  }

  /// Waits until something holds, or the run has ended.
  /// - Returns: whether it holds.
  func waitOrEnd(pollMicroseconds: UInt32 = 1000, until holds: () throws -> Bool) throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + Program.Stuck.limit
    while true {
      let isRunning = process.isRunning
      if try holds() { return true }
      guard isRunning else { return false }
      guard clock.now < end else {
        process.killWithDescendants()
        throw Program.Stuck(words: process.words, output: try output(), errors: try errors())
      }
      usleep(pollMicroseconds)
    }
  }

  /// Waits for the end.
  func finish() throws -> Program.Finished {
    _ = try waitOrEnd { false }
    return Program.Finished(status: process.terminationStatus, output: try output(), errors: try errors())
  }

  /// Kills the run without a chance to do anything more.
  /// - Returns: `false` when it had ended by itself.
  @discardableResult func kill9() -> Bool {
    send(SIGKILL)
    return process.isKilled
  }
}

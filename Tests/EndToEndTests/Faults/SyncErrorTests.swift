import Foundation
import TestKit
import Testing

/// A disk that answers a sync, or a write, with an input/output error: the program stops with words, has
/// acknowledged nothing that is not there, and what is there can be gone on with.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: Strace.path != nil, "there is no strace here that can trace a program"))
struct SyncErrorTests {
  /// One fault: the `number`th call of that name in the process fails, and with `lasts` all after it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let call: String
    let number: Int
    var lasts = false

    var testDescription: String { "\(call) \(number)\(lasts ? " and after" : "")" }
    var injection: String { "inject=\(call):error=EIO:when=\(number)\(lasts ? "+" : "")" }
  }

  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs the program with a fault and returns what it said; the fault must have happened.
  private func run(_ words: [String], _ fault: Fault, input: String = "") throws -> Program.Finished {
    let logs = try TemporaryFolder()
    let program = try #require(Program.path)
    let watch = ["-f", "-qq", "-o", logs.file("calls"), "-e", "trace=\(fault.call)", "-e", fault.injection]
    let dialogue = try Dialogue(
      watch + [program] + words + ["--json", "--data", "data"], home: home,
      program: Strace.path)
    dialogue.typeIfItListens(input)
    try dialogue.endInput()
    let end = try dialogue.finish()
    let calls = String(decoding: try logs.bytes("calls"), as: UTF8.self)
    #expect(calls.contains("EIO") && calls.contains("(INJECTED)"), "\(fault) never came: \(calls)")
    #expect(!dialogue.process.isKilled, "\(end.errors)")
    return end
  }

  /// The run ended as one with a failing disk does, and nothing that it said is missing.
  private func checkStop(_ run: Program.Finished) throws {
    #expect(run.status == 74, "\(run.errors)")
    let last = run.errors.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("{\"type\":\"error\","), "\(run.errors)")
    #expect(last.contains("Input/output error"), "\(run.errors)")
    #expect(!last.contains("Fatal"), "\(run.errors)")
    let stored = try StoredRooms(home)
    for line in run.output.split(separator: "\n") {
      for (room, events) in try stored.promised(by: String(line)) {
        #expect(stored.count(room) >= events, "acknowledged and not there: \(line)")
      }
    }
  }

  /// Everything verifies, before and after another match, and no draft of a store is left.
  private func checkStore() throws {
    let before = try Program.run("log", "verify", "--data", "data", home: home)
    #expect(before.status == 0 || before.status == 66, "\(before.errors)")
    let match = ["match", "tic-tac-toe", "--players", "random,greedy", "--data", "data"]
    let run = try Program.start(match, home: home).finish()
    #expect(run.status == 0, "\(run.errors)")
    let after = try Program.run("log", "verify", "--data", "data", home: home)
    #expect(after.status == 0, "\(after.output)\(after.errors)")
    #expect(try home.tree().allSatisfy { !$0.path.contains("/tmp-") })
  }

  /// fdatasync comes once in every commit, fsync when a store and an identity are made; LMDB writes its meta
  /// pages and some others by pwrite64.
  static let faults =
    (1...6).map { Fault(call: "fdatasync", number: $0) } + (1...5).map { Fault(call: "fsync", number: $0) }
    + (1...6).map { Fault(call: "pwrite64", number: $0) }
    + [Fault(call: "fdatasync", number: 3, lasts: true), Fault(call: "pwrite64", number: 7, lasts: true)]

  @Test(arguments: Effort.isQuick ? Array(faults.suffix(4)) : faults)
  func aGameStopsWithWordsAndGoesOnLater(_ fault: Fault) throws {
    let game = ["play", "tic-tac-toe", "--against", "greedy", "--seat", "first"]
    let moves = (1...9).map { "\($0)\n" }.joined()
    try checkStop(try run(game, fault, input: moves))
    try checkStore()
  }

  @Test(arguments: Effort.cases([4, 2, 6, 8], quick: 1))
  func aTournamentStopsAndEndsAsIfNothingHadHappened(_ number: Int) throws {
    let words = [
      "tournament", "run", "--game", "tic-tac-toe", "--format", "round-robin", "--seed", "5",
      "--concurrency", "1", "--entrants", "greedy,random,random,lookahead:2",
    ]
    let other = try TemporaryFolder()
    let whole = try Program.start(words + ["--json", "--data", "data"], home: other).finish()
    let reference = try #require(whole.objects().last?["standingsDigest"] as? String)
    try checkStop(try run(words, Fault(call: "fdatasync", number: number)))
    let resume = ["tournament", "resume", "--json", "--data", "data"]
    var end = try Program.start(resume, home: home).finish()
    // Nothing of the tournament was durable: then it is made anew.
    if end.status == 66 {
      #expect(try StoredRooms(home).rooms.isEmpty)
      end = try Program.start(words + ["--json", "--data", "data"], home: home).finish()
    }
    #expect(end.status == 0, "\(end.errors)")
    #expect(try end.objects().last?["standingsDigest"] as? String == reference)
    try checkStore()
  }
}

import Foundation
import Synchronization
import TestKit
import Testing

/// A data file whose bytes are wrong: every command ends with words and a status, never by a signal.
///
/// `PARLOR_DAMAGES=100 Tools/test --full --filter DamagedStoreTests` tries so many of each kind.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DamagedStoreTests {
  private static let seeds = Effort.size(4, quick: 1, variable: "PARLOR_DAMAGES")

  private static let readers = [
    ["log", "list", "--all"], ["log", "show", "last"], ["replay", "last"], ["tournament", "show"],
  ]
  private static let writers = [
    ["play", "--resume", "last"], ["match", "tic-tac-toe", "--players", "random,random", "--games", "3"],
  ]
  /// The statuses of sysexits.h that these commands use, and those of success and of what does not hold.
  private static let statuses: Set<Int32> = [0, 1, 64, 65, 66, 69, 74, 75]
  /// More processor time, in seconds, than any of these commands can need: who is still at work has gone round
  /// in circles.
  private static let limitSeconds = 60

  let home: TemporaryFolder
  private let whole: Data
  private let list: String

  /// A store with a tournament, a match and two games that wait.
  init() throws {
    home = try TemporaryFolder()
    for words in [
      ["tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy,random,lookahead:2"],
      ["match", "connect-four", "--players", "random,random", "--games", "30"],
      ["play", "tic-tac-toe", "--against", "greedy", "--seat", "first"],
      ["play", "connect-four", "--against", "random"],
    ] {
      let run = try Program.start(words + ["--data", "data"], home: home, input: Data("5\n1\n".utf8)).finish()
      try #require(run.status == 0, "\(run.errors)")
    }
    whole = try home.bytes("data/log/data.mdb")
    list = try Program.run("log", "list", "--all", "--json", "--data", "data", home: home).output
    home.enter = ["/bin/bash", "-c", "ulimit -t \(Self.limitSeconds); \"$@\"; exit", "bash"]
  }

  /// Runs a command on the damaged store; it must end by itself and, unless all went well, with words.
  private func run(_ words: [String], _ damage: String) throws -> Program.Finished {
    let run = try Program.start(
      words + ["--data", "data"], home: home, environment: ["SWIFT_BACKTRACE": "enable=no"]
    ).finish()
    #expect(Self.statuses.contains(run.status), "\(damage), \(words): \(run.status) \(run.errors)")
    if run.status != 0 { #expect(!(run.output + run.errors).isEmpty, "\(damage), \(words)") }
    return run
  }

  @Test(arguments: Damage.allCases)
  func everyCommandEndsWithWords(_ damage: Damage) throws {
    var crashes = 0
    for seed in 0..<Self.seeds {
      let name = "\(damage) \(seed)"
      let bytes = damage.applied(to: whole, seed: UInt64(seed))
      try home.write("data/log/data.mdb", bytes)
      let verified = try run(["log", "verify"], name)
      if damage == .freedPage {
        #expect(verified.status == 1, "\(name)")
        #expect(verified.output.contains("is in use and in the list of free pages"), "\(verified.output)")
      }
      // A damaged meta page can make an older state the newest one, which is true in itself.
      if verified.status == 0, bytes.prefix(8_192) == whole.prefix(8_192) {
        let now = try run(["log", "list", "--all", "--json"], name)
        #expect(now.output == list, "\(name): verified, and something else is listed")
      }
      for words in Self.readers + Self.writers {
        try home.write("data/log/data.mdb", bytes)
        let end = try run(words, name)
        guard end.errors.contains("reading it crashed") else { continue }
        crashes += 1
        #expect(end.status == 65, "\(name), \(words): \(end.errors)")
        #expect(verified.status != 0, "\(name): \(words) crashed and verifying found nothing")
        if Self.readers.contains(words) {
          #expect(try home.bytes("data/log/data.mdb") == bytes, "\(name): \(words) wrote")
        }
      }
    }
    Figures.say("damaged stores, \(damage): \(crashes) crashes that ended with words in \(Self.seeds) stores")
  }

  /// Every length at the edge of a page, and some that are none. A file that lacks nothing but free pages at
  /// its end is whole.
  @Test func aTruncatedFileIsRefusedAndLeftAsItIs() throws {
    var refused = 0
    let pages = whole.count / 4_096
    let lengths = [0, 1, 100, 4_095, 4_097, 8_191] + (1..<pages).map { $0 * 4_096 - $0 % 2 * 17 }
    for length in lengths {
      let bytes = whole.prefix(length)
      try home.write("data/log/data.mdb", bytes)
      let listed = try run(["log", "list", "--all", "--json"], "\(length) bytes")
      if listed.status == 0 {
        #expect(listed.output == list, "\(length) bytes")
        #expect(try run(["log", "verify"], "\(length) bytes").status == 0)
        continue
      }
      refused += 1
      for words in [["log", "verify"]] + [Self.readers[length % 4], Self.writers[length % 2]] {
        let end = try run(words, "\(length) bytes")
        #expect([65, 74].contains(end.status), "\(length) bytes, \(words): \(end.status) \(end.errors)")
        #expect(!end.errors.contains("crashed"), "\(length) bytes, \(words): \(end.errors)")
        #expect(try home.bytes("data/log/data.mdb") == bytes, "\(length) bytes: \(words) wrote")
      }
    }
    #expect(refused > lengths.count / 2)
    try home.write("data/log/data.mdb", whole)
    #expect(try run(["log", "verify"], "the whole file").status == 0)
  }
}

import Foundation
import TestKit
import Testing

/// `Tools/read-log.py` and the Python programs beside it, run by Debian's Python.
enum LogReader {
  /// The Python that has Debian's `python3-nacl`.
  static let python = "/usr/bin/python3"

  static let script = PackageFolder.file("Tools/read-log.py").path

  /// Whether there is a program to test and a Python that can check signatures.
  static let isThere: Bool = {
    guard Program.isThere, FileManager.default.isExecutableFile(atPath: python) else { return false }
    do {
      return try ChildProcess([python, "-c", "import nacl.bindings"], errors: .nothing).terminationStatus == 0
    } catch { return false }
  }()

  static let missing: Comment =
    "there is no program (set PARLOR_PROGRAM), or \(python) has no module nacl (Tools/setup --tests installs it)"

  /// What was entered or solves a round: a choice by its number, or a word.
  enum Said: Decodable, Equatable {
    case number(Int)
    case text(String)

    init?(_ value: Any?) {
      if let number = value as? Int {
        self = .number(number)
      } else if let text = value as? String {
        self = .text(text)
      } else {
        return nil
      }
    }

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      do { self = .number(try value.decode(Int.self)) } catch { self = .text(try value.decode(String.self)) }
    }
  }

  /// What the reader says of one bundle.
  struct Reading: Decodable {
    struct Event: Decodable, Equatable {
      let position: Int
      /// `nil` where the bytes are no event.
      let id: String?
    }
    struct Game: Decodable, Equatable {
      let game: Int
      let first: Int
      let moves: [Int]
      let cause: String
      let seat: Int?
      let scores: [Int]?
      let level: String
    }
    struct Draw: Decodable {
      let first: Int
      let combined: String?
    }
    struct Idle: Decodable {
      let id: String
      let kind: String
      let reason: String
    }
    /// Who plays; of hosted rounds with the number, the rank and the score.
    struct Player: Decodable, Equatable {
      let peer: String
      let number: Int?
      let rank: Int?
      let score: Int?
    }
    /// One of hosted rounds; numbers are from 1.
    struct Round: Decodable, Equatable {
      struct Entry: Decodable, Equatable {
        let player: Int
        let choice: Said?
        let points: Int?
      }
      let round: Int
      let phase: String
      let solution: Said?
      let entries: [Entry]
    }
    struct Fork: Decodable { let author: String }
    /// What the host can be shown to have done.
    struct Fault: Decodable, Hashable {
      let fault: String
      let event: String
    }
    let path: String
    let good: Bool
    let room: String?
    let event: Event?
    let reason: String?
    let rules: String?
    let draw: Draw?
    let games: [Game]
    let moves: String
    let players: [Player]
    let rounds: [Round]
    let faults: [Fault]
    /// Who hosts rounds.
    let host: String?
    let withoutEffect: [Idle]
    let forks: [Fork]
    let notChecked: [String]
  }

  /// What `parlor log verify` says of one bundle.
  struct Verdict: Decodable {
    let path: String?
    /// Null where something is not proven, as results of a tournament are without the rooms of its games.
    let isTrue: Bool?
    /// Whether nothing is false.
    var valid: Bool { isTrue != false }
    let event: String?
    let reason: String?

    private enum CodingKeys: String, CodingKey {
      case path, event, reason
      case isTrue = "valid"
    }
  }

  /// Runs a Python program to its end.
  static func run(_ arguments: [String], home: TemporaryFolder) throws -> Program.Finished {
    let run = try Dialogue(arguments, home: home, program: python)
    try run.endInput()
    return try run.finish()
  }

  /// Runs one of the programs beside this file.
  static func tool(_ name: String, _ arguments: [String], home: TemporaryFolder) throws -> Program.Finished {
    let path = PackageFolder.file("Tests/EndToEndTests/Reader/\(name)").path
    return try run([path] + arguments, home: home)
  }

  /// What both programs say of the same files, in their order; many files a run.
  static func readings(of paths: [String], home: TemporaryFolder) throws -> [(Reading, Verdict)] {
    var pairs: [(Reading, Verdict)] = []
    for start in stride(from: 0, to: paths.count, by: 1000) {
      let some = Array(paths[start..<min(paths.count, start + 1000)])
      let reader = try Dialogue([script, "--json"] + some, home: home, program: python)
      try reader.endInput()
      let verified = try Program.start(["log", "verify", "--json"] + some, home: home).finish()
      let read = try reader.finish()
      let readings = try objects(Reading.self, in: read)
      let verdicts = try objects(Verdict.self, in: verified)
      try #require(readings.map(\.path) == some, "\(read.errors)")
      try #require(verdicts.map(\.path) == some, "\(verified.errors)")
      #expect(read.errors == "")
      #expect(read.status == (readings.allSatisfy(\.good) ? 0 : 1))
      let isProven = verdicts.allSatisfy { $0.isTrue != nil }
      let status: Int32 = !verdicts.allSatisfy(\.valid) ? 1 : isProven ? 0 : 69
      #expect(verified.status == status, "\(verified.errors)")
      pairs += zip(readings, verdicts)
    }
    return pairs
  }

  /// The scores by key, as the program told them last of hosted rounds.
  static func scores(_ objects: [[String: Any]]) -> [String: Int] {
    let standings = objects.last { $0["type"] as? String == "standings" }
    var scores: [String: Int] = [:]
    for player in standings?["players"] as? [[String: Any]] ?? [] {
      if let peer = player["peer"] as? String { scores[peer] = player["score"] as? Int }
    }
    return scores
  }

  /// The objects of a run, a line each.
  static func objects<Object: Decodable>(_ type: Object.Type, in run: Program.Finished) throws -> [Object] {
    try run.output.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}

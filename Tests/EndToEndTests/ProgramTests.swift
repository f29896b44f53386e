import Foundation
import TestKit
import Testing

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ProgramTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
  func helpIsTheOverviewOnStandardOutput(_ words: [String]) throws {
    let run = try Program.start(words, home: home).finish()
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try Snapshot.check(run.output, "Tests/Fixtures/commands/help.txt")
  }

  @Test func versionSaysProgramAndProtocol() throws {
    for words in ["version", "--version"] {
      #expect(try Program.run(words, home: home).output == "parlor 0.1.0, protocol 2\n")
    }
    let objects = try Program.run("version", "--json", home: home).objects()
    #expect(objects.count == 1)
    #expect(objects[0]["version"] as? String == "0.1.0")
    #expect(objects[0]["protocol"] as? Int == 2)
  }

  struct Refusal: Sendable {
    let words: [String]
    let status: Int32
    let says: String
  }

  @Test(arguments: [
    Refusal(words: ["gmaes"], status: 64, says: "did you mean games?"),
    Refusal(words: ["log", "lsit"], status: 64, says: "did you mean log list?"),
    Refusal(words: ["log"], status: 64, says: "is not a whole command"),
    Refusal(words: ["log", "list", "--al"], status: 64, says: "did you mean --all?"),
    Refusal(words: ["log", "export", "last"], status: 64, says: "--output FILE is missing"),
    Refusal(words: ["games", "conect-four"], status: 64, says: "did you mean connect-four?"),
    Refusal(words: ["bots", "--game", "poker"], status: 64, says: "the games are"),
    Refusal(words: ["completions", "tcsh"], status: 64, says: "bash, zsh or fish"),
    Refusal(words: ["solve", "connect-four", "48"], status: 65, says: "no column"),
    Refusal(words: ["solve", "connect-four", "1111111"], status: 65, says: "full"),
    Refusal(words: ["solve", "tic-tac-toe", "11"], status: 65, says: "not legal"),
    Refusal(words: ["solve", "prisoners-dilemma"], status: 64, says: "solvers know"),
    Refusal(words: ["solve", "connect-four", "1", "--file", "x"], status: 64, says: "not both"),
    Refusal(words: ["solve", "connect-four", "--file", "absent"], status: 66, says: "cannot read absent"),
    Refusal(words: ["solve", "connect-four", "--nodes", "0"], status: 64, says: "whole number from 1"),
    Refusal(words: ["replay", "last"], status: 66, says: "there is no store"),
    Refusal(words: ["replay", "nothing.parlor"], status: 66, says: "no room and no file"),
    Refusal(words: ["log", "verify"], status: 66, says: "there is no store"),
    Refusal(words: ["log", "show", "abc"], status: 66, says: "there is no store"),
    Refusal(words: ["identity", "show"], status: 66, says: "parlor identity create"),
  ])
  func refusalsHaveWordsAndAStatus(_ refusal: Refusal) throws {
    let run = try Program.start(refusal.words, home: home).finish()
    #expect(run.status == refusal.status, "\(refusal.words): \(run.errors)")
    #expect(run.errors.hasPrefix("parlor: error: "))
    #expect(run.errors.contains(refusal.says), "\(refusal.words): \(run.errors)")
    #expect(run.output.isEmpty)
    #expect(try home.tree().isEmpty, "a refused command wrote something")
  }

  @Test(arguments: [
    ["help"], ["games"], ["games", "tic-tac-toe"], ["bots"], ["version"], ["completions", "bash"],
    ["log", "list"],
    ["log", "list", "--json"], ["solve", "tic-tac-toe", "5"],
  ])
  func whatOnlyReadsWritesNothing(_ words: [String]) throws {
    #expect(try Program.start(words, home: home).finish().status == 0)
    #expect(try home.tree().isEmpty)
  }

  struct Place: Sendable {
    let option: [String]
    let environment: [String: String]
    let folder: String
  }

  @Test(arguments: [
    Place(option: ["--data", "here"], environment: ["PARLOR_HOME": "there"], folder: "here"),
    Place(option: [], environment: ["PARLOR_HOME": "there", "XDG_DATA_HOME": "/nowhere"], folder: "there"),
    Place(option: [], environment: ["XDG_DATA_HOME": "relative"], folder: ".local/share/parlor"),
    Place(option: [], environment: ["PARLOR_HOME": "", "XDG_DATA_HOME": ""], folder: ".local/share/parlor"),
    Place(option: [], environment: [:], folder: ".local/share/parlor"),
  ])
  func dataLiesInOneFolderOfThisUserAlone(_ place: Place) throws {
    let run = try Program.start(
      ["identity", "create"] + place.option, home: home, environment: place.environment
    ).finish()
    #expect(run.status == 0, "\(run.errors)")
    let tree = try home.tree()
    for (path, mode) in tree {
      #expect(path.hasPrefix(place.folder) || place.folder.hasPrefix(path + "/"), "\(path) is outside")
      let isFile = Self.files.contains { path.hasSuffix("/" + $0) }
      #expect(mode == (isFile ? 0o600 : 0o700), "\(path)")
    }
    #expect(tree.suffix(3).map(\.path) == Self.files.map { place.folder + "/" + $0 })
  }

  /// What a new identity leaves in its folder: the key, and marks that nothing has left this machine.
  private static let files = ["identity.key", "shared", "shared.seal"]

  @Test func anXDGFolderIsUsed() throws {
    let data = home.file("data")
    _ = try Program.run("identity", "create", home: home, environment: ["XDG_DATA_HOME": data])
    #expect(try home.tree().map(\.path) == ["data", "data/parlor"] + Self.files.map { "data/parlor/" + $0 })
  }

  @Test func anIdentityIsNeverOverwritten() throws {
    let made = try Program.run("identity", "create", "--json", home: home).objects()
    let again = try Program.run("identity", "create", home: home)
    #expect(again.status == 73)
    #expect(again.errors.contains("never overwritten"))
    let shown = try Program.run("identity", "show", "--json", home: home).objects()
    #expect(shown[0]["peer"] as? String == made[0]["peer"] as? String)
    #expect((shown[0]["peer"] as? String)?.count == 64)
  }

  @Test func anIdentityThatOthersCanReadIsRefused() throws {
    _ = try Program.run("identity", "create", "--data", "d", home: home)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: home.file("d/identity.key"))
    let run = try Program.run("identity", "show", "--data", "d", home: home)
    #expect(run.status == 77)
    #expect(run.errors.contains("chmod 600"))
  }

  @Test func withoutAHomeAFolderMustBeNamed() throws {
    let run = try Program.run("identity", "show", home: home, environment: ["HOME": ""])
    #expect(run.status == 78)
    #expect(run.errors.contains("--data DIR"))
  }

  @Test func aReaderThatLeavesIsNoFailure() throws {
    let script = "{ \"$0\" completions bash; echo $? >status; } | head -n 1"
    try ChildProcess(["/bin/sh", "-c", script, #require(Program.path)], in: home.path, output: .nothing)
      .waitUntilExit()
    #expect(String(decoding: try home.bytes("status"), as: UTF8.self) == "0\n")
  }
}

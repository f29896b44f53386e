import Foundation
import TestKit
import Testing

/// What `parlor doctor` says of folders and terminals that are right and wrong.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DoctorTests {
  private struct Check {
    let part: String
    let state: String
    let text: String
  }

  private func checks(_ words: [String], home: TemporaryFolder, status: Int32) throws -> [Check] {
    let run = try Program.start(["doctor", "--json"] + words, home: home).finish()
    #expect(run.status == status, "\(words): \(run.output) \(run.errors)")
    return try run.objects().map {
      Check(
        part: try #require($0["part"] as? String), state: try #require($0["state"] as? String),
        text: try #require($0["text"] as? String))
    }
  }

  @Test func anEmptyFolderIsRightAndStaysEmpty() throws {
    let home = try TemporaryFolder()
    let data = home.file("new/folder")
    let checks = try checks(["--data", data], home: home, status: 0)
    #expect(Set(checks.map(\.part)) == ["program", "data", "store", "identity", "network", "terminal"])
    #expect(checks.allSatisfy { $0.state != "wrong" })
    #expect(!FileManager.default.fileExists(atPath: home.file("new")))
  }

  @Test func aPlayedFolderIsRight() throws {
    let home = try TemporaryFolder()
    let data = home.file("data")
    let match = ["match", "tic-tac-toe", "--players", "random,random", "--games", "3", "--data", data]
    #expect(try Program.start(match, home: home).finish().status == 0)
    let checks = try checks(["--data", data], home: home, status: 0)
    #expect(checks.first { $0.part == "store" }?.text == "1 room")
    #expect(checks.first { $0.part == "identity" }?.text.hasPrefix("peer ") == true)
  }

  @Test func eachFaultIsNamed() throws {
    let home = try TemporaryFolder()
    func wrong(_ words: [String]) throws -> Set<String> {
      Set(try checks(words, home: home, status: 1).filter { $0.state == "wrong" }.map(\.part))
    }
    // A file in the folder's place.
    try home.write("file", Data())
    #expect(try wrong(["--data", home.file("file")]) == ["data"])
    // A key that others can read, and one that is none.
    let data = home.file("data")
    let made = try Program.run("identity", "create", "--json", "--data", data, home: home).objects()
    let key = try #require(made.first?["path"] as? String)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    #expect(try wrong(["--data", data]) == ["identity"])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    try Data("no key".utf8).write(to: URL(fileURLWithPath: key))
    #expect(try wrong(["--data", data]) == ["identity"])
    // A store of another network, and one that is damaged.
    let other = home.file("other")
    let match = ["match", "tic-tac-toe", "--players", "random,random", "--data", other]
    #expect(try Program.start(match + ["--network", "chess club"], home: home).finish().status == 0)
    #expect(try wrong(["--data", other]) == ["store"])
    #expect(try wrong(["--data", other, "--network", " x"]).contains("network"))
    let store = try #require(
      FileManager.default.enumerator(atPath: "\(other)/log")?.compactMap { $0 as? String }
        .first { $0.hasSuffix("data.mdb") })
    try Data(repeating: 0xA5, count: 65_536).write(to: URL(fileURLWithPath: "\(other)/log/\(store)"))
    #expect(try wrong(["--data", other, "--network", "chess club"]) == ["store"])
  }

  @Test func wordsSayWhatToDo() throws {
    let home = try TemporaryFolder()
    try home.write("file", Data())
    let run = try Program.run("doctor", "--data", home.file("file"), home: home)
    #expect(run.status == 1 && run.output.contains("wrong: data: \(home.file("file")) is not a folder"))
    #expect(run.output.contains("\nhint: name another one with `--data DIR` or PARLOR_HOME\n"))
  }
}

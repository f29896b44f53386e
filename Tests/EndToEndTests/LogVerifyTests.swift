import Events
import Foundation
import Testing

/// `parlor log verify` of several rooms and files.
@Suite(.enabled(if: Program.isThere, Program.missing)) struct LogVerifyTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  /// Two rooms, `good` a bundle of the newer one, `bad` one that was changed, `none` no bundle at all.
  private func prepare() async throws -> [String] {
    var rooms: [String] = []
    do {
      let samples = try Samples(data)
      for _ in 0..<2 {
        rooms.append(try await samples.match("tic-tac-toe", ["greedy", "random"]).description)
      }
    }
    _ = try Program.run("log", "export", "last", "--data", data, "--output", "good", home: home)
    var bytes = try home.bytes("good")
    bytes[bytes.count / 2] ^= 1
    try home.write("bad", bytes)
    try home.write("none", Data("no bundle".utf8))
    return rooms
  }

  private func verify(_ words: String...) throws -> Program.Finished {
    try Program.start(["log", "verify", "--data", data] + words, home: home).finish()
  }

  @Test func eachFileIsNamed() async throws {
    _ = try await prepare()
    let run = try verify("./good", "./bad", "./good")
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("./good: Room ") && lines[0].contains("everything holds"))
    #expect(lines[1].hasPrefix("./bad: Room ") && lines[1].contains("false: "))
    #expect(try verify("./good", "./good").status == 0)
    // Of one file there is no need to say which.
    #expect(try verify("./good").output.hasPrefix("Room "))
  }

  @Test func objectsNameTheirFiles() async throws {
    let rooms = try await prepare()
    let found = try verify("--json", "./good", rooms[0], "./bad", "last").objects()
    #expect(found.map { $0["path"] as? String } == ["./good", nil, "./bad", nil])
    #expect(found.map { $0["valid"] as? Bool } == [true, true, false, true])
    #expect(found.map { $0["room"] as? String } == [rooms[1], rooms[0], rooms[1], rooms[1]])
  }

  @Test func whatCannotBeReadDoesNotKeepTheOthers() async throws {
    _ = try await prepare()
    let cases: [([String], Int32, Int)] = [
      (["./none", "./good"], 65, 1), (["./absent", "./good", "./none"], 66, 1),
      (["./none", "./bad", "./absent"], 1, 1), (["./good", "00"], 66, 1), (["./none"], 65, 0),
    ]
    for (words, status, lines) in cases {
      let run = try Program.start(["log", "verify", "--data", data] + words, home: home).finish()
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.output.split(separator: "\n").count == lines, "\(words): \(run.output)")
      for name in ["./none", "./absent"] where words.contains(name) && words.count > 1 {
        #expect(run.errors.contains("\(name): "), "\(words): \(run.errors)")
      }
    }
  }
}

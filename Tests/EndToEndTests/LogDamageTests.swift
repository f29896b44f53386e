import EventLog
import Events
import Foundation
import TestKit
import Testing

/// Stores whose files were damaged, and stores that this user may not read.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LogDamageTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  func verify(_ words: String...) throws -> Program.Finished {
    try Program.start(["log", "verify", "--data", data] + words, home: home).finish()
  }

  /// Changes each copy of some bytes in the store.
  private func damage(_ stored: [UInt8]) throws {
    var bytes = try home.bytes("data/log/data.mdb")
    var from = bytes.startIndex
    var found = 0
    while let place = bytes.range(of: Data(stored), in: from..<bytes.endIndex) {
      bytes[place.lowerBound + 3] ^= 0xFF
      from = place.upperBound
      found += 1
    }
    try #require(found > 0)
    try home.write("data/log/data.mdb", bytes)
  }

  @Test func verifyingGoesOnAfterARoomWhoseCreateIsDamaged() async throws {
    var rooms: [RoomID] = []
    var stored: [UInt8] = []
    do {
      let samples = try Samples(data)
      for _ in 0..<3 { rooms.append(try await samples.match("tic-tac-toe", ["random", "random"])) }
      RecordCoder.append(at: 0, of: try samples.log.load(rooms[1], verify: true).graph, to: &stored)
    }
    try damage(stored)
    let run = try verify("--json")
    #expect(run.status == 1, "\(run.errors)")
    let objects = try run.objects()
    #expect(objects.map { $0["room"] as? String } == rooms.reversed().map(\.description))
    #expect(objects.map { $0["valid"] as? Bool } == [true, false, true])
    let text = try verify()
    #expect(text.status == 1)
    #expect(text.output.hasSuffix("1 room false.\n"), "\(text.output)")
  }

  /// What is listed goes on after a room that cannot be read, and whoever asks for that room is told which one it is.
  @Test func listingGoesOnAfterADamagedRoom() throws {
    for words in ["one", "twenty-two", "three"] {
      let play = ["play", "tic-tac-toe", "--plain", "--against", "greedy", "--data", data]
      let run = try Program.start(play, home: home, input: Data("say \(words)\n".utf8)).finish()
      try #require(run.status == 0, "\(run.errors)")
    }
    func list(_ words: String...) throws -> Program.Finished {
      try Program.start(["log", "list", "--data", data] + words, home: home).finish()
    }
    let ids = try list("--json").objects().map { $0["id"] as? String ?? "" }
    try damage(Array("twenty-two".utf8))
    let short = String(ids[1].prefix(10))
    let text = try list()
    let lines = text.output.split(separator: "\n").filter { $0.contains("damaged") }
    #expect(text.status == 0 && lines.count == 1 && lines[0].hasPrefix(short), "\(text.output)")
    #expect(
      text.output.split(separator: "\n").count == 4 && text.errors.contains("log verify"), "\(text.errors)")
    let objects = try list("--json").objects()
    #expect(objects.map { $0["id"] as? String } == ids)
    #expect(objects.map { $0["status"] as? String == "damaged" } == [false, true, false])
    // It may be what is looked for, or not.
    let chosen = try list("--game", "tic-tac-toe")
    #expect(
      chosen.status == 0 && !chosen.output.contains(short) && chosen.errors.contains("1 room cannot be read"))
    let show = try Program.run("log", "show", short, "--data", data, home: home)
    #expect(
      show.status == 65 && show.errors.contains(short) && show.errors.contains("log verify"), "\(show.errors)"
    )
    let whole = try Program.run(
      "log", "export", ids[0], "--output", home.file("x"), "--data", data, home: home)
    #expect(whole.status == 0, "\(whole.errors)")
  }

  /// A damaged room is in the way of all that opens every room until it is forgotten. It may come back, and nothing is
  /// written into it: its own events may have gone further than what came back.
  @Test func aDamagedRoomIsForgotten() throws {
    func run(_ words: String..., input: String = "") throws -> Program.Finished {
      try Program.start(words + ["--data", data], home: home, input: Data(input.utf8)).finish()
    }
    let play = try run("play", "tic-tac-toe", "--against", "greedy", input: "say twenty-two\n")
    try #require(play.status == 0, "\(play.errors)")
    try #require(try run("match", "tic-tac-toe", "--players", "random,greedy").status == 0)
    let ids = try run("log", "list", "--json").objects().map { $0["id"] as? String ?? "" }
    try #require(try run("log", "export", ids[1], "--output", home.file("whole")).status == 0)
    try damage(Array("twenty-two".utf8))
    let short = String(ids[1].prefix(10))
    let lobby = ["lobby", "--once", "--no-discovery", "--listen", "127.0.0.1:0"]
    let before = try Program.start(lobby + ["--data", data], home: home).finish()
    #expect(before.status == 74 && before.errors.contains(short), "\(before.errors)")
    let both = try run("log", "forget", ids[0], ids[1])
    #expect(both.status == 64 && both.errors.contains("nothing was forgotten"), "\(both.errors)")
    let forget = try run("log", "forget", short)
    #expect(forget.status == 0 && forget.output.hasPrefix("Room \(short): "), "\(forget.errors)")
    #expect(try run("log", "list", "--json").objects().map { $0["id"] as? String } == [ids[0]])
    #expect(try Program.start(lobby + ["--data", data], home: home).finish().status == 0)
    #expect(try run("log", "import", home.file("whole")).status == 0)
    let resume = try run("play", "--resume", short, input: "5\n")
    #expect(resume.status != 0 && resume.errors.contains("was damaged here"), "\(resume.errors)")
    #expect(try verify().status == 0)
  }

  @Test func readingThatCrashesIsAnAnswer() async throws {
    do {
      let samples = try Samples(data)
      for _ in 0..<6 { _ = try await samples.match("tic-tac-toe", ["random", "random"]) }
    }
    #expect(try verify().status == 0)
    let whole = try home.bytes("data/log/data.mdb")
    var crashes = 0
    for seed in 0..<200 where crashes < 3 {
      try home.write("data/log/data.mdb", Damage.pageHeader.applied(to: whole, seed: UInt64(seed)))
      let direct = try Program.start(
        ["log", "verify", "--data", data], home: home,
        environment: ["PARLOR_READS_STORE": "1", "SWIFT_BACKTRACE": "enable=no"])
      guard direct.process.isKilled else { continue }
      crashes += 1
      let text = try verify()
      #expect(text.status == 1, "seed \(seed): \(text.errors)")
      #expect(
        text.output.contains("the store is damaged: reading it crashed"), "seed \(seed): \(text.output)")
      let json = try verify("--json")
      #expect(json.status == 1, "seed \(seed)")
      let last = try #require(try json.objects().last)
      #expect(last["type"] as? String == "verified")
      #expect(last["valid"] as? Bool == false)
      #expect(last["reason"] as? String == "the store is damaged: reading it crashed")
    }
    #expect(crashes > 0, "no seed made reading crash")
  }

  @Test func whoMayNotReadTheStoreIsToldSo() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["random", "random"]) }
    let file = home.file("data/log/data.mdb")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    for folder in ["data", "data/log"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file(folder))
    }
    // Permissions do not stop root, who becomes nobody for this.
    let before = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    for words in ["list", "verify"] {
      let shell = try Dialogue(
        ["-c", "\(before)\"$@\"", "bash", try #require(Program.path), "log", words, "--data", data],
        home: home, program: "/bin/bash")
      try shell.endInput()
      let run = try shell.finish()
      #expect(run.status == 77, "\(words): \(run.errors)")
      #expect(run.errors.contains("may not access"), "\(run.errors)")
    }
  }
}

import EventLog
import Events
import Foundation
import Network
import Peer
import Service
import TestKit
import Testing

/// `parlor log verify` of several rooms and files.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LogVerifyTests {
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

  /// What is stored of rooms that are over is compared with their events, whichever way those are replayed.
  @Test func whatIsStoredBesideTheEventsIsChecked() async throws {
    let samples = try Samples(data)
    _ = try await samples.match("tic-tac-toe", ["greedy", "random"])
    _ = try await samples.tournament(["greedy", "random"])
    try store(samples) { $0 }
    #expect(try verify().output.hasSuffix("everything holds.\n"))
    let changes: [(StoredClock) -> StoredClock?] = [
      { clock in
        var entries = clock.clock.entries
        entries[0].head = EventID(Blake2b(domain: "another").digest())
        return clock.with(VectorClock(entries))
      },
      { $0.with(VectorClock($0.clock.entries.dropLast())) },
      { $0.with($0.clock, scope: $0.scope == .open ? .local : .open) },
    ]
    let reason = "what is stored of what it offers is not what its events give"
    for change in changes {
      try store(samples, change)
      let run = try verify("--json")
      #expect(run.status == 1, "\(run.errors)")
      #expect(try run.objects().allSatisfy { $0["reason"] as? String == reason })
    }
    try store(samples) { $0 }
    #expect(try verify().status == 0)
    // Nor may there be anything of a room in which somebody waits.
    let waiting = try samples.invitation().room
    try store(samples) { $0 }
    let found = try verify("--json").objects().filter { $0["valid"] as? Bool == false }
    #expect(found.map { $0["room"] as? String } == [waiting.description])
  }

  /// Stores what each room offers, changed somehow.
  private func store(_ samples: Samples, _ change: (StoredClock) -> StoredClock?) throws {
    let rule = try #require(Steward.closing.version)
    for room in try samples.log.roomIDs().rooms {
      var core = samples.household.core(samples.household.owner)
      core.open(try samples.log.load(room, verify: true), isDurable: true)
      let found = core.storedClock(of: room, rule: rule).flatMap(change)
      let clock = try #require(found)
      try samples.log.write([], clocks: [clock])
    }
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

extension StoredClock {
  /// The same with another clock, of another scope, whoever may hold it.
  fileprivate func with(_ clock: VectorClock, scope: Scope? = nil) -> StoredClock? {
    let scope = scope ?? self.scope
    return StoredClock(
      room: room, events: events, rule: rule, scope: scope, members: scope == .invited ? members : [],
      clock: clock)
  }
}

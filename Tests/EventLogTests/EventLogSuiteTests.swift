import EventLog
import Events
import Foundation
import Testing

/// The two forms of a log, which must pass the same tests.
enum Form: CaseIterable, Sendable {
  case memory
  case lmdb

  func with(
    quotaBytes: Int = 1 << 30, _ body: (any EventLog) async throws -> Void
  ) async throws {
    switch self {
    case .memory: try await body(MemoryEventLog(network: .standard, quotaBytes: quotaBytes))
    case .lmdb:
      try await withTemporaryFolder { folder in
        try await body(try openStore(folder, quotaBytes: quotaBytes))
      }
    }
  }
}

/// Opens the store of a test's folder.
///
/// A process that another test starts holds a copy of every open file for the moment between fork and exec,
/// and with it the lock of a store that was closed meanwhile; so a refusal counts only when it lasts.
func openStore(
  _ folder: String, _ access: LMDBEventLog.Access = .writing, network: NetworkID = .standard,
  quotaBytes: Int = 1 << 30
) throws(LogError) -> LMDBEventLog {
  for _ in 0..<300 {
    do throws(LogError) {
      return try LMDBEventLog(
        folder: "\(folder)/store", access: access, network: network, mapBytes: 2 << 30, quotaBytes: quotaBytes
      )
    } catch {
      guard case .locked = error else { throw error }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
  return try LMDBEventLog(
    folder: "\(folder)/store", access: access, network: network, mapBytes: 2 << 30, quotaBytes: quotaBytes)
}

/// A room of a `create` and some signed chat.
func smallRoom(
  _ nonce: UInt8, events: Int = 3, tournament: RoomID = .none, signsEach: Bool = false
) throws -> RoomLog {
  var maker = try RoomMaker(nonce: nonce, tournament: tournament)
  var log = RoomLog(room: maker.room)
  try log.append(maker.create, signature: maker.sign(maker.create))
  for number in 0..<events {
    let event = try maker.write(1, .chat("line \(number)"))
    try log.append(event, signature: signsEach || number == events - 1 ? maker.sign(event) : nil)
  }
  return log
}

@Suite("Both forms of the log")
struct EventLogSuiteTests {
  @Test("What is written is loaded, with signatures, trusted and verified", arguments: Form.allCases)
  func roundTrip(form: Form) async throws {
    try await form.with { log in
      let random = try RandomRoom(seed: 5)
      let room = try random.log(random.runs)
      try log.write([room.change])
      for verify in [false, true] {
        let loaded = try log.load(room.room, verify: verify)
        #expect(loaded.entries.map(\.event) == room.events)
        #expect(loaded.entries.map(\.event.body) == room.entries.map(\.event.body))
        #expect(loaded.entries.map(\.signature) == room.entries.map(\.signature))
        #expect(loaded.clock == room.clock)
        #expect(
          loaded.feeds.indices.map(loaded.verifiedThrough) == room.feeds.indices.map(room.verifiedThrough))
      }
    }
  }

  @Test("Rooms are listed newest first, without the events' number deciding", arguments: Form.allCases)
  func listing(form: Form) async throws {
    try await form.with { log in
      let rooms = try (0..<5).map { try smallRoom(UInt8($0), events: $0 + 1) }
      try log.write(rooms[0..<3].map(\.change))
      for room in rooms[3...] { try log.write([room.change]) }
      let all = try log.rooms(limit: nil)
      #expect(all.map(\.room) == rooms.reversed().map(\.room))
      #expect(all.map(\.events) == [6, 5, 4, 3, 2])
      #expect(all.map(\.number) == [4, 3, 2, 1, 0])
      #expect(all.map(\.create.id) == all.map(\.room))
      #expect(try log.rooms(limit: 2).map(\.room) == [rooms[4].room, rooms[3].room])
      #expect(try log.rooms(limit: 0).isEmpty)
    }
  }

  @Test(
    "A tournament's rooms come in the order of their creation, and only its own", arguments: Form.allCases)
  func tournament(form: Form) async throws {
    try await form.with { log in
      let (one, two) = (try smallRoom(200).room, try smallRoom(201).room)
      let rooms = try (0..<6).map { try smallRoom(UInt8($0), tournament: $0 % 2 == 0 ? one : two) }
      for room in rooms + [try smallRoom(9)] { try log.write([room.change]) }
      #expect(try log.rooms(of: one).map(\.room) == [rooms[0].room, rooms[2].room, rooms[4].room])
      #expect(try log.rooms(of: two).map(\.room) == [rooms[1].room, rooms[3].room, rooms[5].room])
      #expect(try log.rooms(of: rooms[0].room).isEmpty)
    }
  }

  @Test("A prefix of any number of digits finds one room or says why not", arguments: Form.allCases)
  func prefixes(form: Form) async throws {
    try await form.with { log in
      #expect(logError { () throws(LogError) in _ = try log.room(prefix: "") } == .unknownRoom(""))
      let rooms = try (0..<40).map { try smallRoom(UInt8($0), events: 1) }
      try log.write(rooms.map(\.change))
      let names = rooms.map(\.room.description)
      for name in names {
        for count in 0...64 {
          let prefix = String(name.prefix(count))
          let matches = names.filter { $0.hasPrefix(prefix) }
          do throws(LogError) {
            let found = try log.room(prefix: count % 3 == 0 ? prefix.uppercased() : prefix)
            #expect(matches == [found.description])
          } catch {
            #expect(
              error == .ambiguousRoom(count % 3 == 0 ? prefix.uppercased() : prefix, count: matches.count))
          }
        }
      }
      for wrong in ["g", "é", "zz", names[0] + "0", String(repeating: "0", count: 63) + "1"] {
        #expect(logError { () throws(LogError) in _ = try log.room(prefix: wrong) } == .unknownRoom(wrong))
      }
    }
  }

  @Test(
    "Appends go on where the store stands; others are refused, with no effect at all",
    arguments: Form.allCases)
  func baseMismatch(form: Form) async throws {
    try await form.with { log in
      var maker = try RoomMaker()
      var held = RoomLog(room: maker.room)
      let room = maker.room
      try held.append(maker.create, signature: maker.sign(maker.create))
      try log.write([held.change])
      let event = try maker.write(1)
      try held.append(event, signature: maker.sign(event))
      for base in [0, 2, 7] {
        let wrong = RoomChange(held, from: base)
        let other = try smallRoom(77).change
        let error = logError { () throws(LogError) in try log.write([other, wrong]) }
        #expect(error == .stale(room, base: base, stored: 1))
      }
      #expect(try log.rooms(limit: nil).map(\.room) == [room])
      try log.write([RoomChange(held, from: 1)])
      let two = try (2...3).map { base in
        let event = try maker.write(2)
        try held.append(event, signature: maker.sign(event))
        return RoomChange(held, from: base)
      }
      try log.write(two)
      #expect(try log.load(room, verify: true).entries.count == 4)
    }
  }

  @Test("A feed that would end unsigned, or a run that is too long, is refused", arguments: Form.allCases)
  func unsigned(form: Form) async throws {
    try await form.with { log in
      var maker = try RoomMaker()
      let events = [maker.create] + (try (0..<257).map { _ in try maker.write(1) })
      func change(_ signed: Set<Int>, _ count: Int) -> RoomChange {
        let entries = events.prefix(count).enumerated().map {
          RoomLog.Entry(event: $1, signature: signed.contains($0) ? maker.sign($1) : nil)
        }
        return RoomLog(room: maker.room, restoring: entries).change
      }
      func error(_ change: RoomChange) -> LogError? {
        logError { () throws(LogError) in try log.write([change]) }
      }
      #expect(error(change([0, 2], 4)) == .unsigned(events[3].id))
      #expect(error(change([3], 4)) == .unsigned(events[0].id))
      #expect(error(change([0, 257], 258)) != nil)
      #expect(error(change([0, 9, 257], 258)) == nil)
      #expect(try log.load(maker.room, verify: true).entries.count == 258)
    }
  }

  @Test("Branches of a fork come back as branches", arguments: Form.allCases)
  func forks(form: Form) async throws {
    try await form.with { log in
      let room = try forkedRoom()
      try log.write([room.change])
      let loaded = try log.load(room.room, verify: true)
      #expect(loaded.clock == room.clock)
      #expect(loaded.forkProofs == room.forkProofs)
      #expect(loaded.forkProofs.count == 1)
      #expect(loaded.feeds.map(\.branches) == room.feeds.map(\.branches))
      let report = try log.verify(room.room)
      #expect(report.isValid && report.forks == room.forkProofs)
    }
  }

  @Test("At the quota a write is refused whole, and reading goes on", arguments: Form.allCases)
  func quota(form: Form) async throws {
    try await form.with(quotaBytes: 100_000) { log in
      var written = 0
      var refusal: LogError?
      while refusal == nil, written < 250 {
        let change = try smallRoom(UInt8(written), events: 8).change
        refusal = logError { () throws(LogError) in try log.write([change]) }
        if refusal == nil { written += 1 }
      }
      guard case .full = refusal else {
        Issue.record("\(String(describing: refusal)) after \(written) rooms")
        return
      }
      #expect(written > 10)
      let rooms = try log.rooms(limit: nil)
      #expect(rooms.count == written)
      for room in rooms { #expect(try log.load(room.room, verify: true).entries.count == 9) }
    }
  }

  @Test("What is not here has a name in the error", arguments: Form.allCases)
  func unknown(form: Form) async throws {
    try await form.with { log in
      let room = try smallRoom(1)
      #expect(
        logError { () throws(LogError) in _ = try log.load(room.room, verify: false) }
          == .unknownRoom(room.room.description))
      #expect(try log.rooms(limit: nil).isEmpty)
      try log.write([])
      try log.write([room.change])
      let other = try smallRoom(2)
      #expect(
        logError { () throws(LogError) in
          try log.write([RoomLog(room: other.room, restoring: room.entries).change])
        } == .missing(other.room))
    }
  }

  @Test("Every false event in a store is found, and is the first that is named", arguments: Form.allCases)
  func verification(form: Form) async throws {
    for flaw in Flaw.allCases {
      try await form.with { log in
        let (change, bad) = try flaw.change()
        try log.write([change])
        #expect(try log.load(change.room, verify: false).entries.count == change.entries.count)
        let report = try log.verify(change.room)
        #expect(!report.isValid && report.event == bad, "\(flaw): \(String(describing: report.reason))")
      }
    }
  }
}

/// What can be wrong with a stored room whose records are well formed.
enum Flaw: CaseIterable {
  case signature
  case missingParent
  case ownParent
  case missingPrevious
  case doubled

  /// A change with the flaw, and the event it makes bad.
  func change() throws -> (RoomChange, EventID) {
    var maker = try RoomMaker()
    var entries = [RoomLog.Entry(event: maker.create, signature: maker.sign(maker.create))]
    func add(_ event: Event, _ signature: Signature? = nil) {
      entries.append(.init(event: event, signature: signature ?? maker.sign(event)))
    }
    let first = try maker.write(1)
    add(first)
    var bad = try maker.write(2, parents: [first.id])
    switch self {
    case .signature: add(bad, maker.sign(first))
    case .missingParent:
      bad = try maker.make(3, sequence: 1, previous: .none, parents: [EventID(.zero.changed)])
      add(bad)
    case .ownParent:
      let second = try maker.write(0)
      add(second)
      bad = try maker.make(0, sequence: 3, previous: second.id, parents: [maker.room])
      add(bad)
    case .missingPrevious:
      bad = try maker.make(1, sequence: 3, previous: bad.id)
      add(bad)
    case .doubled:
      bad = first
      add(first)
    }
    return (RoomLog(room: maker.room, restoring: entries).change, bad.id)
  }
}

extension Bytes32 {
  /// Other bytes.
  var changed: Bytes32 { Blake2b(domain: "changed", key: self).digest() }
}

/// A room in which the second author wrote two branches, each signed, and others cite both.
func forkedRoom() throws -> RoomLog {
  var maker = try RoomMaker()
  var log = RoomLog(room: maker.room)
  _ = try log.receive(try maker.run(0, 1...1))
  for _ in 0..<4 { _ = try maker.write(1) }
  _ = try log.receive(try maker.run(1, 1...4))
  let second = maker.feeds[1][1]
  let branch = try maker.make(1, .chat("b3"), sequence: 3, previous: second.id)
  let tip = try maker.make(1, .chat("b4"), sequence: 4, previous: branch.id)
  _ = try log.receive(try maker.run([branch, tip]))
  let citing = try maker.write(0, parents: [tip.id, maker.feeds[1][3].id])
  _ = try log.receive(try maker.run([citing]))
  return log
}

import EventLog
import Events
import TestKit
import Testing

/// The bytes of what is stored of a room, written here once more: any content, with the hash that fits it.
private struct Bytes {
  var version: UInt8 = 3
  var rule: UInt8 = 3
  var events: UInt32 = 9
  var scope: UInt8 = 2
  var tournament: [UInt8] = [0]
  var members: [PeerID] = []
  var entries: [VectorClock.Entry] = []
  var tail: [UInt8] = []

  func value(of room: RoomID) -> [UInt8] {
    var value: [UInt8] = [version, rule]
    value.append(bigEndian: events)
    value.append(scope)
    value += tournament
    value.append(bigEndian: UInt16(members.count))
    for member in members { value += member.bytes.bytes }
    value.append(bigEndian: UInt32(entries.count))
    for entry in entries {
      value += entry.author.bytes.bytes
      value.append(bigEndian: UInt32(entry.sequence))
      value.append(entry.isForked ? 1 : 0)
      if !entry.isForked { value += entry.head.bytes.bytes }
    }
    value += tail
    var hash = Blake2b(domain: "parlor-stored-clock-1")
    hash.update(room)
    hash.update(value)
    return value + hash.digest().bytes.prefix(16)
  }
}

/// A value of thirty-two bytes that a number names.
private func bytes(_ number: UInt8) -> Bytes32 {
  var hash = Blake2b(domain: "stored-clock-tests")
  hash.update(bigEndian: number)
  return hash.digest()
}

private func entry(_ author: UInt8, _ sequence: UInt64, isForked: Bool = false) -> VectorClock.Entry {
  .init(
    author: PeerID(bytes(author)), sequence: sequence,
    head: isForked ? .none : EventID(bytes(100 + author)), isForked: isForked)
}

/// What is stored of rooms that are over: the bytes.
@Suite struct StoredClockTests {
  private let room = RoomID(bytes(200))

  /// One of each form.
  private func examples() throws -> [StoredClock] {
    let members = [PeerID(bytes(1)), PeerID(bytes(2)), PeerID(bytes(3))].sorted()
    let clocks = [
      StoredClock(
        room: room, events: 1, rule: 1, scope: .local, members: [], clock: VectorClock([entry(1, 1)])),
      StoredClock(
        room: room, events: 300, rule: 255, scope: .open, tournament: RoomID(bytes(201)), members: [],
        clock: VectorClock([entry(1, 299), entry(2, 1)])),
      StoredClock(
        room: room, events: 70_000, rule: 0, scope: .invited, members: members,
        clock: VectorClock([entry(1, 66_000), entry(2, 5, isForked: true), entry(3, 70_000)])),
    ]
    return try clocks.map { try #require($0) }
  }

  @Test func vectors() throws {
    var file = VectorFile(
      "stored-clocks", ["What a store keeps of rooms that are over: StoredClock says what the bytes mean."])
    for clock in try examples() {
      file.records.append([("room", clock.room.description), ("bytes", clock.value.hex)])
    }
    try file.check()
    for (record, clock) in zip(try file.stored(), try examples()) {
      let bytes = try #require([UInt8](hex: record["bytes"] ?? ""))
      #expect(StoredClock.decode(bytes, of: room) == clock)
    }
  }

  @Test func everyChangedByteIsNoticed() throws {
    for clock in try examples() {
      let value = clock.value
      #expect(StoredClock.decode(value, of: room) == clock)
      #expect(StoredClock.decode(value, of: RoomID(bytes(201))) == nil)
      for at in value.indices {
        for bit in 0..<8 {
          var changed = value
          changed[at] ^= 1 << UInt8(bit)
          #expect(StoredClock.decode(changed, of: room) == nil, "bit \(bit) of byte \(at)")
        }
        #expect(StoredClock.decode(Array(value.prefix(at)), of: room) == nil, "\(at) bytes")
        #expect(StoredClock.decode(Array(value.dropFirst(at + 1)), of: room) == nil)
      }
      #expect(StoredClock.decode(value + [0], of: room) == nil)
    }
  }

  /// A hash fits whatever it was computed of, so what no room offers is refused besides.
  @Test func whatCannotBeIsRefusedWhateverItsHashSays() throws {
    let members = [PeerID(bytes(1)), PeerID(bytes(2))].sorted()
    let entries = VectorClock([entry(1, 9), entry(2, 1)]).entries
    let good = Bytes(members: members, entries: entries)
    let decoded = try #require(StoredClock.decode(good.value(of: room), of: room))
    #expect(decoded.value == good.value(of: room))
    #expect(decoded.members == members && decoded.clock.entries == entries && decoded.events == 9)
    func changed(_ change: (inout Bytes) -> Void) -> Bytes {
      var bytes = good
      change(&bytes)
      return bytes
    }
    let wrong: [(String, Bytes)] = [
      ("version", changed { $0.version = 1 }),
      ("no version", changed { $0.version = 0 }),
      ("no events", changed { $0.events = 0 }),
      ("too many events", changed { $0.events = 1 << 31 }),
      ("fewer events than a feed has", changed { $0.events = 8 }),
      ("scope", changed { $0.scope = 0 }),
      ("another scope", changed { $0.scope = 4 }),
      ("nobody invited", changed { $0.members = [] }),
      ("members of an open room", changed { $0.scope = 3 }),
      ("members twice", changed { $0.members = [members[0], members[0]] }),
      ("members descending", changed { $0.members.reverse() }),
      ("a tournament that is none", changed { $0.tournament = [1] + [UInt8](repeating: 0, count: 32) }),
      ("neither of a tournament nor of none", changed { $0.tournament = [2] }),
      ("no feeds", changed { $0.entries = [] }),
      ("a feed twice", changed { $0.entries = [entries[0], entries[0]] }),
      ("sequence zero", changed { $0.entries[0].sequence = 0 }),
      ("a head of nothing", changed { $0.entries[0].head = .none }),
      ("more behind it", changed { $0.tail = [0] }),
    ]
    for (name, bytes) in wrong {
      #expect(StoredClock.decode(bytes.value(of: room), of: room) == nil, "\(name)")
    }
    // More feeds than events, each with one event.
    let crowd = (1...3).map { entry($0, 1) }
    let crowded = Bytes(events: 2, scope: 1, entries: VectorClock(crowd).entries)
    #expect(StoredClock.decode(crowded.value(of: room), of: room) == nil)
    for count in 0..<20 {
      #expect(StoredClock.decode([UInt8](repeating: 1, count: count), of: room) == nil)
    }
  }
}

extension RoomLog {
  /// What is stored of this room when it is over.
  func storedClock(rule: UInt8 = 1) throws -> StoredClock {
    try #require(
      StoredClock(
        room: room, events: entries.count, rule: rule, scope: .local, members: [], clock: clock))
  }
}

/// What is stored of rooms that are over: when it counts.
@Suite struct StoredRoomTests {
  @Test("Rooms come oldest first from any number on, with what is stored of them", arguments: Form.allCases)
  func paging(form: Form) async throws {
    try await form.with { log in
      #expect(try log.storedRooms(from: 0, limit: 5).isEmpty)
      let rooms = try (0..<7).map { try smallRoom(UInt8($0)) }
      try log.write(rooms[0..<4].map(\.change))
      try log.write(rooms[4...].map(\.change), clocks: try [rooms[1], rooms[5]].map { try $0.storedClock() })
      for first in 0..<9 {
        for limit in 0..<9 {
          let found = try log.storedRooms(from: UInt64(first), limit: limit)
          let expected = Array(rooms.dropFirst(first).prefix(limit))
          #expect(found.map(\.room) == expected.map(\.room))
          #expect(found.map(\.number) == expected.indices.map { UInt64(first + $0) })
          for (at, room) in found.enumerated() {
            let isStored = [rooms[1].room, rooms[5].room].contains(room.room)
            let clock = try expected[at].storedClock()
            #expect(room.clock == (isStored ? clock : nil))
          }
        }
      }
      #expect(try log.storedRooms(from: 1 << 40, limit: 3).isEmpty)
    }
  }

  @Test("What was stored holds until the room has more events", arguments: Form.allCases)
  func stale(form: Form) async throws {
    try await form.with { log in
      var maker = try RoomMaker()
      var room = RoomLog(room: maker.room)
      func clock() throws -> StoredClock? { try log.storedRooms(from: 0, limit: 1).first?.clock }
      try room.append(maker.create, signature: maker.sign(maker.create))
      try log.write([room.change], clocks: [try room.storedClock()])
      #expect(try clock() == room.storedClock())
      let before = try room.storedClock()
      let event = try maker.write(1)
      try room.append(event, signature: maker.sign(event))
      try log.write([RoomChange(room, from: 1)])
      #expect(try clock() == nil)
      // One of an earlier commit that comes late is not stored.
      try log.write([], clocks: [before])
      #expect(try clock() == nil)
      try log.write([], clocks: [try room.storedClock(rule: 7), before])
      #expect(try clock() == room.storedClock(rule: 7))
      try log.write([], clocks: [try room.storedClock(rule: 8)])
      #expect(try clock()?.rule == 8)
    }
  }

  @Test("Clocks of rooms that the store does not have are left out", arguments: Form.allCases)
  func strangers(form: Form) async throws {
    try await form.with { log in
      let (room, other) = (try smallRoom(1), try smallRoom(2))
      try log.write([], clocks: [try room.storedClock()])
      try log.write([room.change], clocks: [try other.storedClock()])
      #expect(try log.storedRooms(from: 0, limit: 9).map(\.clock) == [nil])
      #expect(try log.rooms(limit: nil).count == 1)
    }
  }

  @Test("Clocks are read by whoever opens the store next, and take little of it")
  func reopening() async throws {
    try await withTemporaryFolder { folder in
      let rooms = try (0..<250).map { try smallRoom(UInt8($0), events: 1) }
      let clocks = try rooms.map { try $0.storedClock() }
      var bytes = 0
      do {
        let log = try openStore(folder)
        try log.write(rooms.map(\.change))
        bytes = try log.usedBytes()
        try log.write([], clocks: clocks)
        bytes = try log.usedBytes() - bytes
      }
      // Of two feeds each; pages are filled where rooms follow each other.
      #expect(bytes < 220 * rooms.count, "\(bytes) bytes")
      let log = try openStore(folder, .reading)
      #expect(try log.storedRooms(from: 0, limit: 400).map(\.clock) == clocks)
      for (room, clock) in zip(rooms, clocks) { #expect(try log.storedClock(of: room.room) == clock) }
      #expect(try log.storedClock(of: RoomID(Bytes32.zero.changed)) == nil)
      #expect(try log.pageFault() == nil)
    }
  }

  @Test("When space is short events go first: clocks are left out, and nobody is told")
  func quota() async throws {
    try await withTemporaryFolder { folder in
      let log = try openStore(folder, quotaBytes: 200_000)
      var written: [RoomLog] = []
      var refusal: LogError?
      while refusal == nil, written.count < 250 {
        let room = try smallRoom(UInt8(written.count), events: 8)
        let clock = try room.storedClock()
        refusal = logError { () throws(LogError) in try log.write([room.change], clocks: [clock]) }
        if refusal == nil { written.append(room) }
      }
      guard case .full = refusal else {
        Issue.record("\(String(describing: refusal)) after \(written.count) rooms")
        return
      }
      let clocks = try log.storedRooms(from: 0, limit: 250).map(\.clock)
      let stored = clocks.prefix { $0 != nil }.count
      #expect(clocks.count == written.count && stored > 10 && stored < written.count)
      #expect(clocks.dropFirst(stored).allSatisfy { $0 == nil })
      try log.write([], clocks: try written.map { try $0.storedClock() })
      #expect(try log.storedRooms(from: 0, limit: 250).map(\.clock) == clocks)
    }
  }
}

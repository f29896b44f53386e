import EventLog
import Events
import Foundation
import LMDB
import TestKit
import Testing

/// Opens as `openStore` does, for the same reason.
private func patiently(_ open: () throws(StoreError) -> Environment) throws(StoreError) -> Environment {
  for _ in 0..<300 {
    do throws(StoreError) { return try open() } catch {
      guard case .locked = error else { throw error }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
  return try open()
}

/// Changes one record of a store behind the log's back.
private func damage(
  _ folder: String, _ database: String, at key: [UInt8], _ change: ([UInt8]) -> [UInt8]?
) throws {
  let names = ["meta", "rooms", "numbers", "events", "children"]
  let configuration = Environment.Configuration(
    folder: "\(folder)/store", access: .writing, databases: names, mapBytes: 2 << 30)
  let store = try patiently { () throws(StoreError) in try Environment(configuration) }
  let target = try store.database(database)
  try store.write { (transaction) throws(StoreError) in
    var value: [UInt8]?
    if let found = try transaction.get(key.rawSpan, in: target) { value = Array(copying: found) }
    guard let value else { throw .missing(path: database) }
    if let changed = change(value) {
      try transaction.put(changed.rawSpan, at: key.rawSpan, in: target)
    } else {
      try transaction.delete(key.rawSpan, in: target)
    }
  }
}

@Suite("Damaged stores")
struct StoreDamageTests {
  private func numberKey(_ number: UInt32, _ arrival: UInt32? = nil) -> [UInt8] {
    var key: [UInt8] = []
    key.append(bigEndian: number)
    if let arrival { key.append(bigEndian: arrival) }
    return key
  }

  /// What loading says after one record was changed: trusted, and verified.
  private func errors(
    _ database: String, at key: [UInt8], _ change: @escaping ([UInt8]) -> [UInt8]?
  ) async throws -> (trusted: LogError?, verified: LogError?) {
    var found: (LogError?, LogError?) = (nil, nil)
    try await withTemporaryFolder { folder in
      let room = try smallRoom(1, events: 4, signsEach: true)
      do { try openStore(folder).write(room.changesOfOne) }
      try damage(folder, database, at: key, change)
      let log = try openStore(folder, .reading)
      found = (
        logError { () throws(LogError) in _ = try log.load(room.room, verify: false) },
        logError { () throws(LogError) in _ = try log.load(room.room, verify: true) }
      )
    }
    return found
  }

  private func isCorrupt(_ error: LogError?) -> Bool { if case .corrupt = error { true } else { false } }

  @Test("A lost event is noticed, also without verifying")
  func lostEvents() async throws {
    for arrival in UInt32(0)..<5 {
      let found = try await errors("events", at: numberKey(0, arrival)) { _ in nil }
      #expect(isCorrupt(found.trusted) && isCorrupt(found.verified), "event \(arrival)")
    }
  }

  @Test("Every flipped bit is noticed by verifying, and by loading unless it is in a signature; none traps")
  func flips() async throws {
    try await withTemporaryFolder { folder in
      let room = try smallRoom(1, events: 2, signsEach: true)
      do { try openStore(folder).write(room.changesOfOne) }
      for arrival in UInt32(0)..<3 {
        var (size, signature) = (0, 0..<0)
        try damage(folder, "events", at: numberKey(0, arrival)) { value in
          size = value.count
          // Behind the length, which has two bytes from 128 on.
          signature = value[0] < 128 ? 1..<65 : 2..<66
          return value
        }
        for at in stride(from: 0, to: size, by: Effort.isQuick ? 7 : 1) {
          let bit = UInt8(1) << UInt8(at % 8)
          try damage(folder, "events", at: numberKey(0, arrival)) { value in
            var changed = value
            changed[at] ^= bit
            return changed
          }
          let log = try openStore(folder, .reading)
          let report = try log.verify(room.room)
          #expect(!report.isValid, "bit of byte \(at) of event \(arrival)")
          let error = logError { () throws(LogError) in _ = try log.load(room.room, verify: false) }
          #expect(signature.contains(at) ? error == nil : isCorrupt(error), "byte \(at) of event \(arrival)")
          _ = logError { () throws(LogError) in _ = try log.rooms(limit: nil) }
          _ = consume log
          try damage(folder, "events", at: numberKey(0, arrival)) { value in
            var changed = value
            changed[at] ^= bit
            return changed
          }
        }
      }
      #expect(try openStore(folder, .reading).verify(room.room).isValid)
    }
  }

  @Test("Records of a room that do not fit its events are noticed")
  func records() async throws {
    for change in [-1, 1, 100] {
      let found = try await errors("numbers", at: numberKey(0)) { value in
        var changed = value
        changed[35] = UInt8(Int(changed[35]) + change)
        return changed
      }
      #expect(isCorrupt(found.verified) && isCorrupt(found.trusted))
    }
    let absurd = try await errors("numbers", at: numberKey(0)) { value in
      var changed = value
      changed[32] = 0x7F
      return changed
    }
    #expect(isCorrupt(absurd.trusted) && isCorrupt(absurd.verified), "two billion events are not reserved")
    let other = try await errors("numbers", at: numberKey(0)) { value in
      var changed = value
      changed[0] ^= 1
      return changed
    }
    #expect(isCorrupt(other.trusted))
    let short = try await errors("numbers", at: numberKey(0)) { Array($0.dropLast()) }
    #expect(isCorrupt(short.trusted))
    let gone = try await errors("numbers", at: numberKey(0)) { _ in nil }
    #expect(isCorrupt(gone.trusted))
  }

  @Test("Rooms that cannot be listed still have their ids here, and the others can be checked")
  func damagedRooms() async throws {
    let rooms = try (1...3).map { try smallRoom($0) }
    for (database, key) in [("events", numberKey(1, 0)), ("numbers", numberKey(1))] {
      try await withTemporaryFolder { folder in
        do { try openStore(folder).write(rooms.map(\.change)) }
        try damage(folder, database, at: key) { Array($0.dropFirst(3)) }
        let log = try openStore(folder, .reading)
        #expect(isCorrupt(logError { () throws(LogError) in _ = try log.rooms(limit: nil) }))
        let (ids, faults) = try log.roomIDs()
        #expect(ids == rooms.reversed().map(\.room))
        #expect(faults.isEmpty)
        #expect(try ids.map { try log.verify($0).isValid } == [true, false, true])
      }
    }
    try await withTemporaryFolder { folder in
      do { try openStore(folder).write(rooms.map(\.change)) }
      try damage(folder, "rooms", at: StoreDamageTests.key(rooms[0])) { Array($0.dropLast()) }
      try damage(folder, "rooms", at: StoreDamageTests.key(rooms[1])) { _ in nil }
      let (ids, faults) = try openStore(folder, .reading).roomIDs()
      #expect(ids == rooms.reversed().map(\.room))
      #expect(faults.count == 1)
    }
  }

  @Test("What is stored of a room that is over may be damaged anywhere: then it is as if there were none")
  func storedClocks() async throws {
    try await withTemporaryFolder { folder in
      let rooms = try (1...2).map { try smallRoom($0) }
      let clocks = try rooms.map { try $0.storedClock() }
      do { try openStore(folder).write(rooms.map(\.change), clocks: clocks) }
      let key = Array("room".utf8) + numberKey(0)
      func found() throws -> [StoredClock?] {
        try openStore(folder, .reading).storedRooms(from: 0, limit: 3).map(\.clock)
      }
      let value = clocks[0].value
      let wrong: [[UInt8]] =
        stride(from: 0, to: value.count, by: Effort.isQuick ? 7 : 1).map { at in
          var changed = value
          changed[at] ^= UInt8(1) << UInt8(at % 8)
          return changed
        } + [[], [1], Array(value.dropLast()), value + [0], clocks[1].value]
      for bytes in wrong {
        try damage(folder, "meta", at: key) { _ in bytes }
        #expect(try found() == [nil, clocks[1]])
        #expect(try openStore(folder, .reading).verify(rooms[0].room).isValid)
      }
      // It is written anew, whatever is there.
      do { try openStore(folder).write([], clocks: [clocks[0]]) }
      #expect(try found() == clocks)
      try damage(folder, "meta", at: key) { _ in nil }
      #expect(try found() == [nil, clocks[1]])
    }
  }

  private static func key(_ log: RoomLog) -> [UInt8] { log.room.bytes.bytes }

  @Test("A store of another format is refused, and one that forgot its network")
  func meta() async throws {
    try await withTemporaryFolder { folder in
      do { try openStore(folder).write([try smallRoom(1).change]) }
      func opening() -> LogError? { logError { () throws(LogError) in _ = try openStore(folder) } }
      try damage(folder, "meta", at: Array("format".utf8)) { _ in [0, 0, 0, 1] }
      guard case .store(let words) = opening() else {
        Issue.record("\(String(describing: opening()))")
        return
      }
      #expect(words.contains("version 1 of the store"))
      try damage(folder, "meta", at: Array("format".utf8)) { _ in nil }
      #expect(isCorrupt(opening()))
    }
  }
}

@Suite("Several processes")
struct ProcessTests {
  @Test("What was acknowledged survives a kill at once after it")
  func kill() async throws {
    try await withTemporaryFolder { folder in
      for round in 0..<3 {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, round = round as Int] in
          let log = try openStore(folder)
          for number in 0..<5 { try log.write([try smallRoom(UInt8(round * 5 + number)).change]) }
          raise(SIGKILL)
        }
        let log = try openStore(folder, .reading)
        let rooms = try log.rooms(limit: nil)
        #expect(rooms.count == (round + 1) * 5)
        for room in rooms { #expect(try log.verify(room.room).isValid) }
      }
    }
  }

  @Test("A second writer is told who holds the store; readers work beside it and see what is new")
  func secondWriter() async throws {
    try await withTemporaryFolder { folder in
      let log = try openStore(folder)
      try log.write([try smallRoom(1).change])
      await #expect(processExitsWith: .success) { [folder = folder as String, writer = getpid() as Int32] in
        let error = logError { () throws(LogError) in _ = try openStore(folder) }
        guard case .locked(let words) = error else {
          Issue.record("a second writer got \(String(describing: error))")
          return
        }
        #expect(words.contains("\(writer)") && words.contains("parlor"))
        let reader = try openStore(folder, .reading)
        #expect(try reader.rooms(limit: nil).count == 1)
      }
      try log.write([try smallRoom(2).change])
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        let rooms = try openStore(folder, .reading).rooms(limit: nil)
        #expect(rooms.count == 2)
      }
    }
  }
}

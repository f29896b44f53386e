import EventLog
import Events
import Foundation
import Testing

@Suite("The log in a store")
struct LMDBEventLogTests {
  private func openingError(
    _ folder: String, _ access: LMDBEventLog.Access, network: NetworkID = .standard
  ) -> LogError? {
    logError { () throws(LogError) in _ = try openStore(folder, access, network: network) }
  }

  @Test("What was written is there when the log is dropped without a word and opened again")
  func reopening() async throws {
    try await withTemporaryFolder { folder in
      let random = try RandomRoom(seed: 8)
      let room = try random.log(random.runs)
      for round in 0..<4 {
        let log = try openStore(folder)
        #expect(try log.rooms(limit: nil).count == round)
        try log.write([round == 0 ? room.change : try smallRoom(UInt8(round)).change])
      }
      let log = try openStore(folder, .reading)
      #expect(try log.load(room.room, verify: true).clock == room.clock)
      #expect(try log.rooms(limit: nil).map(\.number) == [3, 2, 1, 0])
    }
  }

  @Test("A reader is told that nothing was written yet, and cannot write")
  func readers() async throws {
    try await withTemporaryFolder { folder in
      guard case .noStore = openingError(folder, .reading) else {
        Issue.record("a reader of nothing got \(String(describing: openingError(folder, .reading)))")
        return
      }
      let room = try smallRoom(1)
      try openStore(folder).write([room.change])
      let reader = try openStore(folder, .reading)
      let other = try smallRoom(2).change
      #expect(logError { () throws(LogError) in try reader.write([other]) } != nil)
      #expect(try reader.rooms(limit: nil).map(\.room) == [room.room])
    }
  }

  @Test("Another network's store is refused by name")
  func otherNetwork() async throws {
    try await withTemporaryFolder { folder in
      do { _ = try openStore(folder) }
      let other = NetworkID(NetworkID.standard.bytes.changed)
      for access in [LMDBEventLog.Access.reading, .writing] {
        #expect(
          openingError(folder, access, network: other) == .otherNetwork(stored: .standard, wanted: other))
      }
      #expect(openingError(folder, .writing) == nil)
    }
  }

  @Test("Folders that hold no store, or that cannot be read, are refused with words")
  func unusable() async throws {
    try await withTemporaryFolder { folder in
      let store = "\(folder)/store"
      try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
      try Data("not a store".utf8).write(to: URL(filePath: "\(store)/data.mdb"))
      for access in [LMDBEventLog.Access.reading, .writing] {
        let error = openingError(folder, access)
        #expect(error != nil && error?.description.isEmpty == false)
        if case .noStore = error { Issue.record("a file that is no store was taken for none") }
      }
    }
  }

  @Test("Batches of rooms interleave, and each room keeps its own order")
  func interleaving() async throws {
    try await withTemporaryFolder { folder in
      let log = try openStore(folder)
      var makers = try (0..<20).map { try RoomMaker(nonce: UInt8($0)) }
      var rooms = makers.map { RoomLog(room: $0.room) }
      for (at, maker) in makers.enumerated() {
        try rooms[at].append(maker.create, signature: maker.sign(maker.create))
      }
      try log.write(rooms.map(\.change))
      for step in 1...15 {
        var changes: [RoomChange] = []
        for at in makers.indices.shuffled() where (at + step) % 3 != 0 {
          let event = try makers[at].write(1, .chat("\(step)"))
          try rooms[at].append(event, signature: makers[at].sign(event))
          changes.append(RoomChange(rooms[at], from: makers[at].feeds[1].count))
        }
        try log.write(changes)
      }
      for maker in makers {
        let loaded = try log.load(maker.room, verify: true)
        #expect(loaded.entries.map(\.event) == [maker.create] + maker.feeds[1])
      }
    }
  }

  @Test("A store of short rooms stays below 120 bytes an event")
  func size() async throws {
    try await withTemporaryFolder { folder in
      let log = try openStore(folder)
      let rooms = 200
      for at in 0..<rooms { try log.write([try gameRoom(at).change]) }
      let events = try log.rooms(limit: nil).reduce(0) { $0 + $1.events }
      let used = try log.usedBytes()
      #expect(used / events < 120, "\(used) bytes for \(events) events")
    }
  }
}

/// A room with ten moves, signed at the end of each feed only.
func gameRoom(_ number: Int) throws -> RoomLog {
  var maker = try RoomMaker(
    Array(testKeys.prefix(2)), nonce: UInt8(number & 255), tournament: EventID(Bytes32.zero.changedBy(number))
  )
  var log = RoomLog(room: maker.room)
  try log.append(maker.create)
  var last = maker.create.id
  for ply in 0..<10 {
    let author = ply & 1
    let step = Action.Step(game: 0, ply: UInt16(ply), node: last)
    let parents = maker.feeds[author].last?.id == last ? [] : [last]
    let event = try maker.write(author, .move(step, code: UInt32(ply), nil), parents: parents)
    try log.append(event, signature: ply >= 8 ? maker.sign(event) : nil)
    last = event.id
  }
  return log
}

extension Bytes32 {
  func changedBy(_ number: Int) -> Bytes32 {
    var hash = Blake2b(domain: "number")
    hash.update(bigEndian: number)
    return hash.digest()
  }
}

import EventLog
import Events
import Foundation
import Synchronization
import Testing

@Suite("Group commits")
struct GroupCommitterTests {
  @Test("64 concurrent writers share transactions, and all is there, in order", arguments: Form.allCases)
  func sharing(form: Form) async throws {
    try await form.with { log in
      let committer = GroupCommitter(log)
      let steps = 12
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<64 {
          group.addTask {
            var maker = try RoomMaker(nonce: UInt8(writer))
            var room = RoomLog(room: maker.room)
            try room.append(maker.create, signature: maker.sign(maker.create))
            try await committer.commit([room.change])
            for step in 1...steps {
              let event = try maker.write(1, .chat("\(step)"))
              try room.append(event, signature: maker.sign(event))
              try await committer.commit([RoomChange(room, from: step)])
              #expect(try log.load(maker.room, verify: false).entries.count == step + 1)
            }
          }
        }
        try await group.waitForAll()
      }
      let counts = await committer.counts
      #expect(counts.calls == 64 * (steps + 1) && counts.events == counts.calls)
      #expect(counts.flushes < counts.calls)
      for room in try log.rooms(limit: nil) {
        let texts = try log.load(room.room, verify: true).entries.compactMap { RoomMaker.text($0.event) }
        #expect(texts == (1...steps).map { "\($0)" })
      }
    }
  }

  @Test("One bad change in a group fails alone", arguments: Form.allCases)
  func oneAtFault(form: Form) async throws {
    try await form.with { log in
      let blocked = BlockingLog(log)
      let committer = GroupCommitter(blocked)
      let rooms = try (0..<10).map { try smallRoom(UInt8($0)) }
      let first = Task { await failure(of: [rooms[0].change], committer) }
      // The first group is in the store's hands: what comes now becomes one group.
      while !blocked.isWriting.load(ordering: .acquiring) { await Task.yield() }
      let tasks = rooms.indices.dropFirst().map { at in
        let change = RoomChange(rooms[at], from: at == 4 ? 3 : 0)
        return Task { await failure(of: [change], committer) }
      }
      // Nothing shows when a call has reached the queue; a group of fewer only makes the test weaker.
      for _ in 0..<2_000 { await Task.yield() }
      blocked.release.store(true, ordering: .releasing)
      #expect(await first.value == nil)
      for (offset, task) in tasks.enumerated() {
        let at = offset + 1
        #expect(await task.value == (at == 4 ? .stale(rooms[4].room, base: 3, stored: 0) : nil))
      }
      #expect(try log.rooms(limit: nil).count == 9)
      #expect(await committer.counts.events == 36)
    }
  }

  @Test("Nobody is answered while the store still writes")
  func noEarlyAnswer() async throws {
    let blocked = BlockingLog(MemoryEventLog(network: .standard))
    let committer = GroupCommitter(blocked)
    let change = try smallRoom(1).change
    let call = Task {
      let error = await failure(of: [change], committer)
      blocked.isAnswered.store(true, ordering: .releasing)
      return error
    }
    while !blocked.isWriting.load(ordering: .acquiring) { await Task.yield() }
    // An answer that came too early has these turns to arrive; on a very busy machine the test is weaker.
    for _ in 0..<2_000 { await Task.yield() }
    let isAnswered = blocked.isAnswered.load(ordering: .acquiring)
    #expect(!isAnswered)
    blocked.release.store(true, ordering: .releasing)
    #expect(await call.value == nil)
  }

  @Test("Changes of one call are made together or not at all")
  func together() async throws {
    let log = MemoryEventLog(network: .standard)
    let committer = GroupCommitter(log)
    let (one, two) = (try smallRoom(1), try smallRoom(2))
    let wrong = RoomChange(two, from: 9)
    do throws(LogError) {
      try await committer.commit([one.change, wrong])
      Issue.record("a false base was taken")
    } catch { #expect(error == .stale(two.room, base: 9, stored: 0)) }
    #expect(try log.rooms(limit: nil).isEmpty)
  }

  @Test("After a failure that leaves the disk in doubt nothing is tried again")
  func stopped() async throws {
    let log = FailingLog()
    let committer = GroupCommitter(log)
    let changes = try (0..<8).map { try smallRoom(UInt8($0)).change }
    await withTaskGroup(of: Void.self) { group in
      for change in changes {
        group.addTask {
          do throws(LogError) {
            try await committer.commit([change])
            Issue.record("a failed commit was acknowledged")
          } catch { #expect(error == .stopped("no disk.")) }
        }
      }
    }
    let counts = await committer.counts
    #expect(counts.flushes == 0 && counts.events == 0 && counts.calls == 8)
    #expect(log.writes.load(ordering: .acquiring) <= 8)
  }
}

/// Why a commit failed; `nil` when it did not.
private func failure(of changes: [RoomChange], _ committer: GroupCommitter) async -> LogError? {
  do throws(LogError) {
    try await committer.commit(changes)
    return nil
  } catch { return error }
}

/// A log whose first write waits until it is released.
private final class BlockingLog: EventLog {
  let isWriting = Atomic<Bool>(false)
  let release = Atomic<Bool>(false)
  /// For a test that watches when its call returns.
  let isAnswered = Atomic<Bool>(false)
  private let log: any EventLog

  init(_ log: any EventLog) { self.log = log }

  var network: NetworkID { log.network }
  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try log.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try log.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try log.room(prefix: prefix) }
  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) { try log.read(room, verify: verify, body, byPosition: byPosition) }
  func forget(_ rooms: [ForgottenRoom]) throws(LogError) { try log.forget(rooms) }
  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { try log.forgottenRooms() }
  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try log.storedRooms(from: number, limit: limit)
  }
  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    isWriting.store(true, ordering: .releasing)
    while !release.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
    try log.write(changes, clocks: clocks)
  }
}

/// A log on a broken disk.
private final class FailingLog: EventLog {
  let writes = Atomic<Int>(0)
  let network = NetworkID.standard
  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { [] }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { [] }
  func room(prefix: String) throws(LogError) -> RoomID { throw .unknownRoom(prefix) }
  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) { throw .unknownRoom("\(room)") }
  func forget(_ rooms: [ForgottenRoom]) throws(LogError) { throw .stopped("no disk.") }
  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { [] }
  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] { [] }
  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    writes.wrappingAdd(1, ordering: .relaxed)
    throw .stopped("no disk.")
  }
}

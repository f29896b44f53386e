import Events
import Foundation
import LMDB
import TestKit
import Testing

@testable import EventLog

/// Rooms that a store is told to forget.
@Suite struct ForgettingTests {
  /// What is remembered of a room whose author of this number is of this machine.
  private func forgotten(_ room: RoomLog, own: Int? = nil) throws -> ForgottenRoom {
    let mine = try own.map { try #require(room.feeds[$0...].first).author }
    return ForgottenRoom(room.room, room.clock) { $0 == mine }
  }

  @Test("Nothing is left of a room that is forgotten, and all of the others", arguments: Form.allCases)
  func forgetting(form: Form) async throws {
    try await form.with { log in
      let parent = try smallRoom(200).room
      let rooms = try (0..<6).map {
        try smallRoom(UInt8($0), events: 40, tournament: $0 % 2 == 0 ? parent : .none)
      }
      try log.write(rooms.map(\.change))
      let gone = [rooms[1], rooms[2], rooms[5]]
      try log.forget(try gone.map { try forgotten($0) } + [try forgotten(smallRoom(77))])
      #expect(try log.rooms(limit: nil).map(\.room) == [rooms[4], rooms[3], rooms[0]].map(\.room))
      #expect(try log.rooms(of: parent).map(\.room) == [rooms[0], rooms[4]].map(\.room))
      #expect(try log.storedRooms(from: 1, limit: 2).map(\.room) == [rooms[3], rooms[4]].map(\.room))
      #expect(try log.forgottenRooms().map(\.room) == gone.map(\.room))
      for room in gone {
        let name = room.room.description
        #expect(
          logError { () throws(LogError) in _ = try log.load(room.room, verify: false) } == .unknownRoom(name)
        )
        #expect(logError { () throws(LogError) in _ = try log.room(prefix: name) } == .unknownRoom(name))
      }
      for room in [rooms[0], rooms[3], rooms[4]] { #expect(try log.verify(room.room).isValid) }
      // A number that is free again goes to another room, of which all is there.
      let new = try smallRoom(9)
      try log.write([new.change])
      #expect(try log.load(new.room, verify: true).entries.count == 4)
      if let stored = log as? LMDBEventLog {
        #expect(try stored.pageFault() == nil)
        #expect(try stored.roomIDs().faults.isEmpty)
        #expect(
          try stored.storedBytes().keys.sorted() == [rooms[0], rooms[3], rooms[4], new].map(\.room).sorted())
      }
    }
  }

  @Test(
    "Who comes back is forgotten no more, and what was written there stays known", arguments: Form.allCases)
  func comingBack(form: Form) async throws {
    try await form.with { log in
      let (strange, own) = (try smallRoom(1), try smallRoom(2, events: 5))
      try log.write([strange.change, own.change])
      let kept = try forgotten(own, own: 1)
      try log.forget([try forgotten(strange), kept])
      try log.write([strange.change, RoomLog(room: own.room, restoring: Array(own.entries.prefix(1))).change])
      #expect(try log.forgottenRooms() == [kept])
      // It came back in part, and is forgotten once more: the longer feed is the one that was written.
      let part = try log.load(own.room, verify: false)
      try log.forget([ForgottenRoom(own.room, part.clock) { _ in false }])
      #expect(try log.forgottenRooms().map(\.own) == [kept.own])
    }
  }

  @Test("Of strangers' rooms so many are remembered and no more", arguments: Form.allCases)
  func limit(form: Form) async throws {
    let clock = VectorClock([.init(author: PeerID(.zero.changed), sequence: 1, head: EventID(.zero.changed))])
    let room = ForgottenRoom(RoomID(.zero.changed), clock) { _ in true }
    #expect(room.own == clock.entries && !room.isOfStrangers)
    let (order, read) = try ForgottenRoom.decode(room.value(order: 7).rawSpan, of: room.room)
    #expect(order == 7 && read == room)
    let value = room.value(order: 7)
    for count in value.indices {
      let error = logError { () throws(LogError) in
        _ = try ForgottenRoom.decode(Array(value.prefix(count)).rawSpan, of: room.room)
      }
      guard case .corrupt = error else {
        Issue.record("\(count) bytes: \(String(describing: error))")
        return
      }
    }
    let use = RoomUse(milliseconds: 1 << 41, source: "192.0.2.1")
    #expect(RoomUse.decode(use.value) == use)
    for count in use.value.indices { #expect(RoomUse.decode(Array(use.value.prefix(count))) == nil) }
  }

  /// Of a damaged room nobody knows how far a feed went, whatever was known before and comes later.
  @Test func aDamagedRoomIsNeverAllBack() async throws {
    let room = try smallRoom(1)
    let author = try #require(room.feeds.first).author
    let known = try forgotten(room, own: 0)
    let damaged = ForgottenRoom(damaged: room.room, events: [(author, 1)])
    #expect(damaged.own.map(\.isUncertain) == [true] && !damaged.isOfStrangers)
    #expect(known.own.map(\.isUncertain) == [false])
    #expect(damaged.merged(with: known).own == damaged.own && known.merged(with: damaged).own == damaged.own)
    #expect(try ForgottenRoom.decode(damaged.value(order: 3).rawSpan, of: room.room).room == damaged)
    try await withTemporaryFolder { folder in
      let log = try openStore(folder)
      try log.write([room.change])
      #expect(try log.forgottenIfDamaged(room.room, owner: author) == nil)
    }
  }

  @Test func whatIsForgottenStaysSoAfterAStart() async throws {
    try await withTemporaryFolder { folder in
      let rooms = try (0..<3).map { try smallRoom(UInt8($0)) }
      let kept = try forgotten(rooms[0], own: 0)
      var change = rooms[2].change
      change.use = RoomUse(milliseconds: 5, source: "192.0.2.1")
      do {
        let log = try openStore(folder)
        try log.write([rooms[0].change, rooms[1].change, change])
        try log.forget([kept])
        log.close()
      }
      let log = try openStore(folder)
      #expect(try log.forgottenRooms() == [kept])
      #expect(try log.storedRooms(from: 0, limit: 9).map(\.use) == [nil, change.use])
      #expect(try log.storedRooms(from: 0, limit: 9).map(\.events) == [4, 4])
    }
  }
}

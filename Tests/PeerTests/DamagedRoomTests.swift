import Events
import Games
import Peer
import Platform
import Rules
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// A log in which one byte of a room is stored falsely.
private struct DamagedLog: EventLog {
  let log: MemoryEventLog
  let room: RoomID
  let value: Int
  let byte: Int

  var network: NetworkID { log.network }
  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try log.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try log.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try log.room(prefix: prefix) }
  func forget(_ rooms: [ForgottenRoom]) throws(LogError) { try log.forget(rooms) }
  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { try log.forgottenRooms() }
  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try log.storedRooms(from: number, limit: limit)
  }
  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    try log.write(changes, clocks: clocks)
  }

  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    guard room == self.room else { return try log.read(room, verify: verify, body, byPosition: byPosition) }
    let (record, values) = try log.stored(room)
    var reader = RoomReader(
      record, hasher: EventHasher(network: log.network), scheme: verify ? Ed25519() : nil)
    for (number, stored) in values.enumerated() {
      var bytes = stored.bytes
      if number == value { bytes[byte] ^= 1 << UInt8(byte % 8) }
      let damaged = StoredValue(first: stored.first, bytes: bytes)
      if try reader.take(damaged.span, at: damaged.first, body, byPosition: byPosition) == .stop { return }
    }
    try reader.finish()
  }
}

/// Rooms of which one byte is stored falsely: whoever would play on notices it, unless it is in a signature.
@Suite struct DamagedRoomTests {
  /// How often somebody may ask for a choice before this counts as going on for ever.
  private static let limitAsked = 2_000

  /// Stops a tournament of two bots after so many choices.
  private func stopped(
    _ game: String, after choices: Int
  ) async throws -> (log: MemoryEventLog, tournament: RoomID, room: RoomID) {
    let log = MemoryEventLog(network: .standard)
    let organizer = Organizer(household(log))
    let rules = try #require(Games.catalog.newest(game)).rules()
    let tournament = try await organizer.create(
      .init(
        rules: rules, settings: try TournamentSettings(format: .singleElimination, entrants: 2),
        entrants: ["random", "random"], seed: 7, title: ""))
    let asked = Guarded(0)
    _ = try await organizer.run(
      tournament, concurrency: 1,
      isCancelled: {
        asked.withLock {
          $0 += 1; return $0 > choices
        }
      }
    ) { _ in }
    return (log, tournament, try #require(try log.rooms(of: tournament).first?.room))
  }

  private func copy(_ log: MemoryEventLog) throws -> MemoryEventLog {
    let copy = MemoryEventLog(network: .standard)
    for listing in try log.rooms(limit: nil).reversed() {
      try copy.write([RoomChange(try log.load(listing.room, verify: true), from: 0)])
    }
    return copy
  }

  @Test(arguments: ["tic-tac-toe", "connect-four", "prisoners-dilemma"])
  func botsDoNotPlayForEver(_ game: String) async throws {
    let (log, tournament, room) = try await stopped(game, after: 6)
    let events = try log.load(room, verify: true).events
    let values = try log.stored(room).values
    var noticed = 0
    for value in values.indices {
      for byte in stride(from: 0, to: values[value].bytes.count, by: Effort.size(1, quick: 5)) {
        let damaged = DamagedLog(log: try copy(log), room: room, value: value, byte: byte)
        if try isSame(damaged, events) { continue }
        noticed += 1
        let asked = Guarded(0)
        do throws(PeerError) {
          _ = try await Organizer(household(damaged)).run(
            tournament, concurrency: 1,
            isCancelled: {
              asked.withLock {
                $0 += 1; return $0 > Self.limitAsked
              }
            }
          ) { _ in }
          Issue.record("byte \(byte) of value \(value) was taken")
        } catch {
          let words = ["the log is damaged", "log verify", "made with another key"]
          #expect(words.contains { error.description.contains($0) }, "\(error)")
        }
        #expect(asked.withLock { $0 } < Self.limitAsked, "byte \(byte) of value \(value)")
      }
    }
    #expect(noticed > 20)
  }

  /// Whether a log gives a room's events as they are in spite of its damage.
  private func isSame(_ log: DamagedLog, _ events: [Event]) throws -> Bool {
    do throws(LogError) { return try log.load(log.room, verify: false).events == events } catch {
      guard case .corrupt = error else { throw error }
      return false
    }
  }
}

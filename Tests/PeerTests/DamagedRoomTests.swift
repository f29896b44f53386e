import Events
import Games
import Peer
import Platform
import Rules
import Testing
import Tournaments

@testable import EventLog

/// A log in which one event is stored falsely.
private struct DamagedLog: EventLog {
  let log: MemoryEventLog
  let room: RoomID
  let position: Int
  let fault: Fault

  enum Fault: Equatable {
    /// In the id.
    case id
    /// In a byte of the payload, counted from its end.
    case payload(Int)
  }

  var network: NetworkID { log.network }
  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try log.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try log.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try log.room(prefix: prefix) }
  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try log.storedRooms(from: number, limit: limit)
  }
  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    try log.write(changes, clocks: clocks)
  }

  func read(
    _ room: RoomID, verify: Bool, _ body: (borrowing EventView, StoredRecord) throws(LogError) -> Reading
  ) throws(LogError) {
    var at = 0
    try log.read(room, verify: verify) { (stored, record) throws(LogError) in
      defer { at += 1 }
      guard room == self.room, at == position else { return try body(stored, record) }
      var id = stored.id.bytes.bytes
      var bytes = stored.event.body
      switch fault {
      case .id: id[9] ^= 4
      case .payload(let back): bytes[bytes.count - 1 - back] ^= 4
      }
      let damaged: Event
      do throws(FormatError) {
        damaged = try Event(body: bytes, id: EventID(Bytes32(id, at: 0)))
      } catch { throw .corrupt(event: stored.id, reason: error.description) }
      let view = EventView(damaged)
      return try body(view, record)
    }
  }
}

/// Rooms of which one event is stored falsely. With a false id what follows links to nothing, and nobody plays on; with
/// a false payload the game is another one, and comes to an end.
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
      let entries = try log.load(listing.room, verify: true).entries(from: 0)
      try copy.write([RoomChange(room: listing.room, base: 0, entries: entries)])
    }
    return copy
  }

  @Test(arguments: ["tic-tac-toe", "connect-four", "prisoners-dilemma"])
  func botsDoNotPlayForEver(_ game: String) async throws {
    let (log, tournament, room) = try await stopped(game, after: 6)
    let faults = [DamagedLog.Fault.id] + (0..<8).map { .payload($0) }
    let end = try log.load(room, verify: true).entries.count
    for position in 1..<end {
      for fault in faults {
        let damaged = DamagedLog(log: try copy(log), room: room, position: position, fault: fault)
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
          // Nothing names the last event.
          #expect(fault != .id || position == end - 1, "event \(position) was taken")
        } catch {
          let words = ["log verify", "forked", "made with another key"]
          #expect(words.contains { error.description.contains($0) }, "\(error)")
        }
        #expect(asked.withLock { $0 } < Self.limitAsked, "event \(position), \(fault)")
      }
    }
  }
}

import CFloor
import EventLog
import Events
import Foundation
import Games
import Peer
import Rules
import SearchBots
import Testing

import struct BotKit.BotCatalog

/// A folder with a store, removed at the end of its life.
final class StoreFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      Issue.record("\(path) cannot be removed: \(error)")
    }
  }

  /// The store, opened for reading.
  func log() throws -> LMDBEventLog {
    try LMDBEventLog(folder: path, access: .reading, network: .standard)
  }

  /// Changes one byte of an event's stored record, so many bytes from the beginning of its id.
  ///
  /// Pages that the store has let go of may hold the record as well; there it is changed too.
  func flip(_ offset: Int, of event: Event) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent("data.mdb")
    var data = try Data(contentsOf: file)
    let record = Data(event.id.bytes.bytes + event.body.prefix(34))
    var places: [Int] = []
    while let found = data[(places.last.map { $0 + 1 } ?? 0)...].range(of: record) {
      places.append(found.lowerBound)
    }
    #expect(!places.isEmpty)
    for place in places { data[place + offset] ^= 1 }
    try data.write(to: file)
  }
}

/// What the floor said.
struct FloorAnswer {
  let code: Int32
  let tally: floor_tally
  let words: String
}

extension StoreFolder {
  /// A match of random against random by Parlor, in one room.
  static func match(games: Int) async throws -> (folder: StoreFolder, room: Household.MatchRoom) {
    let folder = try StoreFolder()
    let log = try LMDBEventLog(folder: folder.path, access: .writing, network: .standard)
    let household = Household(
      owner: SigningKey(seed: [UInt8](repeating: 5, count: 32)), log: log, games: Games.catalog,
      bots: BotCatalog(SearchBots.families), now: { 1_700_000_000_000 }, elapsed: { 0 })
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let plan = Household.MatchPlan(rules: rules, players: ["random", "random"], games: games, seed: 77)
    return (folder, try #require(try await household.playMatchRoom(0, of: plan, isCancelled: { false })))
  }

  /// What the floor's replay finds here.
  func floorReplay(verify: Bool) throws -> FloorAnswer {
    try unsafe withFloor(isWriter: false) { store, network in
      var tally = floor_tally()
      // SAFETY: the store is open, the network has 32 bytes, and the tally is filled during the call.
      let code = unsafe floor_replay(store, network, verify ? 1 : 0, &tally)
      return unsafe FloorAnswer(code: code, tally: tally, words: String(cString: floor_message()))
    }
  }

  /// Has the floor play the match of a room that Parlor wrote, with its payloads, in one room.
  func floorMatch(like log: RoomLog, games: Int, runEvents: Int) throws -> FloorAnswer {
    var keys = (floor_key(), floor_key(), floor_key())
    let seeds = (1...3).map { [UInt8](repeating: $0, count: 32) }
    // SAFETY: each call fills one key and reads 32 bytes.
    unsafe #expect(floor_key_make(&keys.0, seeds[0]) == 0)
    unsafe #expect(floor_key_make(&keys.1, seeds[1]) == 0)
    unsafe #expect(floor_key_make(&keys.2, seeds[2]) == 0)
    let events = log.entries.prefix(3).map(\.event)
    let payloads = events.map { Array($0.body[(117 + 32 * $0.parents.count)...]) }
    let players = [keys.0, keys.1]
    return try unsafe withFloor(isWriter: true) { store, network in
      var tally = floor_tally()
      // SAFETY: all that the table points to lives until the closures end, and the call with it.
      let code = unsafe withUnsafePointer(to: &keys.2) { host in
        unsafe players.withUnsafeBufferPointer { players in
          unsafe payloads[0].withUnsafeBufferPointer { create in
            unsafe payloads[1].withUnsafeBufferPointer { first in
              unsafe payloads[2].withUnsafeBufferPointer { second in
                var table = unsafe floor_table(
                  network: network, host: host, players: players.baseAddress, create: create.baseAddress,
                  create_bytes: create.count, requests: (first.baseAddress, second.baseAddress),
                  request_bytes: (first.count, second.count), seed: 77, games: UInt32(games),
                  run_events: UInt32(runEvents))
                return unsafe floor_match(store, &table, 0, 1, &tally)
              }
            }
          }
        }
      }
      return unsafe FloorAnswer(code: code, tally: tally, words: String(cString: floor_message()))
    }
  }

  private func withFloor<Value>(
    isWriter: Bool, _ body: (OpaquePointer, UnsafePointer<UInt8>) throws -> Value
  ) throws -> Value {
    var store: OpaquePointer?
    let network = NetworkID.standard.bytes.bytes
    // SAFETY: the call fills the pointer that it is lent; the store is closed once.
    let code = unsafe floor_open(&store, path, isWriter ? 1 : 0, network)
    defer { unsafe floor_close(store) }
    unsafe #expect(code == 0, "\(String(cString: floor_message()))")
    let opened = unsafe try #require(store)
    return try unsafe network.withUnsafeBufferPointer { network in
      unsafe try body(opened, try #require(network.baseAddress))
    }
  }
}

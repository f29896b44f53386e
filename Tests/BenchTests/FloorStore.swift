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

  /// What is changed of a stored event.
  enum Part {
    /// The last byte of its signature.
    case signature
    /// The time by which it is later than the event before.
    case time
    /// The lowest bits of a move's code.
    case move
  }

  /// Changes one bit of a stored event, wherever the file holds it: also in pages that the store has let go of.
  func flip(_ part: Part, at position: Int, of log: RoomLog) throws {
    var record: [UInt8] = []
    RecordCoder.append(at: position, of: log.graph, to: &record)
    var stored: [UInt8] = []
    stored.append(number: UInt64(record.count) << 1 | 1)
    stored += try #require(log.signature(at: position)).bytes
    let recordAt = stored.count
    stored += record
    let event = log.events[position]
    let payloadBytes = event.bodyBytes - 117 - 32 * event.parents.count - (event.kind == .move ? 31 : 0)
    let offset =
      switch part {
      case .signature: recordAt - 1
      // The last byte of a number is none of its highest ones, unless it is the only one.
      case .time: stored.count - payloadBytes - 1
      case .move: stored.count - 2
      }
    let file = URL(fileURLWithPath: path).appendingPathComponent("data.mdb")
    var data = try Data(contentsOf: file)
    var places: [Int] = []
    while let found = data[(places.last.map { $0 + 1 } ?? 0)...].range(of: Data(stored)) {
      places.append(found.lowerBound)
    }
    #expect(!places.isEmpty)
    for place in places { data[place + offset] ^= part == .time ? 2 : 1 }
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
    return (folder, try await household.playMatchRoom(0, of: plan, isCancelled: { false }))
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

  /// A room of one feed by Parlor, signed every so many events.
  static func feed(events: Int, signedEvery: Int) throws -> StoreFolder {
    let folder = try StoreFolder()
    let store = try LMDBEventLog(folder: folder.path, access: .writing, network: .standard)
    let (key, hasher) = (SigningKey(seed: [UInt8](repeating: 6, count: 32)), EventHasher(network: .standard))
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 3, count: 16),
      profile: Profile(name: "bench"))
    var event = try Event.author(
      .create(create), room: .none, author: key.peer, sequence: 1, previous: .none, parents: [], wallTime: 7,
      hasher: hasher)
    var log = RoomLog(room: event.id)
    for sequence in 1...UInt64(events) {
      if sequence > 1 {
        event = try Event.author(
          .chat("word \(sequence)"), room: log.room, author: key.peer, sequence: sequence, previous: event.id,
          parents: [], wallTime: 7, hasher: hasher)
      }
      let isSigned = sequence % UInt64(signedEvery) == 0 || sequence == UInt64(events)
      try log.append(event, signature: isSigned ? key.sign(event.id) : nil)
    }
    try store.write([RoomChange(log, from: 0)])
    return folder
  }

  /// Has one floor serve this store, and another one take it.
  func floorSync() throws -> (folder: StoreFolder, events: UInt64, answer: FloorAnswer) {
    let other = try StoreFolder()
    var port: UInt16 = 0
    // SAFETY: the call fills the port.
    let listener = unsafe floor_listen(&port)
    #expect(listener >= 0)
    defer { close(listener) }
    let server = Thread {
      do {
        try unsafe self.withFloor(isWriter: false) { store, _ in
          // What it says where the other end refuses is of no interest. SAFETY: the store is open.
          _ = unsafe floor_sync_serve(store, listener)
        }
      } catch { Issue.record("\(error)") }
    }
    server.start()
    var events: UInt64 = 0
    let answer = try unsafe other.withFloor(isWriter: true) { store, network in
      // SAFETY: the store is open, the network has 32 bytes, and the number is filled during the call.
      let code = unsafe floor_sync_receive(store, network, port, &events)
      return unsafe FloorAnswer(code: code, tally: floor_tally(), words: String(cString: floor_message()))
    }
    while !server.isFinished { usleep(1_000) }
    return (other, events, answer)
  }

  /// What the floor finds of signatures here; `nil` when one is false.
  func floorSignatures() throws -> UInt64? {
    try unsafe withFloor(isWriter: false) { store, _ in
      var (count, seconds) = (UInt64(0), 0.0)
      // SAFETY: the store is open, and the numbers are filled during the call.
      return unsafe floor_check_signatures(store, &count, &seconds) == 0 ? count : nil
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

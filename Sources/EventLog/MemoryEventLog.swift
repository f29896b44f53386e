package import Events
internal import Platform

/// A log in memory, for tests, simulations and play that nobody keeps.
package final class MemoryEventLog: EventLog {
  private struct Room {
    let number: UInt64
    let create: Event
    var record: RoomRecord
    var values: [StoredValue] = []
    /// What it counts for in the quota.
    var bytes = 0
    var clock: StoredClock?
    var use: RoomUse?

    var events: Int { Int(record.events) }
  }

  private struct State {
    var rooms: [RoomID: Room] = [:]
    var order: [RoomID] = []
    var children: [RoomID: [RoomID]] = [:]
    var bytes = 0
    /// The number that the next room will have.
    var nextNumber: UInt64 = 0
    /// In the order in which they were forgotten.
    var forgotten: [ForgottenRoom] = []
  }

  package let network: NetworkID
  private let quotaBytes: Int
  private let scheme: any SignatureScheme
  private let hasher: EventHasher
  private let state = Guarded(State())

  /// An empty log of a network.
  /// - Parameter quotaBytes: the most bytes of bodies, ids and signatures it takes.
  package init(
    network: NetworkID, quotaBytes: Int = 1 << 30, scheme: any SignatureScheme = Ed25519()
  ) {
    self.network = network
    self.quotaBytes = quotaBytes
    self.scheme = scheme
    hasher = EventHasher(network: network)
  }

  package func rooms(limit: Int?) throws(LogError) -> [RoomListing] {
    state.withLock { state in
      let limit = max(0, limit ?? state.order.count)
      return state.order.suffix(limit).reversed().compactMap { Self.listing($0, state) }
    }
  }

  package func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] {
    state.withLock { state in
      (state.children[tournament] ?? []).compactMap { Self.listing($0, state) }
    }
  }

  package func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    state.withLock { state in
      var rooms: [StoredRoom] = []
      for id in state.order where rooms.count < limit {
        guard let room = state.rooms[id], room.number >= number else { continue }
        let clock = room.clock.flatMap { $0.events == room.events ? $0 : nil }
        rooms.append(
          StoredRoom(
            room: id, number: room.number, events: room.events, bytes: Int(clamping: room.record.bytes),
            clock: clock, use: room.use))
      }
      return rooms
    }
  }

  package func room(prefix text: String) throws(LogError) -> RoomID {
    guard let prefix = RoomPrefix(text) else { throw .unknownRoom(text) }
    let matches = state.withLock { state in state.order.filter(prefix.matches) }
    return try RoomPrefix.only(matches.first, count: matches.count, prefix: text)
  }

  package func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    let (record, values) = try stored(room)
    var reader = RoomReader(record, hasher: hasher, scheme: verify ? scheme : nil)
    for value in values {
      let reading = try reader.take(value.span, at: value.first, body, byPosition: byPosition)
      if reading == .stop { return }
    }
    try reader.finish()
  }

  /// What is stored of a room.
  func stored(_ room: RoomID) throws(LogError) -> (record: RoomRecord, values: [StoredValue]) {
    guard let stored = state.withLock({ $0.rooms[room] }) else { throw .unknownRoom(room.description) }
    return (stored.record, stored.values)
  }

  package func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    for change in changes { try change.check() }
    let result: Result<Void, LogError> = state.withLock { state in
      do throws(LogError) {
        try check(changes, state)
        for change in changes { Self.apply(change, to: &state) }
        for clock in clocks where state.rooms[clock.room]?.events == clock.events {
          state.rooms[clock.room]?.clock = clock
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Throws unless all changes can be made, so that all are or none.
  private func check(_ changes: [RoomChange], _ state: borrowing State) throws(LogError) {
    var counts: [RoomID: Int] = [:]
    var bytes = state.bytes
    for change in changes {
      let stored = counts[change.room] ?? state.rooms[change.room]?.events ?? 0
      guard stored == change.base else {
        throw .stale(change.room, base: change.base, stored: stored)
      }
      counts[change.room] = stored + change.entries.count
      for entry in change.entries { bytes += entry.event.bodyBytes + (entry.signature == nil ? 32 : 96) }
    }
    guard bytes <= quotaBytes else {
      throw .full("the log in memory has reached its quota of \(quotaBytes) bytes; nothing was stored")
    }
  }

  private static func apply(_ change: RoomChange, to state: inout State) {
    if state.rooms[change.room] == nil {
      guard let create = change.entries.first?.event else { return }
      state.rooms[change.room] = Room(
        number: state.nextNumber, create: create, record: RoomRecord(room: change.room))
      state.nextNumber += 1
      state.order.append(change.room)
      state.forgotten.removeAll { $0.room == change.room && $0.isOfStrangers }
      if let tournament = change.entries.first?.event.tournament {
        state.children[tournament, default: []].append(change.room)
      }
    }
    state.rooms[change.room]?.values += change.values
    if let use = change.use { state.rooms[change.room]?.use = use }
    for entry in change.entries {
      let bytes = entry.event.bodyBytes + (entry.signature == nil ? 32 : 96)
      state.rooms[change.room]?.record.add(entry.event)
      state.rooms[change.room]?.bytes += bytes
      state.bytes += bytes
    }
  }

  package func forget(_ gone: [ForgottenRoom]) throws(LogError) {
    state.withLock { state in
      for forgotten in gone {
        guard let room = state.rooms.removeValue(forKey: forgotten.room) else { continue }
        state.order.removeAll { $0 == forgotten.room }
        if let tournament = room.create.tournament {
          state.children[tournament]?.removeAll { $0 == forgotten.room }
        }
        state.bytes -= room.bytes
        let earlier = state.forgotten.first { $0.room == forgotten.room }
        state.forgotten.removeAll { $0.room == forgotten.room }
        state.forgotten.append(earlier.map(forgotten.merged) ?? forgotten)
      }
      var excess = state.forgotten.count(where: \.isOfStrangers) - limitForgottenRooms
      state.forgotten.removeAll { forgotten in
        guard excess > 0, forgotten.isOfStrangers else { return false }
        excess -= 1
        return true
      }
    }
  }

  package func forgottenRooms() throws(LogError) -> [ForgottenRoom] { state.withLock(\.forgotten) }

  private static func listing(_ room: RoomID, _ state: State) -> RoomListing? {
    guard let stored = state.rooms[room] else { return nil }
    return RoomListing(room: room, number: stored.number, events: stored.events, create: stored.create)
  }
}

extension Event {
  /// The tournament that a game room's `create` names.
  var tournament: RoomID? {
    guard case .create(let create) = action, case .games(let tournament, _, _) = create.purpose,
      tournament.isSome
    else { return nil }
    return tournament
  }
}

package import Events
internal import Platform

/// A log in memory, for tests, simulations and play that nobody keeps.
package final class MemoryEventLog: EventLog {
  private struct Room {
    let number: UInt64
    var entries: [RoomLog.Entry]
    var clock: StoredClock?
  }

  private struct State {
    var rooms: [RoomID: Room] = [:]
    var order: [RoomID] = []
    var children: [RoomID: [RoomID]] = [:]
    var bytes = 0
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
      state.order.dropFirst(Int(clamping: number)).prefix(max(0, limit)).compactMap { (id) -> StoredRoom? in
        guard let room = state.rooms[id] else { return nil }
        let clock = room.clock.flatMap { $0.events == room.entries.count ? $0 : nil }
        return StoredRoom(room: id, number: room.number, clock: clock)
      }
    }
  }

  package func room(prefix text: String) throws(LogError) -> RoomID {
    guard let prefix = RoomPrefix(text) else { throw .unknownRoom(text) }
    let matches = state.withLock { state in state.order.filter(prefix.matches) }
    return try RoomPrefix.only(matches.first, count: matches.count, prefix: text)
  }

  package func read(
    _ room: RoomID, verify: Bool, _ body: (borrowing EventView, StoredRecord) throws(LogError) -> Reading
  ) throws(LogError) {
    guard let entries = state.withLock({ $0.rooms[room]?.entries }) else {
      throw .unknownRoom(room.description)
    }
    var verifier =
      verify ? RoomVerifier(room: room, hasher: hasher, scheme: scheme, capacity: entries.count) : nil
    for entry in entries {
      let view = EventView(entry.event)
      do throws(RoomVerifier.Fault) { try verifier?.take(view, signature: entry.signature) } catch {
        throw LogError(error)
      }
      let reading = try body(view, StoredRecord(signature: entry.signature, events: entries.count))
      if reading == .stop { return }
    }
    do throws(RoomVerifier.Fault) { try verifier?.finish() } catch { throw LogError(error) }
  }

  package func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    for change in changes { try change.check() }
    let result: Result<Void, LogError> = state.withLock { state in
      do throws(LogError) {
        try check(changes, state)
        for change in changes { Self.apply(change, to: &state) }
        for clock in clocks where state.rooms[clock.room]?.entries.count == clock.events {
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
      let stored = counts[change.room] ?? state.rooms[change.room]?.entries.count ?? 0
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
      guard !change.entries.isEmpty else { return }
      state.rooms[change.room] = Room(number: UInt64(state.order.count), entries: [])
      state.order.append(change.room)
      if let tournament = change.entries.first?.event.tournament {
        state.children[tournament, default: []].append(change.room)
      }
    }
    state.rooms[change.room]?.entries.append(contentsOf: change.entries)
    for entry in change.entries { state.bytes += entry.event.bodyBytes + (entry.signature == nil ? 32 : 96) }
  }

  private static func listing(_ room: RoomID, _ state: State) -> RoomListing? {
    guard let stored = state.rooms[room], let create = stored.entries.first else { return nil }
    return RoomListing(room: room, number: stored.number, events: stored.entries.count, create: create.event)
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

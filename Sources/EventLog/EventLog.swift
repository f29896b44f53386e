package import Events

/// A room as lists show it, read without its events.
package struct RoomListing: Sendable {
  /// The room's id.
  package let room: RoomID
  /// Its place in the order in which this store came to know its rooms, from 0.
  package let number: UInt64
  /// How many events the store has of it.
  package let events: Int
  /// Its `create` event.
  package let create: Event

  package init(room: RoomID, number: UInt64, events: Int, create: Event) {
    self.room = room
    self.number = number
    self.events = events
    self.create = create
  }
}

/// A room as a start finds it, read without its events.
package struct StoredRoom: Sendable {
  /// The room's id.
  package let room: RoomID
  /// Its place in the order in which this store came to know its rooms, from 0.
  package let number: UInt64
  /// How many events the store has of it.
  package let events: Int
  /// The bytes of their bodies.
  package let bytes: Int
  /// What is stored of what it offers, where that holds for the events that are stored.
  package let clock: StoredClock?
  /// When it was used last, where that was noted.
  package let use: RoomUse?

  package init(
    room: RoomID, number: UInt64, events: Int, bytes: Int, clock: StoredClock?, use: RoomUse?
  ) {
    self.room = room
    self.number = number
    self.events = events
    self.bytes = bytes
    self.clock = clock
    self.use = use
  }
}

/// What a store has of an event beside its body.
package struct StoredRecord: Sendable {
  /// The signature that is stored with it; most events are covered by one of a later event.
  package let signature: Signature?
  /// How many events the store says it has of the room.
  package let events: Int

  package init(signature: Signature?, events: Int) {
    self.signature = signature
    self.events = events
  }

  /// The most events that room is made for beforehand: a damaged record may name any number.
  static let limitReserved = 1 << 16
}

/// Whether somebody who reads events wants more.
package enum Reading: Sendable {
  case goOn
  /// Not the events any more, only what their records say.
  case goOnByPosition
  case stop
}

/// Is called with an event, what its record says, and what else is stored of it.
package typealias EventBody = (borrowing EventView, borrowing RecordFields, StoredRecord) throws(LogError) ->
  Reading
/// Is called with what the record of an event says.
package typealias PositionBody = (borrowing RecordFields) throws(LogError) -> Reading

extension EventLog {
  /// All events of a room. `verify` checks ids, links and signatures again; otherwise the store is trusted.
  package func load(_ room: RoomID, verify: Bool) throws(LogError) -> RoomLog {
    var log = RoomLog(room: room)
    try read(room, verify: verify) { (view, record) throws(LogError) in
      if log.graph.events.isEmpty {
        log = RoomLog(room: room, capacity: min(record.events, StoredRecord.limitReserved))
      }
      log.restore(view.event, signature: record.signature)
      return .goOn
    }
    return log
  }

  /// Calls `body` with a room's events in the order of arrival, which is a causal order, until it asks to stop.
  /// - Parameter verify: as for the other.
  package func read(
    _ room: RoomID, verify: Bool, _ body: (borrowing EventView, StoredRecord) throws(LogError) -> Reading
  ) throws(LogError) {
    try read(room, verify: verify) { (view, _, record) throws(LogError) in
      try body(view, record)
    } byPosition: { _ throws(LogError) in
      .goOn
    }
  }

  /// Makes changes durable, all or none. When it returns they survive a power cut.
  package func write(_ changes: [RoomChange]) throws(LogError) { try write(changes, clocks: []) }
}

/// A durable log of rooms. Two forms: LMDB and memory; one test suite holds for both.
package protocol EventLog: Sendable {
  /// The network whose events it holds.
  var network: NetworkID { get }
  /// The rooms, newest first, at most `limit`.
  func rooms(limit: Int?) throws(LogError) -> [RoomListing]
  /// The game rooms of a tournament, in the order in which they were created.
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing]
  /// The one room whose id begins with these hexadecimal digits.
  func room(prefix: String) throws(LogError) -> RoomID
  /// Calls `body` with a room's events in the order of arrival, which is a causal order, until it asks to stop.
  ///
  /// Ids are computed, and at the end compared with what was stored. Whoever can do without them asks to go on by
  /// position, and then has nothing compared.
  /// - Parameters:
  ///   - verify: checks links and signatures again before an event is shown, and at the end that signatures cover all;
  ///     otherwise the store is trusted.
  ///   - byPosition: is called instead of `body` once that has asked for it.
  func read(_ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody) throws(LogError)
  /// The rooms from this number on, oldest first, at most `limit`; reads no events.
  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom]
  /// Makes changes durable, all or none. When it returns they survive a power cut.
  /// - Parameter clocks: stored with them, but for those that do not fit what is stored of their rooms then, and all of
  ///   them when space is short.
  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError)
  /// Removes all that is stored of rooms, all or none, and remembers that they were here; rooms that are not here are
  /// passed over. A room that comes back is forgotten no more, but what this machine's keys wrote there stays
  /// remembered.
  func forget(_ rooms: [ForgottenRoom]) throws(LogError)
  /// What is remembered of rooms that were forgotten, in the order in which they were.
  func forgottenRooms() throws(LogError) -> [ForgottenRoom]
  /// What is remembered of one room that was forgotten; `nil` when it was not.
  func forgottenRoom(_ room: RoomID) throws(LogError) -> ForgottenRoom?
}

extension EventLog {
  /// Whether a room is stored.
  package func holds(_ room: RoomID) throws(LogError) -> Bool {
    do throws(LogError) {
      _ = try self.room(prefix: room.description)
      return true
    } catch {
      guard case .unknownRoom = error else { throw error }
      return false
    }
  }

  package func forgottenRoom(_ room: RoomID) throws(LogError) -> ForgottenRoom? {
    try forgottenRooms().first { $0.room == room }
  }
}

/// How many forgotten rooms of strangers a store remembers; those that were forgotten first go first.
package let limitForgottenRooms = 16_384

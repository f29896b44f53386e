package import Events

/// What a store is told to make durable of one room, in one transaction with everything else in its batch.
package struct RoomChange: Sendable {
  /// The room.
  package let room: RoomID
  /// How many entries the store has before this change.
  package let base: Int
  /// Entries that follow those, in order. After the change the last event of each feed here is signed.
  package let entries: [RoomLog.Entry]
  /// Signatures for entries that the store already has, by position.
  package let signatures: [(position: Int, signature: Signature)]

  package init(
    room: RoomID, base: Int, entries: [RoomLog.Entry],
    signatures: [(position: Int, signature: Signature)] = []
  ) {
    self.room = room
    self.base = base
    self.entries = entries
    self.signatures = signatures
  }
}

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
  /// All events of a room. `verify` checks ids, links and signatures again; otherwise the store is trusted.
  func load(_ room: RoomID, verify: Bool) throws(LogError) -> RoomLog
  /// Makes changes durable, all or none. When it returns they survive a power cut.
  func write(_ changes: [RoomChange]) throws(LogError)
}

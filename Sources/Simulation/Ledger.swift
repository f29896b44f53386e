import Events

/// What peers were told is safe, and what crashes took from them before it was.
struct Ledger: Sendable {
  /// An event with who wrote it, where, and when that became known.
  struct Entry: Sendable {
    let event: EventID
    let peer: Int
    let room: RoomID
    let time: UInt64
  }

  /// Own events that were acknowledged, in that order.
  private(set) var acknowledged: [Entry] = []
  private var known: Set<EventID> = []
  private var lost: [Entry] = []

  /// Notes that an event's author was told that it is safe.
  mutating func acknowledge(_ event: EventID, by peer: Int, in room: RoomID, at time: UInt64) {
    guard known.insert(event).inserted else { return }
    acknowledged.append(Entry(event: event, peer: peer, room: room, time: time))
  }

  /// Notes that a crash took an event.
  mutating func lose(_ event: EventID, of peer: Int, in room: RoomID, at time: UInt64) {
    lost.append(Entry(event: event, peer: peer, room: room, time: time))
  }

  /// The events that crashes took and that nobody may have: what is written again alike is acknowledged then.
  var unseen: [Entry] { lost.filter { !known.contains($0.event) } }
}

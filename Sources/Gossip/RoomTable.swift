package import EventLog
package import Events

/// The rooms that are open, each at a place, and what is to be done with some of them.
package struct RoomTable: Sendable {
  /// The rooms, by place. They are changed and read where they are: an accessor of this type would copy them.
  package var open: [Room] = []
  /// Where each room lies.
  private var places: [RoomID: Int] = [:]
  /// Those without their `create`, oldest first.
  private(set) var nascent: [RoomID] = []
  /// Rooms of which something came while they were not open.
  private var missed: Set<RoomID> = []
  /// Rooms of which all was sent that a neighbour wanted, or all came that was asked for, or cannot any more.
  private var unneeded: [RoomID] = []

  init() {}

  /// Where a room lies. The newest one is looked at first: who plays at one table has no other.
  package func place(of room: RoomID) -> Int? {
    if let last = open.indices.last, open[last].id == room { return last }
    return places[room]
  }

  /// The places of the rooms in whose feeds a key may be.
  func places(ofFeedsLike key: UInt64) -> [Int] {
    var places: [Int] = []
    let rooms = open.span
    for at in rooms.indices where rooms[at].id.bytes.prefix64 >> 32 == key >> 32 { places.append(at) }
    return places
  }

  /// Who brought the first of an open room in this process; `nil` where it is no neighbour's.
  package func source(of room: RoomID) -> Neighbour? { place(of: room).flatMap { open.span[$0].source } }

  /// The events of a room that is open.
  package func log(of room: RoomID) -> RoomLog? { place(of: room).map { open[$0].log } }

  /// Calls `body` with the events of a room that is open.
  package func withLog<Result>(of room: RoomID, _ body: (borrowing RoomLog) -> Result) -> Result? {
    // A closure here would copy the log, and so would an element of the array: those of a span are lent.
    guard let at = place(of: room) else { return nil }
    return body(open.span[at].log)
  }

  /// Where a room lies, which is opened when it was not: empty, to be filled by neighbours.
  mutating func addPlace(of room: RoomID) -> Int {
    if let at = place(of: room) { return at }
    open.append(Room(log: RoomLog(room: room)))
    places[room] = open.count - 1
    return open.count - 1
  }

  /// Takes out a room that is open.
  /// - Returns: the peer that created it; `nil` when the room was not open.
  mutating func remove(_ room: RoomID) -> PeerID? {
    guard let at = places.removeValue(forKey: room) else { return nil }
    let creator = open[at].log.membership.creator
    open.swapAt(at, open.count - 1)
    open.removeLast()
    if at < open.count { places[open[at].id] = at }
    nascent.removeAll { $0 == room }
    return creator
  }

  // MARK: - Rooms without their `create`

  /// Notes a room of which the first events come.
  /// - Returns: the oldest one, where there are more than may be.
  mutating func noteNascent(_ room: RoomID, limit: Int) -> RoomID? {
    nascent.append(room)
    return nascent.count > limit ? nascent.removeFirst() : nil
  }

  /// Notes that a room's `create` may be here.
  mutating func noteCreate(_ at: Int) {
    if open[at].log.contains(open[at].id) { nascent.removeAll { $0 == open[at].id } }
  }

  // MARK: - What others wait for

  /// Notes that something of a room came that was not open.
  mutating func noteMissed(_ room: RoomID) { missed.insert(room) }

  /// Whether something of a room had come before it was open; says so once.
  mutating func takeMissed(_ room: RoomID) -> Bool { missed.remove(room) != nil }

  /// Notes that nothing of a room is served or awaited any more, as far as one neighbour is concerned.
  mutating func noteUnneeded(_ room: RoomID) { unneeded.append(room) }

  /// Takes the rooms that were served or awaited, and may not be any more, since the last call.
  package mutating func takeUnneeded() -> [RoomID] {
    defer { unneeded = [] }
    return unneeded
  }
}

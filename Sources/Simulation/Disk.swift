import EventLog
import Events

/// What a peer's disk has after a power cut: the changes that were committed and synced, whole ones alone.
///
/// A value: an old copy is a copy.
struct Disk: Sendable {
  /// One stored room.
  struct StoredRoom: Sendable {
    let room: RoomID
    fileprivate(set) var entries: [RoomLog.Entry] = []
  }

  /// The rooms, in the order in which they were first stored.
  private(set) var rooms: [StoredRoom] = []
  private var places: [RoomID: Int] = [:]

  /// A room as it is stored.
  func stored(_ room: RoomID) -> StoredRoom? { places[room].map { rooms[$0] } }

  /// The stored entries of a room.
  func entries(of room: RoomID) -> [RoomLog.Entry] { places[room].map { rooms[$0].entries } ?? [] }

  /// How many events are stored.
  var count: Int { rooms.reduce(0) { $0 + $1.entries.count } }

  /// Makes changes durable, all or none, by the rules that the product's stores have.
  mutating func write(_ changes: [RoomChange]) throws(LogError) {
    for change in changes {
      try change.check()
      let stored = places[change.room].map { rooms[$0].entries.count } ?? 0
      guard stored == change.base else { throw .stale(change.room, base: change.base, stored: stored) }
    }
    for change in changes { apply(change) }
  }

  private mutating func apply(_ change: RoomChange) {
    let at: Int
    if let known = places[change.room] {
      at = known
    } else {
      at = rooms.count
      places[change.room] = at
      rooms.append(StoredRoom(room: change.room))
    }
    rooms[at].entries += change.entries
  }

  /// A room's log as it is read at a start.
  func log(of stored: StoredRoom) -> RoomLog {
    RoomLog(room: stored.room, restoring: stored.entries)
  }

  /// Whether everything that `authors` wrote and another disk has is here too.
  func holds(everythingOf other: Disk, by isWanted: (PeerID) -> Bool) -> Bool {
    other.rooms.allSatisfy { holds($0, by: isWanted) }
  }

  /// Whether everything of a room that `authors` wrote is here.
  func holds(_ stored: StoredRoom, by isWanted: (PeerID) -> Bool) -> Bool {
    let here = Set(entries(of: stored.room).map(\.event.id))
    return stored.entries.allSatisfy { here.contains($0.event.id) || !isWanted($0.event.author) }
  }
}

/// A peer's storage: its disk, what is on its way there, and copies of it as it was.
struct Storage: Sendable {
  /// The most old copies of a disk that are kept.
  private static let limitCopies = 3

  var disk = Disk()
  /// Copies of the disk as it was, the oldest first.
  private(set) var copies: [Disk] = []
  /// What is being committed.
  private(set) var commit: [RoomChange] = []
  /// Rooms with something to commit, in the order in which they changed.
  private var dirty: [RoomID] = []

  /// Whether nothing is on its way to the disk.
  var isIdle: Bool { commit.isEmpty && dirty.isEmpty }
  /// Whether a commit is to begin.
  var hasToCommit: Bool { commit.isEmpty && !dirty.isEmpty }

  /// Whether something of a room is on its way to the disk.
  func isWriting(_ room: RoomID) -> Bool { dirty.contains(room) || commit.contains { $0.room == room } }

  /// A room has something to commit.
  mutating func note(_ room: RoomID) { if !dirty.contains(room) { dirty.append(room) } }

  /// Takes the rooms that have something to commit.
  mutating func takeDirty() -> [RoomID] {
    defer { dirty = [] }
    return dirty
  }

  /// Adds something to the commit that begins.
  mutating func add(_ change: RoomChange) { commit.append(change) }

  /// Ends the commit, which gives back what it was.
  mutating func takeCommit() -> [RoomChange] {
    defer { commit = [] }
    return commit
  }

  /// The program that was writing is gone.
  mutating func restart() { (commit, dirty) = ([], []) }

  /// Keeps a copy of the disk.
  mutating func keepCopy() {
    copies.append(disk)
    if copies.count > Self.limitCopies { copies.removeFirst() }
  }

  /// Throws all copies away.
  mutating func dropCopies() { copies = [] }
}

internal import EventLog
internal import Events
internal import Peer

/// What waits to become durable, and who waits for that: one commit at a time, of all that came before it began.
struct CommitQueue {
  /// Who hears that what was written before is durable, or why it will not be.
  typealias Writer = CheckedContinuation<Result<Void, PeerError>, Never>

  /// What one commit stores, and who waits for it.
  struct Batch {
    let rooms: [RoomID]
    let clocks: [StoredClock]
    let writers: [Writer]
  }

  /// How many clocks are worth a commit of their own; fewer wait for something that must be durable.
  static let limitClocks = 512

  /// Rooms with something to commit.
  private(set) var rooms = RoomQueue()
  private(set) var isCommitting = false
  /// The rooms of the commit that is under way.
  private var committed: Set<RoomID> = []
  /// What rooms offer that were closed, and that is not stored.
  private var clocks: [StoredClock] = []
  private var writers: [Writer] = []
  /// Bytes that came since the last commit began.
  private var bytes = 0
  private let limitBytes: Int
  /// How many events were made durable since the start.
  private(set) var storedEvents = 0
  /// Whether this peer has written something since the start.
  private(set) var hasWritten = false
  /// How often what was written was taken back because there was no space for it.
  private(set) var reversions = 0

  init(_ settings: NetworkSettings) { limitBytes = settings.limitUncommittedBytes }

  mutating func add(_ room: RoomID) { rooms.add(room) }
  mutating func add(_ clock: StoredClock) { clocks.append(clock) }
  mutating func add(_ writer: Writer) { writers.append(writer) }
  mutating func noteWritten() { hasWritten = true }
  mutating func noteReceived(_ count: Int) { bytes += count }

  /// Whether something is left to be stored.
  var hasMore: Bool { !(rooms.isEmpty && clocks.isEmpty) }

  /// Whether so much came that is not durable that nothing more should be read.
  var isBehind: Bool { bytes > limitBytes && (isCommitting || !rooms.isEmpty) }

  /// Begins a commit of all that waits; `nil` while one is under way, and when nothing is worth one.
  mutating func begin(limitClocks: Int) -> Batch? {
    guard !isCommitting, !(rooms.isEmpty && writers.isEmpty && clocks.count < limitClocks) else { return nil }
    isCommitting = true
    bytes = 0
    defer { (clocks, writers) = ([], []) }
    let batch = Batch(rooms: rooms.takeAll(), clocks: clocks, writers: writers)
    committed = Set(batch.rooms)
    return batch
  }

  /// Whether something of a room waits for the disk, or is being stored.
  func holds(_ room: RoomID) -> Bool { rooms.contains(room) || committed.contains(room) }

  /// The commit is over.
  /// - Parameter stored: how many events it has made durable.
  mutating func end(stored: Int) {
    storedEvents += stored
    isCommitting = false
    committed = []
  }

  /// There will be no other commit.
  /// - Returns: who waits for one.
  mutating func giveUp() -> [Writer] {
    end(stored: 0)
    defer { writers = [] }
    return writers
  }

  /// The commit has failed for want of space: what it was to store is taken back, and nothing is left that another one
  /// could store.
  /// - Returns: who waits for one.
  mutating func endWithout() -> [Writer] {
    reversions += 1
    _ = rooms.takeAll()
    (clocks, bytes) = ([], 0)
    return giveUp()
  }
}

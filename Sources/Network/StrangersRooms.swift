internal import EventLog
internal import Events

/// What is kept for others of rooms into which nobody on this machine has written, and what goes when that is too much:
/// of the host that brought most, the rooms that were not used for longest (ARCHITECTURE, memory and disk).
///
/// A value that holds some two hundred bytes for each room. Each room counts for more than it has on disk and in memory
/// once it is closed, however small it is, so that the limit bounds how many there are.
package struct StrangersRooms {
  private struct Entry {
    var cost: Int
    var used: UInt64
    let source: String
    /// Which of all entries it is: a room may go and come again.
    let serial: UInt64
    /// What of its cost is being forgotten.
    var leaving = 0
  }

  /// A room, and when it was used at the latest when that was noted; what was used longest ago comes first.
  fileprivate struct Use: Comparable {
    let used: UInt64
    let room: RoomID
    let serial: UInt64

    static func < (a: Self, b: Self) -> Bool { (a.used, a.room) < (b.used, b.room) }
  }

  /// What a host brought.
  private struct Source {
    var cost = 0
    var rooms = 0
    /// What those of its rooms count for that are being forgotten.
    var leaving = 0
    /// One use of each of its rooms, and of some that are gone. Rooms that are being forgotten are not in it.
    var uses = Heap<Use>()
  }

  /// A host, and what it brought; the one that brought most comes first.
  private struct Rank: Comparable {
    var cost: Int
    let source: String

    static func < (a: Self, b: Self) -> Bool { (a.cost, a.source) > (b.cost, b.source) }
  }

  /// Rooms that are being forgotten together.
  struct Forgetting {
    /// The rooms, in the order in which they go.
    fileprivate(set) var rooms: [RoomID] = []
    fileprivate var uses: [Use] = []
  }

  /// What a room and an event count for besides the bytes of the bodies.
  package static let roomBytes = 4_096
  private static let eventBytes = 256
  /// The most rooms that are forgotten together, and how often that is done at once: a disk may be slower than those
  /// who bring rooms. Rooms that are being forgotten are in memory, and count together for no more than those that stay
  /// there, but for one room each time.
  private static let (limitRooms, limitForgettings) = (256, 8)

  private var rooms: [RoomID: Entry] = [:]
  private var sources: [String: Source] = [:]
  private var serial: UInt64 = 0
  /// What all of them count for.
  private(set) var bytes = 0
  private var limitBytes: Int
  private let limitOpenBytes: Int
  /// What may have come into memory, or may be closed, since it was looked at what is open.
  private var news = 0
  /// How often rooms are being forgotten because there are too many, and what they count for.
  private var (forgettings, leaving) = (0, 0)
  /// Whether there was too much, and not yet an eighth of the limit is free.
  private var isEmptying = false

  init(_ settings: NetworkSettings) {
    limitBytes = settings.limitStrangersBytes
    limitOpenBytes = settings.limitOpenBytes
  }

  package static func cost(events: Int, bytes: Int) -> Int {
    let (sum, isOver) = bytes.addingReportingOverflow(events * eventBytes)
    return isOver ? .max / 2 : min(sum, .max / 2)
  }

  static func cost(of change: RoomChange) -> Int {
    cost(events: change.entries.count, bytes: change.entries.reduce(0) { $0 + $1.event.bodyBytes })
  }

  func source(of room: RoomID) -> String? { rooms[room]?.source }

  /// What some rooms count for.
  func bytes(of some: [RoomID]) -> Int { some.reduce(0) { $0 + (rooms[$1]?.cost ?? 0) } }

  /// Notes that so much more is stored of a room, and when.
  mutating func note(_ room: RoomID, cost: Int, _ use: RoomUse) {
    if rooms[room] == nil {
      serial += 1
      rooms[room] = Entry(cost: 0, used: use.milliseconds, source: use.source, serial: serial)
      sources[use.source, default: Source()].rooms += 1
      enqueue(room)
      add(Self.roomBytes, to: room)
      news += Self.roomBytes
    }
    if let used = rooms[room]?.used, used < use.milliseconds { rooms[room]?.used = use.milliseconds }
    add(cost, to: room)
    news += cost
  }

  private mutating func add(_ cost: Int, to room: RoomID) {
    guard let source = rooms[room]?.source else { return }
    rooms[room]?.cost += cost
    sources[source]?.cost += cost
    bytes += cost
  }

  private mutating func enqueue(_ room: RoomID) {
    // A source that is held here would be copied, with its heap, when it is changed below.
    guard let entry = rooms[room], let limit = sources[entry.source].map({ 2 * $0.rooms + 64 }) else {
      return
    }
    if let count = sources[entry.source]?.uses.count, count > limit {
      let rooms = rooms
      sources[entry.source]?.uses.keep { rooms[$0.room]?.serial == $0.serial }
    }
    sources[entry.source]?.uses.push(Use(used: entry.used, room: room, serial: entry.serial))
  }

  /// Nothing of these rooms, which may have been read for others, is sent or awaited any more.
  mutating func noteUnneeded(_ some: [RoomID]) { news += bytes(of: some) }

  /// A room is gone, or somebody on this machine has written into it.
  mutating func remove(_ room: RoomID) {
    guard let entry = rooms[room] else { return }
    add(-entry.cost, to: room)
    setLeaving(0, room)
    rooms[room] = nil
    sources[entry.source]?.rooms -= 1
    if sources[entry.source]?.rooms == 0 { sources[entry.source] = nil }
  }

  /// Whatever is stored now is not too much.
  mutating func keepWhatIsStored() { limitBytes = max(limitBytes, bytes) }

  // MARK: - Forgetting

  /// Begins to forget what is too much, in the end an eighth more than must go: as much of it as is forgotten together.
  /// - Parameter spared: the rooms that go when no others are left.
  /// - Returns: what is to be forgotten; `nil` where nothing is, or enough is being forgotten.
  mutating func beginForgetting(sparing spared: @autoclosure () -> Set<RoomID> = []) -> Forgetting? {
    let goal = limitBytes - limitBytes / 8
    guard bytes - leaving > (isEmptying ? goal : limitBytes), forgettings < Self.limitForgettings else {
      return nil
    }
    var (found, cost, later) = (Forgetting(), 0, [String: ArraySlice<Use>]())
    var costs = sources.mapValues { $0.cost - $0.leaving }
    let spared = spared()
    for goesLast in [false, true] {
      // tidy: order does not matter because a heap is put in order
      var ranks = costs.reduce(into: Heap<Rank>()) { $0.push(Rank(cost: $1.value, source: $1.key)) }
      while bytes - leaving > goal, found.rooms.count < Self.limitRooms,
        cost < limitOpenBytes / Self.limitForgettings, var rank = ranks.pop()
      {
        let next = goesLast ? later[rank.source]?.popFirst() : takeOldest(of: rank.source)
        guard let next, let entry = rooms[next.room] else { continue }
        if !goesLast, spared.contains(next.room) {
          later[rank.source, default: []].append(next)
        } else {
          found.rooms.append(next.room)
          found.uses.append(next)
          setLeaving(entry.cost, next.room)
          cost += entry.cost
          rank.cost -= entry.cost
          costs[rank.source] = rank.cost
        }
        ranks.push(rank)
      }
    }
    // tidy: order does not matter because a heap is put in order
    for (source, uses) in later { for use in uses { sources[source]?.uses.push(use) } }
    isEmptying = !found.rooms.isEmpty && bytes - leaving > goal
    guard !found.rooms.isEmpty else { return nil }
    forgettings += 1
    return found
  }

  private mutating func setLeaving(_ cost: Int, _ room: RoomID) {
    guard let entry = rooms[room] else { return }
    rooms[room]?.leaving = cost
    sources[entry.source]?.leaving += cost - entry.leaving
    leaving += cost - entry.leaving
  }

  /// Takes out the room of a host that was not used for longest.
  private mutating func takeOldest(of source: String) -> Use? {
    while let use = sources[source]?.uses.pop() {
      guard let entry = rooms[use.room], entry.serial == use.serial else { continue }
      guard entry.used > use.used else { return use }
      // It was used since: it is behind others.
      enqueue(use.room)
    }
    return nil
  }

  /// Whether nothing more is stored for strangers that this host brings: rooms come quicker than they are forgotten, as
  /// on a slow disk. Beyond twice the limit that is so of those that brought no less than others, beyond four times of
  /// all.
  /// - Parameter coming: what is about to be stored besides.
  func isOverrun(by source: String, with coming: Int = 0) -> Bool {
    let excess = (bytes + coming) / 2
    guard excess > limitBytes else { return false }
    return excess / 2 > limitBytes || (sources[source]?.cost ?? 0) >= bytes / max(1, sources.count)
  }

  /// Rooms were forgotten, or could not be.
  mutating func endForgetting(_ forgetting: Forgetting, areGone: Bool) {
    forgettings -= 1
    for use in forgetting.uses where rooms[use.room]?.serial == use.serial {
      guard !areGone else {
        remove(use.room)
        continue
      }
      setLeaving(0, use.room)
      enqueue(use.room)
    }
  }

  /// Of rooms that are in memory, those that should not be: what they count for together is too much. Those that were
  /// not used for longest go first.
  mutating func unneeded(of open: @autoclosure () -> [RoomID]) -> [RoomID] {
    guard news > limitOpenBytes / 16 else { return [] }
    news = 0
    let known = open().compactMap { room in rooms[room].map { (room: room, entry: $0) } }
    var left = known.reduce(0) { $0 + $1.entry.cost }
    guard left > limitOpenBytes else { return [] }
    var chosen: [RoomID] = []
    for (room, entry) in known.sorted(by: { ($0.entry.used, $0.room) < ($1.entry.used, $1.room) }) {
      guard left > limitOpenBytes / 2 else { break }
      left -= entry.cost
      chosen.append(room)
    }
    return chosen
  }
}

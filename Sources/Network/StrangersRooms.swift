internal import EventLog
internal import Events

/// What is kept for others of rooms into which nobody on this machine has written, and what goes when that is too much:
/// of the host that brought most, the rooms that were not used for longest (ARCHITECTURE, memory and disk).
///
/// A value that holds some hundred bytes for each room. Each room counts for more than it has on disk and in memory
/// once it is closed, however small it is, so that the limit bounds how many there are.
package struct StrangersRooms {
  private struct Entry {
    var cost: Int
    var used: UInt64
    let source: String
  }

  /// What a room and an event count for besides the bytes of the bodies.
  package static let roomBytes = 4_096
  private static let eventBytes = 256
  /// The most rooms that go at a time.
  static let limitExcess = 256

  private var rooms: [RoomID: Entry] = [:]
  /// What all of them count for.
  private(set) var bytes = 0
  private let limitBytes: Int
  private let limitOpenBytes: Int
  /// What may have come into memory, or may be closed, since it was looked at what is open.
  private var news = 0
  /// Whether rooms are being forgotten because there are too many.
  private var isForgetting = false

  init(_ settings: NetworkSettings) {
    limitBytes = settings.limitStrangersBytes
    limitOpenBytes = settings.limitOpenBytes
  }

  package static func cost(events: Int, bytes: Int) -> Int {
    let (sum, isOver) = bytes.addingReportingOverflow(events * eventBytes)
    return isOver ? .max / 2 : min(sum, .max / 2)
  }

  func source(of room: RoomID) -> String? { rooms[room]?.source }

  /// What some rooms count for.
  func bytes(of some: [RoomID]) -> Int { some.reduce(0) { $0 + (rooms[$1]?.cost ?? 0) } }

  /// Notes that so much more is stored of a room, and when.
  mutating func note(_ room: RoomID, cost: Int, _ use: RoomUse) {
    var entry = rooms[room] ?? Entry(cost: 0, used: use.milliseconds, source: use.source)
    let more = entry.cost == 0 ? cost + Self.roomBytes : cost
    entry.cost += more
    entry.used = max(entry.used, use.milliseconds)
    rooms[room] = entry
    bytes += more
    news += more
  }

  /// Nothing of these rooms, which may have been read for others, is sent or awaited any more.
  mutating func noteUnneeded(_ some: [RoomID]) { news += bytes(of: some) }

  /// A room is gone, or somebody on this machine has written into it.
  mutating func remove(_ room: RoomID) {
    if let entry = rooms.removeValue(forKey: room) { bytes -= entry.cost }
  }

  /// The rooms that are to be forgotten now, because all together are too many; an eighth more than must go.
  /// - Parameter spared: those that go when no others are left.
  func excess(sparing spared: @autoclosure () -> Set<RoomID> = []) -> [RoomID] {
    guard bytes > limitBytes else { return [] }
    let spared = spared()
    var totals: [String: Int] = [:]
    // tidy: order does not matter because these are sums
    for entry in rooms.values { totals[entry.source, default: 0] += entry.cost }
    var (left, chosen) = (bytes, [RoomID]())
    for goesLast in [false, true] {
      var queues = queues { spared.contains($0) == goesLast }
      while left > limitBytes - limitBytes / 8, chosen.count < Self.limitExcess {
        // tidy: order does not matter because ties are broken by name
        let most = queues.keys.max { (totals[$0] ?? 0, $0) < (totals[$1] ?? 0, $1) }
        guard let most, let first = queues[most]?.popLast() else { break }
        if queues[most]?.isEmpty == true { queues[most] = nil }
        totals[most, default: 0] -= first.entry.cost
        left -= first.entry.cost
        chosen.append(first.room)
      }
    }
    return chosen
  }

  /// By host, those of its rooms that were not used for longest last.
  private func queues(of isWanted: (RoomID) -> Bool) -> [String: [(room: RoomID, entry: Entry)]] {
    var queues: [String: [(room: RoomID, entry: Entry)]] = [:]
    // tidy: order does not matter because each queue is sorted
    for (room, entry) in rooms where isWanted(room) {
      queues[entry.source, default: []].append((room, entry))
    }
    // tidy: order does not matter because each is sorted by itself
    for source in queues.keys {
      queues[source]?.sort { ($0.entry.used, $0.room) > ($1.entry.used, $1.room) }
    }
    return queues
  }

  /// Begins to forget what is too much.
  /// - Parameter spared: the rooms that go when no others are left.
  /// - Returns: the rooms that are to be forgotten; none while others are.
  mutating func beginForgetting(sparing spared: @autoclosure () -> Set<RoomID>) -> [RoomID] {
    guard !isForgetting else { return [] }
    let rooms = excess(sparing: spared())
    isForgetting = !rooms.isEmpty
    return rooms
  }

  /// These rooms were forgotten, or could not be.
  mutating func endForgetting(_ rooms: [RoomID]) {
    for room in rooms { remove(room) }
    isForgetting = false
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

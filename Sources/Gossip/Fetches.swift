import EventLog
import Events

/// What is asked for by id because runs wait for it: in which rooms runs of whom wait, whom it was asked of last, and
/// when it is asked for again. Whoever has runs wait in many rooms costs for each no more than in one.
struct Fetches: Sendable {
  /// The runs of one giver in one room.
  struct Fetch: Sendable {
    let room: RoomID
    /// Nobody, when the giver is gone.
    let giver: Neighbour?
    var asked: Neighbour?
    fileprivate(set) var due: Tick
    fileprivate(set) var tries = 0

    /// Through how many runs it is looked for what to ask for. The first question is about what came last: whoever has
    /// much wait and sends more does not have all of it looked through each time. The next ones come after a pause.
    var depth: Int { tries == 0 ? 256 : .max }
    /// Whether the room need not stay in memory for what is waited for after this question.
    var isLast: Bool { tries == Fetches.limitTries - 1 }

    fileprivate var key: Key { Key(room: room, giver: giver) }
  }

  fileprivate struct Key: Hashable {
    let room: RoomID
    let giver: Neighbour?
  }

  /// When a fetch was due, as that was noted; one that is due at another time now is not meant any more.
  private struct Turn: Comparable {
    let due: Tick
    /// Of those that are due at once the one that was noted first comes first.
    let serial: UInt64
    let key: Key

    static func < (a: Self, b: Self) -> Bool { (a.due, a.serial) < (b.due, b.serial) }
    static func == (a: Self, b: Self) -> Bool { a.serial == b.serial }
  }

  /// After so many questions a room need not stay in memory for what is waited for.
  private static let limitTries = 4

  private var fetches: [Key: Fetch] = [:]
  /// Of whom runs wait in a room, in the order in which they came.
  private var givers: [RoomID: [Neighbour?]] = [:]
  private var rooms: [Neighbour: Set<RoomID>] = [:]
  private var turns = Heap<Turn>()
  private var serial: UInt64 = 0
  /// How many bytes came to wait since it was looked how many wait in all rooms.
  private var waitedBytes = 0

  /// When something is asked for.
  var deadline: Tick? { turns.first?.due }

  /// Whether something of a room was asked for, and may come.
  func isAwaiting(_ room: RoomID) -> Bool {
    givers[room]?.contains { (fetches[Key(room: room, giver: $0)]?.tries ?? .max) < Self.limitTries } ?? false
  }

  /// The rooms in which what a neighbour gave waits.
  func rooms(of giver: Neighbour) -> [RoomID] { rooms[giver]?.sorted() ?? [] }

  /// Notes that runs of a giver wait in a room, and asks for what they need: at once where it gives them again.
  mutating func note(_ room: RoomID, by giver: Neighbour?, due: Tick) {
    let key = Key(room: room, giver: giver)
    guard let known = fetches[key] else {
      fetches[key] = Fetch(room: room, giver: giver, due: due)
      givers[room, default: []].append(giver)
      if let giver { rooms[giver, default: []].insert(room) }
      return setDue(due, of: key)
    }
    guard giver != nil else { return }
    fetches[key]?.tries = 0
    if due < known.due { setDue(due, of: key) }
  }

  /// Something that was waited for may have come: what is still missing is asked for without a long pause.
  mutating func hurry(_ room: RoomID, due: Tick) {
    for giver in givers[room] ?? [] {
      let key = Key(room: room, giver: giver)
      guard let known = fetches[key], known.tries > 0 else { continue }
      fetches[key]?.tries = 0
      if due < known.due { setDue(due, of: key) }
    }
  }

  /// Takes what is due, as it was; the next question comes after a longer and longer pause.
  mutating func takeDue(pause: UInt64, at now: Tick) -> [Fetch] {
    var due: [Fetch] = []
    while let turn = turns.first, turn.due <= now {
      guard let fetch = fetches[turn.key] else { break }
      due.append(fetch)
      fetches[turn.key]?.tries += 1
      setDue(now + pause << UInt64(min(fetch.tries, 6)), of: turn.key)
    }
    return due
  }

  private mutating func setDue(_ due: Tick, of key: Key) {
    fetches[key]?.due = due
    serial += 1
    turns.push(Turn(due: due, serial: serial, key: key))
    if turns.count > 2 * fetches.count + 64 {
      let fetches = fetches
      turns.keep { fetches[$0.key]?.due == $0.due }
    }
    settle()
  }

  /// Takes out what is first and not meant any more.
  private mutating func settle() {
    while let turn = turns.first, fetches[turn.key]?.due != turn.due { _ = turns.pop() }
  }

  /// Notes whom a fetch was asked of.
  mutating func note(_ fetch: Fetch, askedOf neighbour: Neighbour) { fetches[fetch.key]?.asked = neighbour }

  /// Forgets what is not waited for in a room.
  mutating func keep(of room: RoomID, where isWaited: (Neighbour?) -> Bool) {
    for giver in givers[room] ?? [] where !isWaited(giver) { remove(room, of: giver) }
  }

  /// Forgets what waits in a room of a giver.
  mutating func remove(_ room: RoomID, of giver: Neighbour?) {
    guard fetches.removeValue(forKey: Key(room: room, giver: giver)) != nil else { return }
    givers[room]?.removeAll { $0 == giver }
    if givers[room]?.isEmpty == true { givers[room] = nil }
    if let giver {
      rooms[giver]?.remove(room)
      if rooms[giver]?.isEmpty == true { rooms[giver] = nil }
    }
    settle()
  }

  // MARK: - How much waits

  /// Notes that so many bytes came to wait.
  mutating func noteWaiting(bytes: Int) { waitedBytes += bytes }

  /// Whether so much came to wait that it is to be looked how much waits in all rooms; counts anew then.
  mutating func takeIsMuch(_ limit: Int) -> Bool {
    guard waitedBytes > limit else { return false }
    waitedBytes = 0
    return true
  }
}

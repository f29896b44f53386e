import Events

/// Which events of a room are covered by signatures, and whether the runs between them keep their limits.
///
/// An event is covered when it is signed or has a covered successor in its feed. A run begins after a signed
/// event, at the start of a feed, or at a fork: one branch's signature covers what the branches share. Takes
/// seven bytes an event.
struct Coverage {
  /// What is wrong with a position.
  enum Fault: Hashable {
    case unsigned
    case longRun
  }

  init(capacity: Int = 0) {
    previous.reserveCapacity(capacity)
    bytes.reserveCapacity(capacity)
    isSigned.reserveCapacity(capacity)
  }

  private var previous: [Int32] = []
  private var bytes: [UInt16] = []
  private var isSigned: [Bool] = []

  /// Adds the next event; `previous` is the position of the one before in its feed, if that is counted here.
  mutating func add(after before: Int?, bodyBytes: Int, isSigned signed: Bool) {
    previous.append(before.map { Int32(clamping: $0) } ?? -1)
    bytes.append(UInt16(clamping: bodyBytes))
    isSigned.append(signed)
  }

  /// Notes a signature over the last event.
  mutating func signLast() {
    if !isSigned.isEmpty { isSigned[isSigned.count - 1] = true }
  }

  /// The first position that nothing covers, or that makes a run too long.
  func firstFault() -> (position: Int, fault: Fault)? {
    var isCovered = isSigned
    var branches = [UInt8](repeating: 0, count: previous.count)
    for at in previous.indices.reversed() where previous[at] >= 0 {
      let before = Int(previous[at])
      if isCovered[at] { isCovered[before] = true }
      branches[before] = min(2, branches[before] + 1)
    }
    if let at = isCovered.firstIndex(of: false) { return (at, .unsigned) }
    return firstLongRun(branches).map { ($0, .longRun) }
  }

  private func firstLongRun(_ branches: [UInt8]) -> Int? {
    var events = [UInt16](repeating: 1, count: previous.count)
    var runBytes = [UInt32](repeating: 0, count: previous.count)
    for at in previous.indices {
      runBytes[at] = UInt32(bytes[at])
      if previous[at] >= 0, case let before = Int(previous[at]), !isSigned[before], branches[before] < 2 {
        events[at] += events[before]
        runBytes[at] += runBytes[before]
      }
      if events[at] > Run.limitEvents || runBytes[at] > Run.limitBytes { return at }
    }
    return nil
  }
}

extension RoomChange {
  /// Throws unless every feed of the change ends signed, in runs within their limits, and a new room begins
  /// with its `create`.
  func check() throws(LogError) {
    if base == 0, entries.first?.event.id != room { throw .missing(room) }
    if let wrong = signatures.first(where: { $0.position < 0 || $0.position >= base }) {
      throw .limit("a signature for entry \(wrong.position) of \(base)")
    }
    var ends = FeedEnds()
    var coverage = Coverage(capacity: entries.count)
    for (at, entry) in entries.enumerated() {
      guard entry.event.room == room else { throw .wrongRoom(entry.event.id) }
      coverage.add(
        after: ends.position(before: entry.event, in: entries), bodyBytes: entry.event.body.count,
        isSigned: entry.signature != nil)
      ends.add(entry.event, at: at)
    }
    guard let (at, fault) = coverage.firstFault() else { return }
    switch fault {
    case .unsigned: throw .unsigned(entries[at].event.id)
    case .longRun: throw .limit("a run of more than \(Run.limitEvents) events or \(Run.limitBytes) bytes")
    }
  }
}

/// The last event of each author so far: what most events name as their previous.
private struct FeedEnds {
  private var ends: [(author: PeerID, id: EventID, position: Int)] = []

  /// Where the event before this one in its feed stands, when it is among those so far.
  func position(before event: Event, in entries: [RoomLog.Entry]) -> Int? {
    guard event.sequence > 1, let end = ends.first(where: { $0.author == event.author }) else { return nil }
    if end.id == event.previous { return end.position }
    // A branch of a fork: rare, so it may cost a search.
    return entries[...end.position].lastIndex { $0.event.id == event.previous }
  }

  mutating func add(_ event: Event, at position: Int) {
    if let known = ends.firstIndex(where: { $0.author == event.author }) {
      ends[known] = (event.author, event.id, position)
    } else {
      ends.append((event.author, event.id, position))
    }
  }
}

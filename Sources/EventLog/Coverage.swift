import Events

/// Which events of a room are covered by signatures, and whether the runs between them keep their limits.
///
/// An event is covered when it is signed or has a covered successor in its feed. A run begins after a signed
/// event, at the start of a feed, or at a fork: one branch's signature covers what the branches share. Takes
/// seven bytes an event.
struct Coverage {
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

  /// The first position that nothing covers (`.unsigned`), or that makes a run too long (`.longRun`).
  func firstFault() -> (position: Int, fault: EventFault)? {
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

extension Coverage {
  /// Throws `.corrupt` unless every feed and branch ends in a signed event, in runs within their limits.
  static func check(_ log: RoomLog) throws(LogError) {
    var coverage = Coverage()
    for (at, entry) in log.entries.enumerated() {
      coverage.add(
        after: log.graph.previous(at), bodyBytes: entry.event.bodyBytes, isSigned: entry.signature != nil)
    }
    guard let (at, fault) = coverage.firstFault() else { return }
    throw .corrupt(event: log.entries[at].event.id, reason: fault.rawValue)
  }
}

extension RoomChange {
  /// Throws unless every feed of the change ends signed, in runs within their limits, and a new room begins
  /// with its `create`.
  package func check() throws(LogError) {
    try checkShape()
    var runs = OpenRuns(room: room)
    for entry in entries { runs.add(entry) }
    if !runs.hold { try checkBranches() }
  }

  /// Throws unless a new room begins with its `create`.
  func checkShape() throws(LogError) {
    if base == 0, entries.first?.event.id != room { throw .missing(room) }
  }

  /// Throws unless all entries are of the room and every branch of every feed ends signed, in runs within their
  /// limits.
  func checkBranches() throws(LogError) {
    var places: [EventID: Int] = [:]
    var coverage = Coverage(capacity: entries.count)
    for (at, entry) in entries.enumerated() {
      guard entry.event.room == room else { throw .wrongRoom(entry.event.id) }
      coverage.add(
        after: places[entry.event.previous], bodyBytes: entry.event.bodyBytes,
        isSigned: entry.signature != nil)
      places[entry.event.id] = at
    }
    guard let (at, fault) = coverage.firstFault() else { return }
    guard fault == .longRun else { throw .unsigned(entries[at].event.id) }
    throw .limit("a run of more than \(Run.limitEvents) events or \(Run.limitBytes) bytes")
  }
}

/// What no signature covers yet of each feed of a room, entry by entry: the quick check of a change without
/// branches, made while it is written.
struct OpenRuns {
  private struct Feed {
    let author: PeerID
    var last: EventID
    var events = 0
    var bytes = 0
  }

  /// The most feeds that are looked through one by one.
  private static let limitFeeds = 256

  private let room: RoomID
  private var feeds: [Feed] = []
  private var isPlain = true

  init(room: RoomID) { self.room = room }

  /// Whether all entries are of the room and every feed ends signed, in runs within their limits; `false` also
  /// where there are branches, which `RoomChange.checkBranches` follows.
  var hold: Bool { isPlain && feeds.allSatisfy { $0.events == 0 } }

  /// Takes the next entry.
  mutating func add(_ entry: borrowing RoomLog.Entry) {
    guard isPlain else { return }
    let (id, author) = (entry.event.id, entry.event.author)
    let at = feeds.firstIndex { $0.author == author } ?? feeds.count
    if at == feeds.count {
      feeds.append(Feed(author: author, last: entry.event.previous))
    }
    let isNext = feeds[at].last == entry.event.previous
    feeds[at].last = id
    feeds[at].events += 1
    feeds[at].bytes += entry.event.bodyBytes
    isPlain =
      isNext && entry.event.room == room && feeds[at].events <= Run.limitEvents
      && feeds[at].bytes <= Run.limitBytes && feeds.count <= Self.limitFeeds
    if entry.signature != nil { (feeds[at].events, feeds[at].bytes) = (0, 0) }
  }
}

import Events

/// Verified runs of a room that wait for what they name, in order of arrival (Docs/PROTOCOL.md §3.1).
///
/// A run takes places of those who gave it, so that nobody takes another's. Who gives only what it has itself can be
/// asked for all that its runs wait for.
struct WaitingRoom: Sendable {
  /// What waits of one giver, in bytes.
  static let limitBytes = 1 << 20

  /// Who gave a run: a connection, or nobody in particular.
  typealias Giver = UInt32?

  /// What is left of a run that waits.
  struct Place: Sendable {
    /// Who gave it and has room for it, never nobody at all.
    fileprivate(set) var givers: [Giver]
    /// Whether it is here because something that waits needs it.
    let isNeeded: Bool
    fileprivate(set) var entries: [RoomLog.Entry] { didSet { bytes = Self.bytes(of: entries) } }
    private(set) var bytes: Int

    fileprivate init(_ entries: [RoomLog.Entry], of giver: Giver, isNeeded: Bool) {
      givers = [giver]
      self.isNeeded = isNeeded
      self.entries = entries
      bytes = Self.bytes(of: entries)
    }

    private static func bytes(of entries: [RoomLog.Entry]) -> Int {
      entries.reduce(0) { $0 + $1.event.bodyBytes }
    }
  }

  private(set) var places: [Place] = []
  /// The place of each event.
  private var ids: [EventID: Int] = [:]
  /// What is named here and is neither here nor in the log, or waits without a signature of its own, and the last place
  /// that names it. A signature behind such an event may be of one that never links; others may hold another.
  private var needs: [EventID: Int] = [:]

  var isEmpty: Bool { places.isEmpty }
  var count: Int { ids.count }
  /// The events that wait, in order of arrival.
  var entries: [RoomLog.Entry] { places.flatMap(\.entries) }
  /// How many bytes wait of the giver of most.
  // tidy: order does not matter because the largest is taken
  var mostBytes: Int { Set(places.flatMap(\.givers)).map { bytes(of: $0) }.max() ?? 0 }

  /// How many bytes wait of a giver.
  func bytes(of giver: Giver) -> Int { places.reduce(0) { $0 + ($1.givers.contains(giver) ? $1.bytes : 0) } }

  func contains(_ id: EventID) -> Bool { ids[id] != nil }

  func event(_ id: EventID) -> Event? {
    ids[id].flatMap { place in places[place].entries.first { $0.event.id == id }?.event }
  }

  /// The last place that needs one of these events.
  func place(needing events: [Event]) -> Int? { events.compactMap { needs[$0.id] }.max() }

  /// Makes room for a run of so many bytes: the giver's newest own runs go first, then what is needed by earlier places
  /// than the one that needs this run, for that lies further from what is here.
  /// - Returns: whether there is room now.
  mutating func makeRoom(
    for bytes: Int, of giver: Giver, neededBy place: Int?, isHeld: (EventID) -> Bool
  ) -> Bool {
    var used = bytes + self.bytes(of: giver)
    guard used > Self.limitBytes else { return true }
    guard let place else { return false }
    let own = places.indices.filter { places[$0].givers.contains(giver) }
    let spare =
      own.dropFirst().filter { !places[$0].isNeeded }.reversed()
      + own.dropFirst().filter { places[$0].isNeeded && $0 < place }
    var given: [Int] = []
    for at in spare where used > Self.limitBytes && at != place {
      used -= places[at].bytes
      given.append(at)
    }
    guard used <= Self.limitBytes else { return false }
    for at in given { places[at].givers.removeAll { $0 == giver } }
    removeUngiven(isHeld)
    return true
  }

  /// Notes that somebody else has given what waits, where there is room for it.
  mutating func note(_ giver: Giver, gave events: [Event]) {
    for event in events {
      guard let at = ids[event.id], !places[at].givers.contains(giver) else { continue }
      if bytes(of: giver) + places[at].bytes <= Self.limitBytes { places[at].givers.append(giver) }
    }
  }

  /// A giver is gone: what it alone gave is nobody's from now on, where there is room for it; the newest stays.
  mutating func forget(_ giver: Giver, isHeld: (EventID) -> Bool) {
    for at in places.indices.reversed() {
      guard let number = places[at].givers.firstIndex(of: giver) else { continue }
      places[at].givers.remove(at: number)
      if places[at].givers.isEmpty, bytes(of: nil) + places[at].bytes <= Self.limitBytes {
        places[at].givers = [nil]
      }
    }
    removeUngiven(isHeld)
  }

  private mutating func removeUngiven(_ isHeld: (EventID) -> Bool) {
    places.removeAll(where: \.givers.isEmpty)
    index(isHeld)
  }

  mutating func add(
    _ entries: [RoomLog.Entry], of giver: Giver, isNeeded: Bool, isHeld: (EventID) -> Bool
  ) {
    places.append(Place(entries, of: giver, isNeeded: isNeeded))
    for entry in entries {
      ids[entry.event.id] = places.count - 1
      if entry.signature != nil { needs[entry.event.id] = nil }
    }
    noteNeeds(of: places.count - 1, isHeld)
  }

  mutating func sign(_ id: EventID, _ signature: Signature) {
    guard let place = ids[id], let at = places[place].entries.firstIndex(where: { $0.event.id == id }) else {
      return
    }
    places[place].entries[at].signature = signature
    needs[id] = nil
  }

  /// Notes what is in the log now.
  /// - Returns: whether something waited for any of it.
  mutating func noteHeld(_ events: [Event]) -> Bool {
    var isAwaited = false
    for event in events where needs.removeValue(forKey: event.id) != nil { isAwaited = true }
    return isAwaited
  }

  /// Whether an event waits here without a signature of its own.
  func isUnsigned(_ id: EventID) -> Bool {
    ids[id].map { place in places[place].entries.contains { $0.event.id == id && $0.signature == nil } }
      ?? false
  }

  /// Takes events out, by their numbers in `entries`.
  mutating func remove(_ gone: Set<Int>, isHeld: (EventID) -> Bool) {
    var number = 0
    for at in places.indices {
      places[at].entries = places[at].entries.filter { _ in
        defer { number += 1 }
        return !gone.contains(number)
      }
    }
    places.removeAll(where: \.entries.isEmpty)
    index(isHeld)
  }

  private mutating func index(_ isHeld: (EventID) -> Bool) {
    ids = [:]
    needs = [:]
    for place in places.indices { for entry in places[place].entries { ids[entry.event.id] = place } }
    for place in places.indices { noteNeeds(of: place, isHeld) }
  }

  private mutating func noteNeeds(of place: Int, _ isHeld: (EventID) -> Bool) {
    for entry in places[place].entries {
      let event = entry.event
      // What follows an event covers it with its own signature.
      if event.sequence > 1, ids[event.previous] == nil, !isHeld(event.previous) {
        needs[event.previous] = place
      }
      for number in 0..<event.parentCount {
        let id = event.parent(number)
        if ids[id] == nil ? !isHeld(id) : isUnsigned(id) { needs[id] = place }
      }
    }
  }

  /// What a giver's runs need, the newest run first, also by way of what others gave.
  func missing(of giver: Giver, limit: Int) -> [EventID] {
    var next = places.reversed().filter { $0.givers.contains(giver) }.flatMap(\.entries).map(\.event)
    var seen = Set(next.map(\.id))
    var missing: [EventID] = []
    var at = 0
    while at < next.count, missing.count < limit {
      let event = next[at]
      at += 1
      for id in [event.previous] + (0..<event.parentCount).map({ event.parent($0) }) {
        let isNew = seen.insert(id).inserted
        if needs[id] != nil, !missing.contains(id) { missing.append(id) }
        if isNew, let waiting = self.event(id) { next.append(waiting) }
      }
    }
    return Array(missing.prefix(limit))
  }
}

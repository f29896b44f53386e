import Events

/// Verified runs of a room that wait for what they name, in order of arrival (Docs/PROTOCOL.md §3.1).
///
/// A run waits for its *owner*: the author, or the owner of the waiting event that needs it. Each member has places of
/// its own, so that nobody takes another's; all who are no members share those of one owner, none.
struct WaitingRoom: Sendable {
  /// What waits for a founder, in bytes.
  static let limitFounderBytes = 4 << 20
  /// What waits for another member, and what waits for all who are no members.
  static let limitMemberBytes = 256 << 10

  /// What is left of a run that waits.
  struct Place: Sendable {
    let owner: PeerID
    /// Whether it is here because something that waits needs it.
    let isNeeded: Bool
    fileprivate(set) var entries: [RoomLog.Entry]

    var bytes: Int { entries.reduce(0) { $0 + $1.event.bodyBytes } }
  }

  private(set) var places: [Place] = []
  private var ids: Set<EventID> = []
  /// What is named here and is neither here nor in the log, and the last place that names it.
  private var needs: [EventID: Int] = [:]
  /// Whose turn it is to have something asked for.
  private var turn = 0

  var isEmpty: Bool { places.isEmpty }
  /// The events that wait, in order of arrival.
  var entries: [RoomLog.Entry] { places.flatMap(\.entries) }
  /// How many bytes wait.
  var bytes: Int { places.reduce(0) { $0 + $1.bytes } }

  func contains(_ id: EventID) -> Bool { ids.contains(id) }

  func event(_ id: EventID) -> Event? {
    guard ids.contains(id) else { return nil }
    return entries.first { $0.event.id == id }?.event
  }

  /// The last place that needs one of these events.
  func place(needing events: [Event]) -> Int? { events.compactMap { needs[$0.id] }.max() }

  /// Makes room for a run of so many bytes: the owner's newest own runs go first, then what is needed by earlier places
  /// than the one that needs this run, for that lies further from what is here.
  /// - Returns: whether there is room now.
  mutating func makeRoom(
    for bytes: Int, of owner: PeerID, limit: Int, neededBy place: Int?, isHeld: (EventID) -> Bool
  ) -> Bool {
    var used = bytes
    for place in places where place.owner == owner { used += place.bytes }
    guard used > limit else { return true }
    guard let place else { return false }
    let own = places.indices.filter { places[$0].owner == owner }
    let spare =
      own.dropFirst().filter { !places[$0].isNeeded }.reversed()
      + own.dropFirst().filter { places[$0].isNeeded && $0 < place }
    var gone: Set<Int> = []
    for at in spare where used > limit && at != place {
      used -= places[at].bytes
      gone.insert(at)
    }
    guard used <= limit else { return false }
    places = places.indices.filter { !gone.contains($0) }.map { places[$0] }
    index(isHeld)
    return true
  }

  mutating func add(
    _ entries: [RoomLog.Entry], owner: PeerID, isNeeded: Bool, isHeld: (EventID) -> Bool
  ) {
    places.append(Place(owner: owner, isNeeded: isNeeded, entries: entries))
    for entry in entries {
      ids.insert(entry.event.id)
      needs[entry.event.id] = nil
    }
    noteNeeds(of: places.count - 1, isHeld)
  }

  mutating func sign(_ id: EventID, _ signature: Signature) {
    for place in places.indices {
      guard let at = places[place].entries.firstIndex(where: { $0.event.id == id }) else { continue }
      places[place].entries[at].signature = signature
    }
  }

  /// Whether an event waits here without a signature of its own.
  func isUnsigned(_ id: EventID) -> Bool {
    entries.contains { $0.event.id == id && $0.signature == nil }
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
    ids = Set(entries.map(\.event.id))
    needs = [:]
    for place in places.indices { noteNeeds(of: place, isHeld) }
  }

  private mutating func noteNeeds(of place: Int, _ isHeld: (EventID) -> Bool) {
    for entry in places[place].entries {
      let event = entry.event
      if event.sequence > 1 { noteNeed(event.previous, of: place, isHeld) }
      for parent in 0..<event.parentCount { noteNeed(event.parent(parent), of: place, isHeld) }
    }
  }

  private mutating func noteNeed(_ id: EventID, of place: Int, _ isHeld: (EventID) -> Bool) {
    if !ids.contains(id), !isHeld(id) { needs[id] = place }
  }

  /// What is to be asked for: members in turns, of each what its newest places need.
  mutating func missing(limit: Int) -> [EventID] {
    // tidy: order does not matter because it is sorted
    let needed = needs.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    var byOwner: [PeerID: [EventID]] = [:]
    for (id, place) in needed { byOwner[places[place].owner, default: []].append(id) }
    let owners = byOwner.keys.sorted()
    guard !owners.isEmpty else { return [] }
    turn += 1
    var missing: [EventID] = []
    for round in 0..<limit {
      for step in owners.indices where missing.count < limit {
        guard let ids = byOwner[owners[(turn + step) % owners.count]], round < ids.count else { continue }
        missing.append(ids[round])
      }
    }
    return missing
  }
}

package import Events

/// Verified runs of a room that wait for what they name, in order of arrival (Docs/PROTOCOL.md §3.1).
///
/// A run takes places of those who gave it, so that nobody takes another's. Who gives only what it has itself can be
/// asked for all that its runs wait for. What is found of a run that comes is found by ids, and not by looking through
/// what waits.
package struct WaitingRoom: Sendable {
  /// What waits of one giver, in bytes.
  package static let limitBytes = 1 << 20

  /// Who gave a run: a connection, or nobody in particular.
  package typealias Giver = UInt32?

  /// What is left of a run that waits.
  private struct Place {
    /// Who gave it and has room for it, never nobody at all.
    var givers: [Giver]
    /// Whether it is here because something that waits needs it.
    let isNeeded: Bool
    /// The first event of its branch that was not in the log when it came.
    let start: Event
    var entries: [RoomLog.Entry]
    var bytes: Int { entries.reduce(0) { $0 + $1.event.bodyBytes } }
  }

  /// What a giver has here: bytes, and the numbers of its places, ascending.
  private struct Share {
    var bytes = 0
    var spare: [Int] = []
    var needed: [Int] = []

    /// The oldest place.
    var first: Int? { [spare.first, needed.first].compactMap { $0 }.min() }
  }

  /// Which places name an event: as a parent, and as the one before, ascending.
  private struct Namers {
    var parent: [Int] = []
    var previous: [Int] = []

    var isEmpty: Bool { parent.isEmpty && previous.isEmpty }
  }

  /// In order of arrival; `nil` where one is gone.
  private var places: [Place?] = []
  private let limitBytes: Int
  /// How many of them are there.
  private var taken = 0
  private var shares: [Giver: Share] = [:]
  /// The place of each event.
  private var ids: [EventID: Int] = [:]
  /// Who names what is not in the log.
  private var namers: [EventID: Namers] = [:]

  init(limitBytes: Int = limitBytes) { self.limitBytes = limitBytes }

  package var isEmpty: Bool { taken == 0 }
  /// How many events wait.
  package var count: Int { ids.count }
  /// The events that wait, in order of arrival.
  package var entries: [RoomLog.Entry] { places.flatMap { $0?.entries ?? [] } }
  /// How many bytes wait of the giver of most.
  // tidy: order does not matter because the largest is taken
  package var mostBytes: Int { shares.values.map(\.bytes).max() ?? 0 }

  /// How many bytes wait of each giver.
  package var bytesByGiver: [Giver: Int] { shares.mapValues(\.bytes) }

  /// How many bytes wait of a giver.
  package func bytes(of giver: Giver) -> Int { shares[giver]?.bytes ?? 0 }

  /// Whether an event of an author waits.
  package func contains(by author: PeerID) -> Bool {
    !isEmpty && places.contains { $0?.entries.contains { $0.event.author == author } ?? false }
  }

  func contains(_ id: EventID) -> Bool { ids[id] != nil }

  func event(_ id: EventID) -> Event? { entry(id)?.event }

  private func entry(_ id: EventID) -> RoomLog.Entry? {
    ids[id].flatMap { places[$0]?.entries.first { $0.event.id == id } }
  }

  /// Whether an event waits here without a signature of its own.
  func isUnsigned(_ id: EventID) -> Bool { entry(id).map { $0.signature == nil } ?? false }

  /// The first event of the branch of one that waits, as it was when that came.
  func startOfBranch(to id: EventID) -> Event? { ids[id].flatMap { places[$0]?.start } }

  /// The last place that needs one of these events: it names it, and it is neither in the log nor here, or it is a
  /// parent and waits without a signature of its own. A signature behind that may be of an event that never links;
  /// others may hold another. What follows an event covers it with its own signature.
  func place(needing events: [Event]) -> Int? { events.compactMap { place(needing: $0.id) }.max() }

  /// Whether something that waits names an event of a run.
  package func needs(_ run: Run) -> Bool { place(needing: run.events) != nil }

  private func place(needing id: EventID) -> Int? {
    guard let namers = namers[id] else { return nil }
    guard ids[id] != nil else { return [namers.parent.last, namers.previous.last].compactMap { $0 }.max() }
    return isUnsigned(id) ? namers.parent.last : nil
  }

  // MARK: - Coming and going

  /// Makes room for a run of so many bytes: the giver's newest own runs go first, then what is needed by earlier places
  /// than the one that needs this run, for that lies further from what is here.
  /// - Returns: whether there is room now.
  mutating func makeRoom(for bytes: Int, of giver: Giver, neededBy place: Int?) -> Bool {
    guard let share = shares[giver] else { return bytes <= limitBytes }
    var excess = bytes + share.bytes - limitBytes
    guard excess > 0 else { return true }
    guard let place else { return false }
    var given: [Int] = []
    func give(_ number: Int) {
      guard number != share.first, number != place else { return }
      excess -= places[number]?.bytes ?? 0
      given.append(number)
    }
    for number in share.spare.reversed() {
      guard excess > 0 else { break }
      give(number)
    }
    for number in share.needed {
      guard excess > 0, number < place else { break }
      give(number)
    }
    guard excess <= 0 else { return false }
    for number in given { remove(giver, from: number) }
    return true
  }

  /// Notes that somebody else has given what waits, where there is room for it.
  mutating func note(_ giver: Giver, gave events: [Event]) {
    for event in events {
      guard let number = ids[event.id], let place = places[number], !place.givers.contains(giver),
        bytes(of: giver) + place.bytes <= limitBytes
      else { continue }
      places[number]?.givers.append(giver)
      grant(number, to: giver)
    }
  }

  /// A giver is gone: what it alone gave is nobody's from now on, where there is room for it; the newest stays.
  mutating func forget(_ giver: UInt32) {
    guard let share = shares[giver] else { return }
    for number in (share.spare + share.needed).sorted().reversed() {
      guard let place = places[number] else { continue }
      if place.givers == [giver], bytes(of: nil) + place.bytes <= limitBytes {
        places[number]?.givers.append(nil)
        grant(number, to: nil)
      }
      remove(giver, from: number)
    }
  }

  /// What a giver alone gave goes.
  mutating func drop(_ giver: Giver) {
    guard let share = shares[giver] else { return }
    for number in share.spare + share.needed { remove(giver, from: number) }
  }

  /// Lets a run wait.
  /// - Parameters:
  ///   - start: the first event of its branch that is not in the log.
  ///   - isHeld: whether an event is in the log.
  mutating func add(
    _ entries: [RoomLog.Entry], of giver: Giver, isNeeded: Bool, start: Event, isHeld: (EventID) -> Bool
  ) {
    if places.count > 2 * taken + 64 { closeGaps() }
    places.append(Place(givers: [giver], isNeeded: isNeeded, start: start, entries: entries))
    taken += 1
    grant(places.count - 1, to: giver)
    index(places.count - 1, isHeld)
  }

  /// Gives a place to one more giver.
  private mutating func grant(_ number: Int, to giver: Giver) {
    guard let place = places[number] else { return }
    shares[giver, default: Share()].bytes += place.bytes
    if place.isNeeded {
      shares[giver]?.needed.insert(ascending: number)
    } else {
      shares[giver]?.spare.insert(ascending: number)
    }
  }

  /// Takes a place from a giver; it is gone when that was the last one.
  private mutating func remove(_ giver: Giver, from number: Int) {
    guard let place = places[number] else { return }
    shares[giver]?.bytes -= place.bytes
    shares[giver]?.spare.remove(ascending: number)
    shares[giver]?.needed.remove(ascending: number)
    if shares[giver]?.first == nil { shares[giver] = nil }
    places[number]?.givers.removeAll { $0 == giver }
    guard places[number]?.givers.isEmpty ?? false else { return }
    unindex(number)
    places[number] = nil
    taken -= 1
  }

  /// Gives the places new numbers, without those that are gone.
  private mutating func closeGaps() {
    let numbers = places.indices.filter { places[$0] != nil }
    var after = [Int](repeating: 0, count: places.count)
    for (new, old) in numbers.enumerated() { after[old] = new }
    places = numbers.map { places[$0] }
    ids = ids.mapValues { after[$0] }
    namers = namers.mapValues { namers in
      Namers(parent: namers.parent.map { after[$0] }, previous: namers.previous.map { after[$0] })
    }
    shares = shares.mapValues { share in
      Share(
        bytes: share.bytes, spare: share.spare.map { after[$0] }, needed: share.needed.map { after[$0] })
    }
  }

  // MARK: - What is named

  private mutating func index(_ number: Int, _ isHeld: (EventID) -> Bool) {
    for entry in places[number]?.entries ?? [] {
      let event = entry.event
      ids[event.id] = number
      if event.sequence > 1, !isHeld(event.previous) {
        namers[event.previous, default: Namers()].previous.insert(ascending: number)
      }
      for parent in 0..<event.parentCount {
        let id = event.parent(parent)
        if !isHeld(id) { namers[id, default: Namers()].parent.insert(ascending: number) }
      }
    }
  }

  private mutating func unindex(_ number: Int) {
    for entry in places[number]?.entries ?? [] {
      let event = entry.event
      ids[event.id] = nil
      unname(event.previous, by: number)
      for parent in 0..<event.parentCount { unname(event.parent(parent), by: number) }
    }
  }

  private mutating func unname(_ id: EventID, by number: Int) {
    namers[id]?.previous.remove(ascending: number)
    namers[id]?.parent.remove(ascending: number)
    if namers[id]?.isEmpty ?? false { namers[id] = nil }
  }

  mutating func sign(_ id: EventID, _ signature: Signature) {
    guard let place = ids[id], let at = places[place]?.entries.firstIndex(where: { $0.event.id == id }) else {
      return
    }
    places[place]?.entries[at].signature = signature
  }

  /// Notes what is in the log now.
  /// - Returns: whether something waited for any of it.
  mutating func noteHeld(_ events: [Event]) -> Bool {
    var isAwaited = false
    for event in events where namers.removeValue(forKey: event.id) != nil { isAwaited = true }
    return isAwaited
  }

  /// Takes events out.
  mutating func remove(_ gone: Set<EventID>, isHeld: (EventID) -> Bool) {
    // tidy: order does not matter because each place is changed by itself
    for number in Set(gone.compactMap { ids[$0] }) {
      guard let place = places[number] else { continue }
      let left = place.entries.filter { !gone.contains($0.event.id) }
      guard !left.isEmpty else {
        for giver in place.givers { remove(giver, from: number) }
        continue
      }
      unindex(number)
      places[number]?.entries = left
      index(number, isHeld)
      let freed = place.bytes - (places[number]?.bytes ?? 0)
      for giver in place.givers { shares[giver]?.bytes -= freed }
    }
    // tidy: order does not matter because each is taken out by itself
    for id in gone where isHeld(id) { namers[id] = nil }
  }

  /// What a giver's runs need, the newest run first, also by way of what others gave.
  /// - Parameter newest: how many runs are looked through at most.
  func missing(of giver: Giver, limit: Int, newest: Int = .max) -> [EventID] {
    guard let share = shares[giver] else { return [] }
    var missing: [EventID] = []
    // What others gave, and these runs name.
    var others: [Event] = []
    var seen: Set<EventID> = []
    func look(at event: Event) {
      for id in [event.previous] + (0..<event.parentCount).map({ event.parent($0) }) {
        if place(needing: id) != nil, !missing.contains(id) { missing.append(id) }
        guard let number = ids[id], places[number]?.givers.contains(giver) == false,
          seen.insert(id).inserted, let waiting = self.event(id)
        else { continue }
        others.append(waiting)
      }
    }
    // The newest are mostly enough: whoever has much wait here is not to have all of it looked through each time.
    var (spare, needed, left) = (share.spare[...], share.needed[...], newest)
    while missing.count < limit, left > 0, let number = Self.takeLast(&spare, &needed) {
      for entry in places[number]?.entries ?? [] { look(at: entry.event) }
      left -= 1
    }
    var at = 0
    while missing.count < limit, left > 0, at < others.count {
      look(at: others[at])
      (at, left) = (at + 1, left - 1)
    }
    return Array(missing.prefix(limit))
  }

  /// Takes the highest number out of two ascending lists that have none in common.
  private static func takeLast(_ a: inout ArraySlice<Int>, _ b: inout ArraySlice<Int>) -> Int? {
    (a.last ?? -1) > (b.last ?? -1) ? a.popLast() : b.popLast()
  }
}

extension [Int] {
  /// Adds a number to ascending ones, unless it is there; most are higher than all.
  fileprivate mutating func insert(ascending number: Int) {
    guard let last, number <= last else { return append(number) }
    let at = partitioningIndex { $0 >= number }
    if self[at] != number { insert(number, at: at) }
  }

  /// Takes a number out of ascending ones.
  fileprivate mutating func remove(ascending number: Int) {
    guard let last, number <= last else { return }
    let at = partitioningIndex { $0 >= number }
    if self[at] == number { remove(at: at) }
  }
}

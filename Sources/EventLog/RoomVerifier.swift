import Events

/// Checks a room's events one after the other, in the order of arrival, as if a stranger had sent them: ids,
/// rooms, chains, parents, signatures, and at the end that signatures cover everything.
///
/// Keeps about 120 bytes an event and no event.
struct RoomVerifier {
  private struct Place {
    let feed: Int
    let position: Int
    let sequence: UInt64
  }

  /// Where a feed ends so far: what most events name.
  private struct Head {
    var id: EventID
    var place: Place
  }

  private let room: RoomID
  private let hasher: EventHasher
  private let scheme: any SignatureScheme
  private var places: [EventID: Place] = [:]
  private var numbers: [PeerID: Int] = [:]
  private var heads: [Head] = []
  private var coverage: Coverage
  private var ids: [EventID] = []

  init(
    room: RoomID, hasher: EventHasher, scheme: any SignatureScheme, capacity: Int = 0
  ) {
    self.room = room
    self.hasher = hasher
    self.scheme = scheme
    coverage = Coverage(capacity: capacity)
    places.reserveCapacity(capacity)
    ids.reserveCapacity(capacity)
  }

  /// Takes the next event.
  /// - Throws: `.corrupt`, which names it.
  mutating func take(_ view: borrowing EventView, signature: Signature?) throws(LogError) {
    let id = view.id
    guard view.isHashed(by: hasher) else { throw .corrupt(event: id, reason: "its bytes have another hash") }
    guard view.room == room else { throw .corrupt(event: id, reason: "it belongs to another room") }
    let feed = number(of: view.author)
    let before = try checkLinks(of: view, feed: feed)
    let place = Place(feed: feed, position: ids.count, sequence: view.header.sequence)
    guard places.updateValue(place, forKey: id) == nil else {
      throw .corrupt(event: id, reason: "it is here twice")
    }
    if let signature, !scheme.isValid(signature, of: id, by: view.author) {
      throw .corrupt(event: id, reason: "its signature is not its author's")
    }
    if feed == heads.count {
      heads.append(Head(id: id, place: place))
    } else {
      heads[feed] = Head(id: id, place: place)
    }
    ids.append(id)
    coverage.add(after: before, bodyBytes: view.bodyBytes, isSigned: signature != nil)
  }

  /// Throws `.corrupt` unless every feed and branch ends in a signed event, in runs within their limits.
  func finish() throws(LogError) {
    guard let (at, fault) = coverage.firstFault() else { return }
    throw .corrupt(event: ids[at], reason: fault.words)
  }

  /// The number of an author's feed; the next one for an author who is new.
  private mutating func number(of author: PeerID) -> Int {
    if let known = numbers[author] { return known }
    numbers[author] = numbers.count
    return numbers.count - 1
  }

  /// Where an event stands; the ends of the first feeds are looked at before the table.
  private func place(of id: EventID) -> Place? {
    for head in heads.prefix(4) where head.id == id { return head.place }
    return places[id]
  }

  /// Checks that previous and parents are here and that the chain links.
  /// - Returns: the position of the event before in the feed.
  private func checkLinks(of view: borrowing EventView, feed: Int) throws(LogError) -> Int? {
    var before: Int?
    if view.header.sequence > 1 {
      guard let place = place(of: view.previous) else {
        throw missing(view.previous, in: view)
      }
      guard place.feed == feed, place.sequence + 1 == view.header.sequence else { throw broken(view) }
      before = place.position
    }
    for index in 0..<view.header.parentCount {
      let parent = view.parent(index)
      guard let place = place(of: parent) else { throw missing(parent, in: view) }
      guard place.feed != feed else { throw broken(view) }
    }
    if ids.isEmpty, view.id != room { throw missing(room, in: view) }
    return before
  }

  private func missing(_ id: EventID, in view: borrowing EventView) -> LogError {
    .corrupt(event: view.id, reason: "it names event \(id.short), which is not before it")
  }

  private func broken(_ view: borrowing EventView) -> LogError {
    .corrupt(event: view.id, reason: "it does not follow the event before it")
  }
}

extension Coverage.Fault {
  /// What is wrong, of an event.
  var words: String {
    switch self {
    case .unsigned: "no signature covers it"
    case .longRun: "its run has more than \(Run.limitEvents) events or \(Run.limitBytes) bytes"
    }
  }
}

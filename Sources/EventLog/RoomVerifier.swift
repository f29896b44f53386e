import Events

/// Checks a room's events one after the other, in the order of arrival, as if a stranger had sent them: ids,
/// rooms, chains, parents, whom they name, signatures, and at the end that signatures cover everything.
///
/// Keeps about 60 bytes an event and no event. While events name nothing but the ends of the first feeds, as at one
/// table, no table of ids is needed; the first one that names something else has it made.
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
  private var heads: [Head] = []
  private var numbers = FeedNumbers()
  private var ids: [EventID] = []
  private var places: [Place] = []
  /// The positions of all ids, once an event has named something far.
  private var table: [EventID: Int]?
  private var coverage: Coverage
  private var membership = Membership()
  /// The author of each feed.
  private var authors: [PeerID] = []

  init(
    room: RoomID, hasher: EventHasher, scheme: any SignatureScheme, capacity: Int = 0
  ) {
    self.room = room
    self.hasher = hasher
    self.scheme = scheme
    coverage = Coverage(capacity: capacity)
    ids.reserveCapacity(capacity)
    places.reserveCapacity(capacity)
  }

  /// Takes the next event.
  /// - Throws: `.corrupt`, which names it.
  mutating func take(_ view: borrowing EventView, signature: Signature?) throws(LogError) {
    let id = view.id
    guard view.isHashed(by: hasher) else { throw .corrupt(event: id, reason: "its bytes have another hash") }
    guard view.room == room else { throw .corrupt(event: id, reason: "it belongs to another room") }
    let author = view.author
    let feed = numbers[author] ?? numbers.add(author)
    let isNear = followsHeads(view, feed: feed)
    let before =
      isNear ? (feed < heads.count ? heads[feed].place.position : nil) : try checkLinks(of: view, feed)
    try checkNames(of: view, after: before)
    if let signature, !scheme.isValid(signature, of: id, by: author) {
      throw .corrupt(event: id, reason: "its signature is not its author's")
    }
    if feed == authors.count { authors.append(author) }
    add(id, Place(feed: feed, position: ids.count, sequence: view.header.sequence))
    coverage.add(after: before, bodyBytes: view.bodyBytes, isSigned: signature != nil)
  }

  /// Throws `.corrupt` unless every feed and branch ends in a signed event, in runs within their limits.
  func finish() throws(LogError) {
    guard let (at, fault) = coverage.firstFault() else { return }
    throw .corrupt(event: ids[at], reason: fault.words)
  }

  private mutating func add(_ id: EventID, _ place: Place) {
    table?[id] = place.position
    ids.append(id)
    places.append(place)
    if place.feed == heads.count {
      heads.append(Head(id: id, place: place))
    } else {
      heads[place.feed].id = id
      heads[place.feed].place = place
    }
  }

  /// Whether the event goes on from the end of its feed and its parents are ends of the first feeds. Then all links
  /// hold, and it cannot be here already.
  private func followsHeads(_ view: borrowing EventView, feed: Int) -> Bool {
    if feed < heads.count {
      guard heads[feed].id == view.previous, heads[feed].place.sequence + 1 == view.header.sequence else {
        return false
      }
    } else if view.header.sequence != 1 || ids.isEmpty != (view.id == room) {
      return false
    }
    let near = heads.indices.prefix(FeedNumbers.limitNear)
    for index in 0..<view.header.parentCount {
      let parent = view.parent(index)
      guard near.contains(where: { $0 != feed && heads[$0].id == parent }) else { return false }
    }
    return true
  }

  /// Checks that the event is not here, that previous and parents are, and that the chain links.
  /// - Returns: the position of the event before in the feed.
  private mutating func checkLinks(of view: borrowing EventView, _ feed: Int) throws(LogError) -> Int? {
    if table == nil {
      table = [:]
      table?.reserveCapacity(ids.capacity)
      for (position, id) in ids.enumerated() { table?[id] = position }
    }
    if table?[view.id] != nil { throw .corrupt(event: view.id, reason: "it is here twice") }
    var before: Int?
    if view.header.sequence > 1 {
      guard let at = table?[view.previous] else { throw missing(view.previous, in: view) }
      guard places[at].feed == feed, places[at].sequence + 1 == view.header.sequence else {
        throw broken(view)
      }
      before = at
    }
    for index in 0..<view.header.parentCount {
      let parent = view.parent(index)
      guard let at = table?[parent] else { throw missing(parent, in: view) }
      guard places[at].feed != feed else { throw broken(view) }
    }
    if ids.isEmpty, view.id != room { throw missing(room, in: view) }
    return before
  }

  /// Checks that the event, which links, names only whom its author may name, and notes what it is.
  private mutating func checkNames(of view: borrowing EventView, after before: Int?) throws(LogError) {
    if ids.isEmpty { return membership.begin(view.action, by: view.author) }
    let subject = Membership.Subject(view)
    var parents = InlineArray<32, Int>(repeating: 0)
    for number in 0..<subject.parents { parents[number] = position(of: view.parent(number)) ?? 0 }
    let standing = membership.standing(
      of: subject, after: before.map(membership.standing(at:)),
      parent: { membership.standing(at: parents[$0]) }, grantee: { membership.grantee(at: parents[$0]) })
    guard let standing else {
      throw .corrupt(event: view.id, reason: BundleError.Reason.misnamed.rawValue)
    }
    let request = standing.isCreators ? subject.request : nil
    membership.add(standing, grantee: request.map { authors[places[parents[$0]].feed] })
  }

  /// The position of an event that is here.
  private func position(of id: EventID) -> Int? {
    for head in heads.prefix(FeedNumbers.limitNear) where head.id == id { return head.place.position }
    return table?[id]
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

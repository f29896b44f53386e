internal import Events

/// What a reader remembers of the events of a bundle: enough to check the next one, 100 to 200 bytes each.
struct BundleIndex {
  private let room: RoomID
  private var places: [EventID: Int32] = [:]
  private var sequences: [UInt64] = []
  private var feeds: [UInt32] = []
  private var authors: [PeerID: UInt32] = [:]
  private var isFollowed: [Bool] = []
  private var order = OrderCheck()
  private var coverage = Coverage()
  private var membership = Membership()
  /// The author of each feed.
  private var names: [PeerID] = []

  init(room: RoomID) { self.room = room }

  /// Takes the next event in its place.
  mutating func take(_ event: Event) throws(BundleError) {
    let id = event.id
    let position = sequences.count
    guard event.room == room else { throw .event(id, .wrongRoom) }
    guard position > 0 || id == room else { throw .event(id, .noCreate) }
    guard places[id] == nil else { throw .event(id, .doubled) }
    let author = authors[event.author] ?? UInt32(clamping: authors.count)
    let previous = try place(ofPreviousOf: event, author)
    var readyAt = max(previous.map { $0 + 1 } ?? 0, min(position, 1))
    var parents: [Int] = []
    for index in 0..<event.parentCount {
      let parent = event.parent(index)
      guard let place = places[parent] else { throw .event(id, .missingParent) }
      guard feeds[Int(place)] != author else { throw .event(id, .brokenChain) }
      readyAt = max(readyAt, Int(place) + 1)
      parents.append(Int(place))
    }
    try noteNames(of: event, after: previous, parents)
    guard order.take(OrderKey(event), at: position, readyAt: readyAt) else { throw .event(id, .wrongOrder) }
    authors[event.author] = author
    if Int(author) == names.count { names.append(event.author) }
    places[id] = Int32(clamping: position)
    sequences.append(event.sequence)
    feeds.append(author)
    isFollowed.append(false)
    if let previous { isFollowed[previous] = true }
    coverage.add(after: previous, bodyBytes: event.bodyBytes, isSigned: false)
  }

  /// Notes that the last event is signed.
  mutating func signLast() { coverage.signLast() }

  private func place(ofPreviousOf event: Event, _ author: UInt32) throws(BundleError) -> Int? {
    guard event.sequence > 1 else { return nil }
    guard let place = places[event.previous] else { throw .event(event.id, .missingPrevious) }
    guard feeds[Int(place)] == author, sequences[Int(place)] + 1 == event.sequence else {
      throw .event(event.id, .brokenChain)
    }
    return Int(place)
  }

  /// Checks that an event, which links, names only whom its author may name, and notes what it is.
  private mutating func noteNames(
    of event: Event, after previous: Int?, _ parents: [Int]
  ) throws(BundleError) {
    if sequences.isEmpty { return membership.begin(event.action, by: event.author) }
    let subject = Membership.Subject(event)
    let standing = membership.standing(
      of: subject, after: previous.map(membership.standing(at:)),
      parent: { membership.standing(at: parents[$0]) }, grantee: { membership.grantee(at: parents[$0]) })
    guard let standing else { throw .event(event.id, .misnamed) }
    let request = standing.isCreators ? subject.request : nil
    membership.add(standing, grantee: request.map { names[Int(feeds[parents[$0]])] })
  }

  /// Throws unless all is covered and the feeds end in these events and no others.
  func checkEnd(_ heads: [OrderKey]) throws(BundleError) {
    // tidy: order does not matter because each place is one event's
    if let (at, fault) = coverage.firstFault(), let id = places.first(where: { $0.value == at })?.key {
      throw .event(id, fault == .unsigned ? .unsigned : .longRun)
    }
    guard isFollowed.count(where: { !$0 }) == heads.count else { throw .wrongHeads }
    for head in heads {
      guard let place = places[head.id], !isFollowed[Int(place)], sequences[Int(place)] == head.sequence,
        authors[head.author] == feeds[Int(place)]
      else { throw .wrongHeads }
    }
  }
}

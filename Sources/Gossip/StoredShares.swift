import Events

/// What authors have stored here, and the feeds of which no more is taken because of that.
struct StoredShares: Sendable {
  /// The most feeds of which it is remembered that their rooms have no place for them.
  private static let limitCrowdedOut = 1 << 16

  /// Bytes of others' events here, by author.
  private var bytes: [PeerID: Int] = [:]
  /// Feeds of authors who have used up what they may store here.
  private var barred: Set<UInt64> = []
  /// Feeds of strangers for which their rooms have no place.
  private var crowdedOut: [UInt64: RoomID] = [:]

  /// Of how many feeds nothing more is taken, because their authors have used up what they may store.
  var barredFeeds: Int { barred.count }

  /// How many bytes of an author's events are here.
  func bytes(of author: PeerID) -> Int { bytes[author] ?? 0 }

  /// Counts the bytes of new events: most are of the run's author, others had waited for it.
  /// - Parameter others: gets whose they are besides.
  mutating func add(_ events: [Event], of author: PeerID, _ others: inout Set<PeerID>) {
    var own = 0
    let events = events.span
    for index in events.indices {
      if events[index].author == author {
        own += events[index].bodyBytes
      } else {
        bytes[events[index].author, default: 0] += events[index].bodyBytes
        others.insert(events[index].author)
      }
    }
    if own > 0 { bytes[author, default: 0] += own }
  }

  /// Takes the bytes of an event back, where its author's are counted.
  mutating func takeBack(_ event: Event) {
    guard let stored = bytes[event.author] else { return }
    bytes[event.author] = max(0, stored - event.bodyBytes)
  }

  // MARK: - Feeds of which no more is taken

  func isBarred(_ key: UInt64) -> Bool { barred.contains(key) }

  /// Notes that a feed's author has used up what it may store.
  mutating func bar(_ key: UInt64, limit: Int) {
    if barred.count >= limit { barred.removeAll() }
    barred.insert(key)
  }

  /// The room that has no place for a feed.
  func crowdedOut(_ key: UInt64) -> RoomID? { crowdedOut.isEmpty ? nil : crowdedOut[key] }

  /// Notes that a room has no place for a feed.
  mutating func crowdOut(_ key: UInt64, of room: RoomID) {
    if crowdedOut.count >= Self.limitCrowdedOut { crowdedOut = [:] }
    crowdedOut[key] = room
  }

  /// Notes that there is a place again.
  mutating func makePlace(for key: UInt64) { crowdedOut[key] = nil }

  /// Forgets what was noted of rooms that are gone.
  mutating func forget(_ gone: Set<RoomID>) { crowdedOut = crowdedOut.filter { !gone.contains($0.value) } }
}

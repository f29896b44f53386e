package import Events

// What neighbours show of this peer's own feeds, when its store may be older than what they have.

extension Replica {
  /// After a start from an old copy, or one that may be old: nothing is written into rooms held before until
  /// every neighbour was asked what it holds.
  mutating func beginRecovery(at now: Tick) {
    watch.begin(at: now)
    for link in links.indices {
      links[link].testimony = Testimony(askedSince: now, isCutShort: links[link].testimony.isCutShort)
      compare(with: link, at: now)
    }
  }

  /// Whether this peer knows how far its own feeds go.
  package var recovery: OwnFeedWatch.Recovery { watch.recovery }

  /// The store is as it was left; a copy of it may have been used since.
  package mutating func watchOwnFeeds() { watch.watch() }

  /// Notes which of this peer's own feeds a neighbour has nothing of, when it is looked through for the first time.
  mutating func noteAbsent(_ feeds: [UInt32], of link: Int) {
    guard watch.attention == .doubt, !links[link].testimony.wasAnswered else { return }
    for feed in feeds {
      let (key, room) = (directory.feeds[Int(feed)].key, directory.room(of: feed))
      if interest.own.contains(where: { Feed.key(room: room, author: $0) == key }) {
        links[link].testimony.absent.insert(key)
      }
    }
  }

  /// What each neighbour has shown of a room.
  package func witnesses(of room: RoomID) -> [Witness] {
    let keys = interest.own.map { Feed.key(room: room, author: $0) }
    let number = directory.number(of: room)
    return links.map { link in
      let testimony = link.testimony
      let isShown = number.map { directory.isShown($0, to: link.circles) } ?? false
      // Of rooms that are not compared with it nobody knows what it has.
      let isCompared = number.map { link.shared?.contains($0) ?? true } ?? false
      let isOwed = keys.contains { key in
        requests[key].map { $0.neighbour == link.neighbour || $0.others.contains(link.neighbour) } ?? false
      }
      return Witness(
        peer: link.circles.peer, hasAnswered: testimony.wasAnswered, isGivenUp: testimony.isNotWaitedFor,
        hasShown: testimony.wasAnswered && testimony.isCompared && isShown && isCompared && !isOwed
          && !keys.contains(where: testimony.absent.contains))
    }
  }
}

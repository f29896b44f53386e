import EventLog
import Events

// How much of what others write has a place here.

extension Replica {
  /// Whether a member writes into a room in which this peer is a member: there only the room's rules limit it.
  func isOurs(_ at: Int, _ author: PeerID) -> Bool {
    rooms.open.span[at].log.membership.contains(author)
      && interest.own.contains { rooms.open.span[at].log.membership.contains($0) }
  }

  /// Whether a run may be looked at: unasked ones have a rate, each author has a share of the disk, and all strangers
  /// one of each room.
  mutating func isWithinBudget(
    _ run: Run, _ key: UInt64, _ author: PeerID, of at: Int, from link: Int, at now: Tick
  ) -> Bool {
    let isAskedFor = requests[key]?.isAsked == true
    if !isAskedFor, !links[link].account.events.take(run.events.count, at: now) {
      linkTable.noteExcess(link, limit: settings.budget.excess)
      return false
    }
    guard rooms.open.span[at].log.hasPlace(for: run, strangersBytes: settings.budget.strangersBytes) else {
      noteCrowdedOut(key, of: rooms.open.span[at].id)
      return false
    }
    // Whoever only looks for games keeps little of each.
    let taken = rooms.open.span[at].takenBytes + run.bytes
    if taken > settings.budget.openGameBytes, isWantedAsOpenGame(at, of: link) {
      noteCrowdedOut(key, of: rooms.open.span[at].id)
      return false
    }
    guard isOurs(at, author) || shares.bytes(of: author) + run.bytes <= settings.budget.authorBytes else {
      shares.bar(key, limit: settings.budget.requests)
      requests.remove(key)
      return false
    }
    return true
  }

  /// Notes that there was no place for a feed; it is not asked for any more.
  private mutating func noteCrowdedOut(_ key: UInt64, of room: RoomID) {
    shares.crowdOut(key, of: room)
    requests.remove(key)
  }

  /// Whether there was no place for a feed, and its author is a stranger still.
  mutating func isCrowdedOut(_ key: UInt64, of link: Int) -> Bool {
    guard let room = shares.crowdedOut(key) else { return false }
    guard let at = rooms.place(of: room), rooms.open[at].isWelcome(key),
      rooms.open.span[at].takenBytes < settings.budget.openGameBytes || !isWantedAsOpenGame(at, of: link)
    else { return true }
    shares.makePlace(for: key)
    return false
  }
}

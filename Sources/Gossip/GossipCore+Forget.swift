package import EventLog
package import Events

// Rooms that this peer has had and does not want any more.

/// Rooms that were forgotten here, and how far their feeds were seen, so that they are not asked for again.
struct ForgottenRooms: Sendable {
  /// In the order in which they were forgotten.
  private var order: [RoomID] = []
  private var seen = RoomsNotTaken()

  func contains(_ room: RoomID) -> Bool { seen.contains(room) }

  /// Whether an entry says what was seen of such a room.
  func hasSeen(_ entry: FeedEntry, salt: UInt64) -> Bool { seen.hasSeen(entry, salt: salt) }

  /// How far a feed of such a room was seen.
  func seen(of key: UInt64) -> UInt64 { seen.seen(of: key) }

  /// After which sequence there may be something new.
  func sequence(before entry: FeedEntry) -> UInt64 { seen.sequence(before: entry) }

  /// Remembers a room; those that were forgotten first make way.
  mutating func note(_ room: RoomID) {
    guard seen.note(room, limit: .max) else { return }
    order.append(room)
    guard order.count > limitForgottenRooms else { return }
    let oldest = Set(order.prefix(limitForgottenRooms / 8))
    order.removeFirst(oldest.count)
    _ = seen.forget(oldest.contains)
  }

  /// Remembers how far a feed was seen.
  mutating func note(_ feed: Feed, limit: Int) {
    let before = seen.seen(of: feed.key)
    guard seen.count < limit || before > 0, feed.isForked || feed.sequence >= before else { return }
    seen.note(feed, limit: .max)
  }

  /// Lets go of rooms that are wanted.
  /// - Returns: whether there were any.
  mutating func forget(_ isWanted: (RoomID) -> Bool) -> Bool {
    guard seen.forget(isWanted) else { return false }
    order.removeAll(where: isWanted)
    return true
  }
}

extension GossipCore {
  /// Forgets rooms, which need not be open: nothing of them is offered any more, and they are not taken in again
  /// unless somebody here asks for them.
  package mutating func forget(_ unwanted: [ForgottenRoom], at now: Tick) -> [Directive] {
    let names = Set(unwanted.map(\.room))
    for room in unwanted {
      if rooms.place(of: room.room) != nil { close(room.room) }
      replica.interest.withdraw(room.room)
      remember(room)
    }
    for key in unwanted.flatMap({ replica.requests.asked(of: $0.room).map(\.key) }) {
      replica.requests.remove(key)
    }
    offers.remove(names)
    replica.shares.forget(names)
    for link in links.indices {
      links[link].serving.forget(names)
      links[link].compareAt = links[link].compareAt ?? now + Replica.recheckMilliseconds
    }
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// Notes a room that is not here because it was forgotten before.
  package mutating func remember(_ room: ForgottenRoom) {
    replica.unwanted.note(room, limit: settings.budget.feedsNotTaken)
  }

  /// Remembers of a room no more that it was forgotten.
  package mutating func takeIn(_ room: RoomID) { replica.unwanted.release(room) }

  /// Says whose rooms are not taken in; those that are here stay.
  package mutating func block(_ authors: Set<PeerID>, at now: Tick) -> [Directive] {
    guard replica.unwanted.block(authors) else { return [] }
    linkTable.compareAllAgain(at: now)
    act(at: now)
    return linkTable.takeDirectives()
  }

  /// The peers whose rooms are not taken in.
  package var blocked: Set<PeerID> { replica.unwanted.blocked }

  /// Whether somebody here asked for a room.
  package func isAskedFor(_ room: RoomID) -> Bool { replica.interest.isAskedFor(room) }

  /// Whether a room was forgotten here.
  package func isForgotten(_ room: RoomID) -> Bool { replica.unwanted.isForgotten(room) }
}

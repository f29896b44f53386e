import EventLog
import Events

/// The rooms that are not taken in though nobody is at fault, and how far their feeds were seen, so that they are not
/// asked for with every comparison.
struct UnwantedRooms: Sendable {
  /// Those that nobody wants here, those of blocked peers, and those of editions that are not known here.
  private(set) var notTaken = RoomsNotTaken()
  /// Those that were forgotten here.
  private(set) var forgotten = ForgottenRooms()
  /// Peers whose rooms are not taken in.
  private(set) var blocked: Set<PeerID> = []

  /// How many rooms and feeds are remembered that are not taken.
  var count: Int { notTaken.count }

  func isForgotten(_ room: RoomID) -> Bool { forgotten.contains(room) }

  func isNotTaken(_ room: RoomID) -> Bool { notTaken.contains(room) }

  func isBlocked(_ peer: PeerID) -> Bool { blocked.contains(peer) }

  // MARK: - Feeds

  /// Whether an entry says what was seen of such a room.
  func hasSeen(_ entry: FeedEntry, salt: UInt64) -> Bool {
    notTaken.hasSeen(entry, salt: salt) || forgotten.hasSeen(entry, salt: salt)
  }

  /// How far a feed of such a room was seen.
  func seen(of key: UInt64) -> UInt64 { max(notTaken.seen(of: key), forgotten.seen(of: key)) }

  /// After which sequence there may be something new.
  func sequence(before entry: FeedEntry) -> UInt64 {
    max(notTaken.sequence(before: entry), forgotten.sequence(before: entry))
  }

  /// Remembers how far a feed of such a room was seen.
  mutating func note(_ feed: Feed, of room: RoomID, limit: Int) {
    if forgotten.contains(room) {
      forgotten.note(feed, limit: limit)
    } else {
      notTaken.note(feed, limit: limit)
    }
  }

  // MARK: - Rooms

  /// Remembers a room that is not taken.
  /// - Returns: whether it is remembered for the first time.
  mutating func note(_ room: RoomID, limit: Int) -> Bool { notTaken.note(room, limit: limit) }

  /// Remembers a room that was forgotten.
  mutating func note(_ room: ForgottenRoom, limit: Int) {
    forgotten.note(room.room)
    for entry in room.own + room.others {
      var feed = Feed(key: Feed.key(room: room.room, author: entry.author), room: 0)
      feed.set(entry)
      forgotten.note(feed, limit: limit)
    }
  }

  /// Lets go of rooms that are wanted.
  /// - Returns: whether there were any.
  mutating func release(_ isWanted: (RoomID) -> Bool) -> Bool {
    let (isNew, isBack) = (notTaken.forget(isWanted), forgotten.forget(isWanted))
    return isNew || isBack
  }

  /// Lets go of a room that is taken in.
  mutating func release(_ room: RoomID) {
    if notTaken.contains(room) { _ = notTaken.forget { $0 == room } }
    if forgotten.contains(room) { _ = forgotten.forget { $0 == room } }
  }

  /// Lets go of a room that was not taken, and names a wanted peer since.
  mutating func releaseNotTaken(_ room: RoomID) { _ = notTaken.forget { $0 == room } }

  /// Has all that was not taken looked at once more.
  /// - Returns: whether there was any.
  mutating func releaseNotTaken() -> Bool {
    defer { notTaken = RoomsNotTaken() }
    return notTaken.count > 0
  }

  /// Says whose rooms are not taken in.
  /// - Returns: whether somebody is free again: it is not remembered of which peer a room was that was passed over, so
  ///   that all are looked at once more then.
  mutating func block(_ unwanted: Set<PeerID>) -> Bool {
    let isAnyFree = !blocked.isSubset(of: unwanted)
    blocked = unwanted
    if isAnyFree { notTaken = RoomsNotTaken() }
    return isAnyFree
  }
}

/// Where the feeds of a room end, for who takes its events one by one in the order of arrival: most events name
/// nothing but such ends.
///
/// Authors are looked through one by one, so there is a limit of them.
package struct FeedHeads: Sendable {
  private struct Head: Sendable {
    let author: PeerID
    var id: EventID
    var sequence: UInt64

    /// Goes on to an event that says it is the next one.
    @inline(__always)
    mutating func goOn(to view: borrowing EventView) -> Bool {
      guard view.isNext(to: id), view.header.sequence == sequence &+ 1 else { return false }
      id = view.id
      sequence = view.header.sequence
      return true
    }
  }

  private let room: RoomID
  private let limitFeeds: Int
  private var heads: [Head]
  /// The last event of all.
  private var last: EventID

  /// The head of a room that has only its `create` so far.
  /// - Parameter limitFeeds: the most feeds that are followed.
  package init(first view: borrowing EventView, limitFeeds: Int) {
    room = view.room
    self.limitFeeds = limitFeeds
    last = view.id
    heads = [Head(author: view.author, id: view.id, sequence: view.header.sequence)]
  }

  /// The number of an author's feed, in the order of their first events.
  package func feed(of author: PeerID) -> Int? { heads.firstIndex { $0.author == author } }

  /// What is held; no feed that is followed here is forked.
  package var clock: VectorClock {
    VectorClock(heads.map { .init(author: $0.author, sequence: $0.sequence, head: $0.id) })
  }

  /// Takes an event of the room that names the last one before it, else only ends of feeds, and continues its
  /// author's feed where that ends.
  /// - Parameters:
  ///   - isLobby: whether play has not started: then an event may name others besides the last one.
  ///   - standsAside: whether it is of a kind that may name nothing but the room's `create`; such an event is not the
  ///     one that the next must name.
  /// - Returns: the number of its feed; `nil`, and nothing changed, for any other event.
  package mutating func follow(
    _ view: borrowing EventView, isLobby: Bool = false, standsAside: Bool = false
  ) -> Int? {
    guard view.isOf(room) else { return nil }
    let isAside = isLobby && standsAside && namesOnlyCreate(view)
    guard isAside || isLinked(view, isLobby: isLobby) else { return nil }
    var feed = 0
    while feed < heads.count, !view.isWritten(by: heads[feed].author) { feed += 1 }
    if feed == heads.count {
      guard view.header.sequence == 1, feed < limitFeeds else { return nil }
      heads.append(Head(author: view.author, id: view.id, sequence: 1))
    } else {
      guard heads[feed].goOn(to: view) else { return nil }
    }
    if !isAside { last = view.id }
    return feed
  }

  private func namesOnlyCreate(_ view: borrowing EventView) -> Bool {
    for index in 0..<view.header.parentCount where !view.isParent(index, room) { return false }
    return true
  }

  /// Whether the last event is among those that the event names, and after the start every parent is the end of a feed.
  @inline(__always)
  private func isLinked(_ view: borrowing EventView, isLobby: Bool) -> Bool {
    var followsLast = false
    for index in 0..<view.header.parentCount {
      if view.isParent(index, last) {
        followsLast = true
      } else if !isLobby, !heads.contains(where: { view.isParent(index, $0.id) }) {
        return false
      }
    }
    return followsLast || view.isNext(to: last)
  }
}

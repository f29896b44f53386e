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
    mutating func goOn(previous: EventID, sequence: UInt64, to id: EventID) -> Bool {
      guard previous == self.id, sequence == self.sequence + 1 else { return false }
      self.id = id
      self.sequence = sequence
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

  /// Takes an event of the room that names the last one before it, else only ends of feeds, and continues its
  /// author's feed where that ends.
  /// - Returns: the number of its feed; `nil`, and nothing changed, for any other event.
  package mutating func follow(_ view: borrowing EventView) -> Int? {
    let (author, sequence, previous) = (view.author, view.header.sequence, view.previous)
    guard view.room == room, isLinked(view, previous) else { return nil }
    var feed = 0
    while feed < heads.count, heads[feed].author != author { feed += 1 }
    if feed == heads.count {
      guard sequence == 1, feed < limitFeeds else { return nil }
      heads.append(Head(author: author, id: view.id, sequence: 1))
    } else {
      guard heads[feed].goOn(previous: previous, sequence: sequence, to: view.id) else { return nil }
    }
    last = view.id
    return feed
  }

  /// Whether the last event is among those that the event names, and every parent is the end of a feed.
  @inline(__always)
  private func isLinked(_ view: borrowing EventView, _ previous: EventID) -> Bool {
    var followsLast = previous == last
    for index in 0..<view.header.parentCount {
      let parent = view.parent(index)
      if parent == last {
        followsLast = true
      } else if !heads.contains(where: { $0.id == parent }) {
        return false
      }
    }
    return followsLast
  }
}

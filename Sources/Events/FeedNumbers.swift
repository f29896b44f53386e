/// The numbers of a room's feeds, by author, in the order in which they were added.
///
/// Most rooms have few feeds, and those are sooner looked through one by one than found in a table.
package struct FeedNumbers: Sendable {
  /// The feeds that are looked through one by one: numbers below this.
  package static let limitNear = 4

  private var near: [PeerID] = []
  private var far: [PeerID: Int] = [:]

  package init() {}

  /// The number of an author's feed, `nil` when there is none.
  package subscript(author: PeerID) -> Int? {
    for number in near.indices where near[number] == author { return number }
    return far.isEmpty ? nil : far[author]
  }

  /// Numbers the feed of an author who has none.
  /// - Returns: its number, the next one.
  package mutating func add(_ author: PeerID) -> Int {
    let number = near.count + far.count
    if number < Self.limitNear { near.append(author) } else { far[author] = number }
    return number
  }
}

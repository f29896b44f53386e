/// What somebody holds of a room: for each feed its length and head, or where it forked.
package struct VectorClock: Hashable, Sendable {
  /// One feed's entry.
  package struct Entry: Hashable, Sendable {
    package var author: PeerID
    /// The highest sequence held without a gap; for a forked feed the fork's sequence.
    package var sequence: UInt64
    /// The event at that sequence; zero for a forked feed.
    package var head: EventID
    package var isForked: Bool

    package init(author: PeerID, sequence: UInt64, head: EventID, isForked: Bool = false) {
      self.author = author
      self.sequence = sequence
      self.head = head
      self.isForked = isForked
    }
  }

  /// Entries, sorted by author.
  package private(set) var entries: [Entry]

  /// A clock of these entries, one per author, in any order.
  package init(_ entries: [Entry] = []) {
    self.entries = entries.sorted { $0.author < $1.author }
  }

  /// The entry of one feed.
  package subscript(author: PeerID) -> Entry? {
    let place = entries.partitioningIndex { $0.author >= author }
    return place < entries.count && entries[place].author == author ? entries[place] : nil
  }

  /// The digest of Docs/PROTOCOL.md §5: equal digests, equal logs.
  package func digest(room: RoomID) -> Digest {
    var hash = Blake2b(domain: "parlor-heads-1")
    hash.update(room)
    for entry in entries {
      hash.update(entry.author)
      hash.update(bigEndian: entry.sequence)
      hash.update(bigEndian: UInt8(entry.isForked ? 1 : 0))
      hash.update(entry.head)
    }
    return Digest(hash.digest())
  }
}

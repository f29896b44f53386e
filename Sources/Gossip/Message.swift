package import Events

/// One end of a connection, as its owner numbers it; every connection gets a new number.
package struct Neighbour: Hashable, Comparable, Sendable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }

  package static func < (a: Neighbour, b: Neighbour) -> Bool { a.number < b.number }
}

/// What peers say to each other (Docs/PROTOCOL.md §7).
package enum Message: Hashable, Sendable {
  /// “All that I may share with you hashes to this.”
  case digest(DirectoryDigest)
  /// “What do you hold in these parts?”
  case ask(salt: UInt64, [PartName])
  /// The answer: as many contents as parts were asked for, in that order.
  case parts(salt: UInt64, [PartContent])
  /// “These feeds stand so with me.”
  case have(Announcement)
  /// “Send me what comes after this, of these feeds.”
  case want([Want])
  /// Events in runs, each ending in a signed event.
  case runs(RunsMessage)
  /// The next events of a feed, for somebody who holds what went before.
  case next(NextEvents)
  /// “Send me these events”: of branches, which have no number of their own.
  case fetch(RoomID, [EventID])
  /// “Push me what is new”, or only announce it.
  case push(Bool)
  /// “This is what I want”; `nil` for everything.
  case interest(Interest?)
}

extension Message {
  /// How many events it brings.
  package var events: Int {
    switch self {
    case .runs(let message): message.runs.reduce(0) { $0 + $1.events.count }
    case .next(let next): next.records.count
    default: 0
    }
  }
}

/// A hash over all that two peers may share.
package struct DirectoryDigest: Hashable, Sendable {
  package var root: ShortHash
  /// The beginning of the hash at which both were found equal last.
  package var agreed: UInt64?
  /// Whether the other is to compare and answer.
  package var asksForAnswer: Bool

  package init(root: ShortHash, agreed: UInt64? = nil, asksForAnswer: Bool) {
    self.root = root
    self.agreed = agreed
    self.asksForAnswer = asksForAnswer
  }
}

/// Which part of which trie: of open rooms (0), of local rooms (1), of rooms in which one is named (2).
package struct PartName: Hashable, Sendable {
  package var trie: UInt8
  package var bits: UInt64
  package var depth: UInt8

  package init(trie: UInt8, bits: UInt64, depth: UInt8) {
    self.trie = trie
    self.bits = bits
    self.depth = depth
  }
}

/// What somebody holds in a part that was asked for.
package enum PartContent: Hashable, Sendable {
  /// A few feeds, all of them.
  case feeds([FeedEntry])
  /// Many, as the tags of the four quarters of a part: of the one asked for, or of a smaller one that holds all.
  case quarters(of: PartName?, [UInt32])
}

/// How a feed stands with somebody.
package struct FeedEntry: Hashable, Sendable {
  /// The first eight bytes of the hash of room and author.
  package var key: UInt64
  /// The highest sequence; of a forked feed the fork's.
  package var sequence: UInt64
  package var isForked: Bool
  /// Stands for the whole clock entry, under the message's salt.
  package var tag: UInt32

  package init(key: UInt64, sequence: UInt64, isForked: Bool = false, tag: UInt32) {
    self.key = key
    self.sequence = sequence
    self.isForked = isForked
    self.tag = tag
  }
}

/// Feeds and how they stand.
package struct Announcement: Hashable, Sendable {
  /// Why it is said.
  package enum Reason: UInt8, CaseIterable, Sendable {
    /// These are new here; somebody else may be pushing them already.
    case news = 0
    /// These differ from what the other was found to hold, or it lacks them.
    case difference = 1
    /// As a difference, and the other is to say its own since the agreed hash.
    case exchange = 2
  }

  package var reason: Reason
  package var salt: UInt64
  package var entries: [FeedEntry]

  package init(reason: Reason, salt: UInt64, entries: [FeedEntry]) {
    self.reason = reason
    self.salt = salt
    self.entries = entries
  }
}

/// What is wanted of a feed: everything after a sequence.
package struct Want: Hashable, Sendable {
  package var key: UInt64
  package var after: UInt64

  package init(key: UInt64, after: UInt64) {
    self.key = key
    self.after = after
  }
}

/// Runs of one room.
package struct RunsMessage: Hashable, Sendable {
  package var room: RoomID
  /// How many events of what was wanted of this room still follow.
  package var remaining: UInt64
  package var runs: [Run]

  package init(room: RoomID, remaining: UInt64 = 0, runs: [Run]) {
    self.room = room
    self.remaining = remaining
    self.runs = runs
  }
}

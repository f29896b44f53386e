package import BotKit
import EventLog
package import Events
package import Gossip

/// Makes up messages: each is well-formed, and nothing in it is so.
package struct Inventor {
  /// The most feeds that an answer has of one part.
  private static let limitFeeds = 16

  /// Whose key signs what needs a signature.
  package let signer: any Signer
  package let hasher: EventHasher
  /// Rooms that there are, whether the liar may know of them or not.
  package let rooms: [RoomID]
  package let peers: [PeerID]
  /// Events that the liar has seen, of which it makes others.
  package let seen: [Event]
  package var random: RandomStream

  package init(
    signer: any Signer, hasher: EventHasher, rooms: [RoomID], peers: [PeerID], seen: [Event],
    random: RandomStream
  ) {
    self.signer = signer
    self.hasher = hasher
    self.rooms = rooms
    self.peers = peers
    self.seen = seen
    self.random = random
  }

  /// Anything.
  package mutating func message() throws(FormatError) -> Message {
    switch random.below(16) {
    case 0...3: .have(announcement(of: random.draw(1...40)))
    case 4: .have(announcement(of: random.oneIn(4) ? Message.limitItems : 400))
    case 5: .digest(digest())
    case 6, 7: .want((0...random.below(40)).map { _ in want() })
    case 8: .fetch(room(), (0...random.below(8)).map { _ in EventID(bytes32()) })
    case 9: .ask(salt: random.next(), (0...random.below(16)).map { _ in part() })
    case 10: .interest(random.oneIn(4) ? nil : interest())
    case 11: .push(random.oneIn(2))
    case 12: try accusation() ?? .digest(digest())
    case 13: try orphan(in: EventID(bytes32()))
    default: try orphan(in: room())
    }
  }

  // MARK: - Clocks and requests

  private mutating func announcement(of count: Int) -> Announcement {
    let reason = random.pick(Announcement.Reason.allCases) ?? .news
    let salt = random.next()
    return Announcement(reason: reason, salt: salt, entries: (0..<count).map { _ in entry(key()) })
  }

  private mutating func interest() -> Interest {
    Interest(
      openGames: UInt8(random.below(4)),
      peers: (0..<random.below(4)).map { _ in
        .init(random.oneIn(2) ? random.next() : random.pick(peers)?.bytes.prefix64 ?? 0)
      },
      rooms: (0..<random.below(4)).map { _ in .init(RoomPrefix(room()), hops: UInt8(random.below(5))) })
  }

  private mutating func digest() -> DirectoryDigest {
    let root = random.oneIn(4) ? ShortHash.zero : ShortHash(high: random.next(), low: random.next())
    return DirectoryDigest(
      root: root, agreed: random.oneIn(2) ? random.next() : nil, asksForAnswer: random.oneIn(2))
  }

  private mutating func want() -> Want { Want(key: key(), after: random.oneIn(2) ? 0 : sequence()) }

  private mutating func entry(_ key: UInt64) -> FeedEntry {
    FeedEntry(
      key: key, sequence: sequence(), isForked: random.oneIn(4),
      tag: UInt32(truncatingIfNeeded: random.next() >> 40))
  }

  /// A number that a feed may have reached, or never will.
  private mutating func sequence() -> UInt64 {
    random.oneIn(8) ? random.next() >> UInt64(random.draw(1...60)) : random.time(1...60)
  }

  /// The key of a feed that there is, that there could be, or of none.
  private mutating func key() -> UInt64 {
    guard !random.oneIn(3), let peer = random.pick(peers) else { return random.next() }
    return Self.key(of: room(), by: peer)
  }

  /// What names a feed between peers (Docs/PROTOCOL.md §7.1).
  static func key(of room: RoomID, by author: PeerID) -> UInt64 {
    var hash = Blake2b(domain: "parlor-feed-1")
    hash.update(room)
    hash.update(author)
    return room.bytes.prefix64 & 0xFFFF_FFFF_0000_0000 | hash.digest().prefix64 >> 32
  }

  // MARK: - Answers

  /// What it says that it holds of parts that somebody asked for.
  mutating func answer(_ parts: [PartName], salt: UInt64) -> Message {
    .parts(salt: salt, parts.map { content(of: $0) })
  }

  private mutating func content(of part: PartName) -> PartContent {
    if random.oneIn(2) {
      let tags = (0..<4).map { _ in
        random.oneIn(3) ? 0 : UInt32(truncatingIfNeeded: random.next() >> 40)
      }
      return .quarters(of: random.oneIn(4) ? self.part() : nil, tags)
    }
    // Keys of that part, so that they are believed to belong there.
    let bits = 2 * UInt64(part.depth)
    let mask = bits == 0 ? 0 : ~UInt64(0) << (64 - min(bits, 64))
    return .feeds(
      (0..<random.below(Self.limitFeeds)).map { _ in
        entry(part.bits & mask | key() & ~mask)
      })
  }

  private mutating func part() -> PartName {
    let depth = random.draw(0...32)
    let bits = depth == 0 ? 0 : random.next() & ~UInt64(0) << UInt64(64 - 2 * depth)
    return PartName(trie: UInt8(random.below(3)), bits: bits, depth: UInt8(depth))
  }

  // MARK: - Events

  /// An event of the liar's own that names others which nobody has seen.
  private mutating func orphan(in room: RoomID) throws(FormatError) -> Message {
    let sequence = random.oneIn(2) ? 1 : random.time(2...40)
    var parents: [EventID] = []
    for _ in 0...random.below(4) { parents.append(EventID(bytes32())) }
    let event = try Event.author(
      .chat("made up \(random.below(1_000))"), room: room, author: signer.peer, sequence: sequence,
      previous: sequence == 1 ? .none : EventID(bytes32()), parents: parents.sorted(),
      wallTime: random.next() >> 20, hasher: hasher)
    return runs([event], in: room, signature: signer.sign(event.id))
  }

  /// A word of the liar's in a room that is none of its own.
  mutating func intrusion(in room: RoomID) throws(FormatError) -> Message {
    let event = try Event.author(
      .chat("intruder \(random.below(4))"), room: room, author: signer.peer, sequence: 1, previous: .none,
      parents: [], wallTime: 0, hasher: hasher)
    return runs([event], in: room, signature: signer.sign(event.id))
  }

  /// Another event in place of one that somebody else wrote: signed by the liar, or not at all.
  private mutating func accusation() throws(FormatError) -> Message? {
    guard let victim = random.pick(seen.filter { $0.author != signer.peer && $0.sequence > 1 }) else {
      return nil
    }
    let event = try Event.author(
      .chat("never said \(random.below(1_000))"), room: victim.room, author: victim.author,
      sequence: victim.sequence, previous: victim.previous, parents: [], wallTime: victim.wallTime,
      hasher: hasher)
    let nothing = Signature([UInt8](repeating: 0, count: 64))
    return runs(
      [event], in: victim.room,
      signature: random.oneIn(2) ? signer.sign(event.id) : nothing ?? signer.sign(event.id))
  }

  private func runs(_ events: [Event], in room: RoomID, signature: Signature) -> Message {
    .runs(RunsMessage(room: room, runs: [Run(events: events, signature: signature)]))
  }

  private mutating func room() -> RoomID { random.pick(rooms) ?? EventID(bytes32()) }

  private mutating func bytes32() -> Bytes32 { Bytes32(random.bytes(32), at: 0) }
}

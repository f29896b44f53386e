/// Makes the events of a room again, one after the other, from records in the order in which they were written
/// (Docs/PROTOCOL.md §6.1).
package struct RecordReader: Sendable {
  private struct Feed: Sendable {
    let author: PeerID
    var last: EventID
    var sequence: UInt64
  }

  private let room: RoomID
  private let hasher: EventHasher
  private var ids: [EventID] = []
  private var feeds: [Feed] = []
  private var numbers = FeedNumbers()
  /// Ids that the last record writes out. Where one is that of an event before it, the record is not in its one form.
  package private(set) var writtenOut: [EventID] = []
  /// The wall time of the last event.
  private var wallTime: UInt64 = 0
  /// The last event: its id, and behind it the body, in memory for the longest one.
  private var bytes = [UInt8](repeating: 0, count: 32 + Event.limitBytes)
  private var bodyBytes = 0
  /// The sum of the first eight bytes of all ids, modulo 2⁶⁴.
  package private(set) var sum: UInt64 = 0

  /// A reader of a room's records from the first one on.
  package init(room: RoomID, hasher: EventHasher, capacity: Int = 0) {
    self.room = room
    self.hasher = hasher
    ids.reserveCapacity(capacity)
  }

  /// How many events were made.
  package var count: Int { ids.count }

  /// The event that was made last, whose id was computed from its body.
  /// - Throws: when it is not in canonical form.
  package var view: EventView {
    @_lifetime(borrow self)
    borrowing get throws(FormatError) {
      try EventView(idAndBody: bytes.rawSpan.extracting(0..<32 + bodyBytes))
    }
  }

  /// The event that was made last, as a value of its own.
  /// - Throws: when it is not in canonical form.
  package var event: Event { get throws(FormatError) { try view.event } }

  /// Makes the event of the next record.
  package mutating func read(_ record: borrowing [UInt8]) throws(FormatError) { try read(record.rawSpan) }

  /// Makes the event of the next record.
  package mutating func read(_ record: RawSpan) throws(FormatError) {
    var reader = ByteReader(record)
    let at = reader.offset
    let number = try reader.number()
    guard number <= UInt64(feeds.count) else {
      throw .badField("feed number \(number) of \(feeds.count)", at: at)
    }
    let feed = Int(number)
    let opens = feed == feeds.count
    let author = opens ? try reader.identifier(PeerID.self) : feeds[feed].author
    guard !opens || numbers[author] == nil else { throw .badField("a feed is opened twice", at: at) }
    let chain = opens ? (1, .none) : (feeds[feed].sequence &+ 1, feeds[feed].last)
    if !writtenOut.isEmpty { writtenOut = [] }
    bodyBytes = try Self.write(&reader, author, room, chain, wallTime, ids, &writtenOut, to: &bytes)
    note(author, feed)
  }

  /// Makes the body again of what a record says behind the author.
  /// - Parameter ids: those of all events before.
  /// - Returns: how many bytes it has.
  @inline(__always)
  private static func write(
    _ reader: inout ByteReader, _ author: PeerID, _ room: RoomID, _ chain: (UInt64, EventID),
    _ wallTime: UInt64,
    _ ids: borrowing [EventID], _ writtenOut: inout [EventID], to bytes: inout [UInt8]
  ) throws(FormatError) -> Int {
    try bytes.withBodyWriter(at: 32) { body throws(FormatError) in
      try RecordCoder.writeBody(
        &reader, author: author, room: room, chain: (chain.0, chain.1), after: wallTime, to: &body
      ) { reader throws(FormatError) in
        let at = reader.offset
        let number = try reader.number()
        guard number <= UInt64(ids.count) else {
          throw .badField("the event \(number) places before, of \(ids.count)", at: at)
        }
        guard number == 0 else { return ids[ids.count &- Int(number)] }
        let id: EventID = try reader.identifier()
        if id.isSome { writtenOut.append(id) }
        return id
      }
    }
  }

  /// Notes the event that was made.
  private mutating func note(_ author: PeerID, _ feed: Int) {
    let id = hasher.id(ofBody: bytes.rawSpan.extracting(32..<32 + bodyBytes))
    bytes.set(id, at: 0)
    ids.append(id)
    sum &+= id.bytes.prefix64
    let sequence: UInt64 = bytes.rawSpan.number(at: 32 + EventHeader.sequenceOffset)
    wallTime = bytes.rawSpan.number(at: 32 + EventHeader.wallTimeOffset)
    if feed == feeds.count {
      _ = numbers.add(author)
      feeds.append(Feed(author: author, last: id, sequence: sequence))
    } else {
      (feeds[feed].last, feeds[feed].sequence) = (id, sequence)
    }
  }
}

/// What a record says, read where it lies: what it names are positions, and no id is computed.
package struct RecordFields: ~Escapable {
  /// The event's position in its room.
  package let position: Int
  /// The number of its author's feed, in the order of first events.
  package let feed: Int
  /// Whether the event opens that feed.
  package let opensFeed: Bool
  /// The number of its kind.
  package let code: UInt8
  /// Whether it goes on from the feed's event that was written last.
  package let goesOn: Bool
  /// How many parents it names.
  package let parentCount: Int
  private let hasReferences: Bool
  private let parentsAt: Int
  private let payloadAt: Int
  private let record: RawSpan

  /// What stands for an event that is not in the room.
  private static var stranger: Int { -1 }

  /// Reads the record of the event at a position, before which so many feeds are open.
  @inline(__always)
  @_lifetime(copy record)
  package init(_ record: RawSpan, at position: Int, feeds: Int) throws(FormatError) {
    var reader = ByteReader(record)
    let number = try reader.number()
    guard number <= UInt64(feeds) else { throw .badField("feed number \(number) of \(feeds)", at: 0) }
    feed = Int(number)
    opensFeed = feed == feeds
    if opensFeed { try reader.skip(32) }
    code = try reader.integer()
    let links = RecordCoder.Links(try reader.integer())
    goesOn = links.goOn
    if !goesOn {
      _ = try reader.number()
      _ = try Self.reference(&reader, from: position)
    }
    parentCount = links.parents
    hasReferences = links.refers
    parentsAt = reader.offset
    for _ in 0..<links.parents { _ = try Self.reference(&reader, from: position) }
    _ = try reader.number()
    payloadAt = reader.offset
    self.position = position
    self.record = record
  }

  @inline(__always)
  private static func reference(_ reader: inout ByteReader, from position: Int) throws(FormatError) -> Int {
    let at = reader.offset
    let number = try reader.number()
    guard number <= UInt64(position) else {
      throw .badField("the event \(number) places before, of \(position)", at: at)
    }
    guard number == 0 else { return position &- Int(number) }
    try reader.skip(32)
    return stranger
  }

  /// Whether all parents, by position, pass a test.
  @inline(__always)
  package func allParents(_ test: (Int) -> Bool) -> Bool {
    var reader = ByteReader(record, from: parentsAt)
    for _ in 0..<parentCount {
      do throws(FormatError) {
        guard test(try Self.reference(&reader, from: position)) else { return false }
      } catch { return false }
    }
    return true
  }

  /// The move that stands on the event at a position as this ply of this game; `nil` for another move or kind.
  @inline(__always)
  package func move(on node: Int, game: Int, ply: Int) -> Move? {
    guard code == Kind.move.rawValue, hasReferences else { return nil }
    var payload = ByteReader(record, from: payloadAt)
    do throws(FormatError) {
      guard Int(try payload.integer(UInt16.self)) == game, Int(try payload.integer(UInt16.self)) == ply,
        try Self.reference(&payload, from: position) == node
      else { return nil }
      let move = try Move(&payload)
      try payload.end()
      return move
    } catch { return nil }
  }

  /// What a seat signed of a game: the game, the position of the event that ended it, and the scores; `nil` for
  /// another kind, or what cannot be read.
  package var result: (game: Int, ending: Int, scores: [Int32])? {
    guard code == Kind.result.rawValue, hasReferences else { return nil }
    var payload = ByteReader(record, from: payloadAt)
    do throws(FormatError) {
      let game: UInt16 = try payload.integer()
      let ending = try Self.reference(&payload, from: position)
      let scores = try Action.scores(&payload)
      try payload.end()
      return (Int(game), ending, scores)
    } catch { return nil }
  }
}

/// Writes and reads events of one room as records (Docs/PROTOCOL.md §6.1): short, because what an event names stands
/// before it in the same sequence.
///
/// A coder goes along with the graph of the sequence so far, which writer and reader both have: each event is written
/// or read, added to the graph, and then noted here.
package struct RecordCoder: Sendable {
  /// The most bytes of a record.
  package static let limitBytes = 8_448

  /// An event as its record gives it.
  package struct Decoded: Hashable, Sendable {
    /// The body, whose form was not checked.
    package var body: [UInt8] = []
    /// Ids that the record writes out. Where one is that of an event of the sequence, the record is not in its one
    /// form.
    package var writtenOut: [EventID] = []
  }

  /// The position of each feed's last event in the sequence, by the feed's number.
  private var ends: [Int] = []
  /// The wall time of the last event.
  private var wallTime: UInt64 = 0

  /// A coder for a sequence that begins.
  package init() {}

  /// Notes the event that was added to the graph last.
  package mutating func note(_ event: Event, in graph: borrowing CausalGraph) {
    let position = graph.count - 1
    let feed = graph.feed(position)
    if feed == ends.count { ends.append(position) } else { ends[feed] = position }
    wallTime = event.wallTime
  }

  /// Where ids of events of the room stand in the payload of an event of this kind, whether it can be read or not.
  private static func references(of code: UInt8) -> [Int] {
    switch Kind(rawValue: code) {
    case .grant, .resign, .undoRequest, .undoAccept, .leave, .claim, .ruling, .drawOffer, .drawDecline: [0]
    case .drawAccept: [0, 32]
    case .result: [2]
    case .move, .commit, .reveal: [4]
    case .create, .request, .ready, .draw, .start, .chat, .pairingResult, .invite, nil: []
    }
  }

  /// The sequence of the next event of a feed, by its number, and the event before that.
  private func chain(of feed: Int, in graph: borrowing CausalGraph) -> (sequence: UInt64, previous: EventID) {
    guard feed < ends.count else { return (1, .none) }
    return (graph.sequence(ends[feed]) &+ 1, graph.id(ends[feed]))
  }
}

// MARK: - Writing

extension RecordCoder {
  /// Appends the record of an event that is next in the sequence.
  /// - Parameter graph: what stands before it, with an index.
  package func append(_ event: Event, in graph: borrowing CausalGraph, to bytes: inout [UInt8]) {
    let known = graph.number(of: event.author)
    let feed = known ?? graph.feeds.count
    bytes.append(number: UInt64(feed))
    if known == nil { bytes.append(event.author) }
    bytes.append(event.code)
    let payload = event.header.payloadOffset
    let references = Self.references(of: event.code)
    let refers = references.last.map { event.bodyBytes - payload >= $0 + 32 } ?? false
    let goesOn = chain(of: feed, in: graph) == (event.sequence, event.previous)
    bytes.append(UInt8(truncatingIfNeeded: event.parentCount) << 2 | (refers ? 2 : 0) | (goesOn ? 0 : 1))
    if !goesOn {
      bytes.append(number: event.sequence)
      append(event.previous, in: graph, to: &bytes)
    }
    for number in 0..<event.parentCount { append(event.parent(number), in: graph, to: &bytes) }
    let difference = Int64(bitPattern: event.wallTime &- wallTime)
    bytes.append(number: UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
    var from = payload
    for reference in refers ? references : [] {
      bytes.append(contentsOf: event.bodySpan.extracting(from..<payload + reference))
      append(EventID(Bytes32(event.bodySpan, at: payload + reference)), in: graph, to: &bytes)
      from = payload + reference + 32
    }
    bytes.append(contentsOf: event.bodySpan.extracting(droppingFirst: from))
  }

  private func append(_ id: EventID, in graph: borrowing CausalGraph, to bytes: inout [UInt8]) {
    if let position = graph.position(of: id) {
      bytes.append(number: UInt64(graph.count - position))
    } else {
      bytes.append(0)
      bytes.append(id)
    }
  }
}

// MARK: - Reading

extension RecordCoder {
  /// Makes the body again of the event that is next in the sequence.
  /// - Parameters:
  ///   - room: the room of the sequence.
  ///   - graph: what stands before it.
  /// - Throws: unless the record is in its one form, as far as `Decoded.writtenOut` does not say otherwise.
  package func decode(
    _ record: [UInt8], room: RoomID, in graph: borrowing CausalGraph
  ) throws(FormatError) -> Decoded {
    var reader = ByteReader(record)
    var decoded = Decoded()
    let (author, feed) = try author(&reader, in: graph)
    let code: UInt8 = try reader.integer()
    let linksAt = reader.offset
    let links: UInt8 = try reader.integer()
    guard links >> 2 <= Event.limitParents else {
      throw .badField("\(links >> 2) parents", at: linksAt)
    }
    var chain = chain(of: feed, in: graph)
    if links & 1 == 1 {
      let written = (
        sequence: try reader.number(), previous: try reference(&reader, in: graph, &decoded.writtenOut)
      )
      guard written != chain else { throw .badField("a chain that goes on is written out", at: linksAt) }
      chain = written
    }
    decoded.body.reserveCapacity(EventHeader.parentsOffset + 32 * Int(links >> 2) + record.count + 64)
    decoded.body.append(contentsOf: [Event.version, code])
    decoded.body.append(code == Kind.create.rawValue ? RoomID.none : room)
    decoded.body.append(author)
    decoded.body.append(bigEndian: chain.sequence)
    decoded.body.append(chain.previous)
    let timeAt = decoded.body.count
    decoded.body.append(bigEndian: UInt64(0))
    decoded.body.append(links >> 2)
    for _ in 0..<links >> 2 {
      decoded.body.append(try reference(&reader, in: graph, &decoded.writtenOut))
    }
    let time = try reader.number()
    var wallTime: [UInt8] = []
    wallTime.append(bigEndian: self.wallTime &+ (time >> 1 ^ (0 &- (time & 1))))
    decoded.body.replaceSubrange(timeAt..<timeAt + 8, with: wallTime)
    try readPayload(&reader, of: code, refers: links & 2 == 2, linksAt: linksAt, in: graph, to: &decoded)
    return decoded
  }

  private func author(
    _ reader: inout ByteReader, in graph: borrowing CausalGraph
  ) throws(FormatError) -> (author: PeerID, feed: Int) {
    let at = reader.offset
    let number = try reader.number()
    guard let feed = Int(exactly: number), feed <= graph.feeds.count else {
      throw .badField("feed number \(number) of \(graph.feeds.count)", at: at)
    }
    guard feed == graph.feeds.count else { return (graph.feeds[feed].author, feed) }
    let author: PeerID = try reader.identifier()
    guard graph.number(of: author) == nil else { throw .badField("a feed is opened twice", at: at) }
    return (author, feed)
  }

  private func reference(
    _ reader: inout ByteReader, in graph: borrowing CausalGraph, _ writtenOut: inout [EventID]
  ) throws(FormatError) -> EventID {
    let at = reader.offset
    let number = try reader.number()
    guard number <= UInt64(graph.count) else {
      throw .badField("the event \(number) places before, of \(graph.count)", at: at)
    }
    guard number == 0 else { return graph.id(graph.count - Int(number)) }
    let id: EventID = try reader.identifier()
    if id.isSome { writtenOut.append(id) }
    return id
  }

  /// Reads the payload, and writes it behind its length.
  private func readPayload(
    _ reader: inout ByteReader, of code: UInt8, refers: Bool, linksAt: Int, in graph: borrowing CausalGraph,
    to decoded: inout Decoded
  ) throws(FormatError) {
    let references = Self.references(of: code)
    guard !refers || !references.isEmpty else {
      throw .badField("references in a payload of kind \(code)", at: linksAt)
    }
    let lengthAt = decoded.body.count
    decoded.body.append(contentsOf: [0, 0])
    var from = 0
    for offset in refers ? references : [] {
      decoded.body.append(contentsOf: try reader.take(offset - from))
      decoded.body.append(try reference(&reader, in: graph, &decoded.writtenOut))
      from = offset + 32
    }
    decoded.body.append(contentsOf: try reader.take(reader.remaining))
    let count = decoded.body.count - lengthAt - 2
    if !refers, let last = references.last, count >= last + 32 {
      throw .badField("ids in a payload of kind \(code) are written out", at: linksAt)
    }
    guard count <= Int(UInt16.max) else { throw .tooLong(count, limit: Int(UInt16.max)) }
    decoded.body[lengthAt] = UInt8(count >> 8)
    decoded.body[lengthAt + 1] = UInt8(count & 255)
  }
}

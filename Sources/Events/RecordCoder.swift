/// Writes events of one room as records (Docs/PROTOCOL.md §6.1): short, because what an event names stands before it in
/// the same sequence. `RecordReader` makes them again.
package enum RecordCoder {
  /// The most bytes of a record.
  package static let limitBytes = 8_448

  /// What the byte behind the kind says.
  struct Links {
    private let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    init(parents: Int, refers: Bool, goOn: Bool) {
      byte = UInt8(truncatingIfNeeded: parents) << 2 | (refers ? 2 : 0) | (goOn ? 0 : 1)
    }

    /// How many parents the event has.
    var parents: Int { Int(byte >> 2) }
    /// Whether the payload has references.
    var refers: Bool { byte & 2 == 2 }
    /// Whether sequence and previous follow from what went before.
    var goOn: Bool { byte & 1 == 0 }
    var value: UInt8 { byte }
  }

  /// Where ids of events of the room stand in the payload of an event of this kind, whether it can be read or not.
  static func references(of code: UInt8) -> [Int] {
    switch Kind(rawValue: code) {
    case .grant, .resign, .undoRequest, .undoAccept, .leave, .claim, .ruling, .drawOffer, .drawDecline,
      .revoke:
      [0]
    case .drawAccept: [0, 32]
    case .entry, .receipts, .marks, .roundClose, .settle, .entryProof: [0]
    case .result: [2]
    case .move, .commit, .reveal: [4]
    case .create, .request, .ready, .draw, .start, .chat, .pairingResult, .invite, .joinProof, .joinRefusal,
      .roundOpen, .carry, .disqualify, nil:
      []
    }
  }
}

// MARK: - Writing

extension RecordCoder {
  /// Appends the record of the event at a position of a graph that keeps its events, in their order.
  package static func append(at position: Int, of graph: borrowing CausalGraph, to bytes: inout [UInt8]) {
    let event = graph.events[position]
    let before = graph.lastOfFeed(before: position)
    bytes.append(number: UInt64(graph.feed(position)))
    if before == nil { bytes.append(event.author) }
    let chain = before.map { (graph.sequence($0) &+ 1, graph.id($0)) } ?? (1, .none)
    let time = position > 0 ? graph.events[position - 1].wallTime : 0
    append(event, goesOn: chain == (event.sequence, event.previous), after: time, in: graph, to: &bytes) {
      id, graph, bytes in
      // A payload may name an event that came later.
      if let named = graph.position(of: id, before: position) {
        bytes.append(number: UInt64(position - named))
      } else {
        bytes.append(0)
        bytes.append(id)
      }
    }
  }

  /// Appends what a record says behind the author.
  /// - Parameters:
  ///   - goesOn: whether sequence and previous follow from what went before.
  ///   - wallTime: that of the event before.
  ///   - graph: what names are looked up in. A closure that refers to it would copy it.
  ///   - reference: writes the name of an event.
  package static func append(
    _ event: Event, goesOn: Bool, after wallTime: UInt64, in graph: borrowing CausalGraph,
    to bytes: inout [UInt8], reference: (EventID, borrowing CausalGraph, inout [UInt8]) -> Void
  ) {
    let payload = event.header.payloadOffset
    let references = references(of: event.code)
    let refers = references.last.map { event.bodyBytes - payload >= $0 + 32 } ?? false
    bytes.append(event.code)
    bytes.append(Links(parents: event.parentCount, refers: refers, goOn: goesOn).value)
    if !goesOn {
      bytes.append(number: event.sequence)
      reference(event.previous, graph, &bytes)
    }
    for number in 0..<event.parentCount { reference(event.parent(number), graph, &bytes) }
    let difference = Int64(bitPattern: event.wallTime &- wallTime)
    bytes.append(number: UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
    var from = payload
    for offset in refers ? references : [] {
      bytes.append(contentsOf: event.bodySpan.extracting(from..<payload + offset))
      reference(EventID(Bytes32(event.bodySpan, at: payload + offset)), graph, &bytes)
      from = payload + offset + 32
    }
    bytes.append(contentsOf: event.bodySpan.extracting(droppingFirst: from))
  }
}

// MARK: - Reading

extension RecordCoder {
  /// Makes the body again of what a record says behind the author, to its end; its form is not checked.
  /// - Parameters:
  ///   - chain: sequence and previous of an event that goes on from what went before.
  ///   - wallTime: that of the event before.
  ///   - reference: reads the name of an event.
  package static func body(
    _ reader: inout ByteReader, author: PeerID, room: RoomID, chain: (sequence: UInt64, previous: EventID),
    after wallTime: UInt64, reference: (inout ByteReader) throws(FormatError) -> EventID
  ) throws(FormatError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Event.limitBytes)
    let count = try bytes.withBodyWriter(at: 0) { body throws(FormatError) in
      try writeBody(
        &reader, author: author, room: room, chain: chain, after: wallTime, to: &body, reference: reference)
    }
    return Array(bytes[..<count])
  }

  /// The same into memory that is set aside.
  @inline(__always)
  static func writeBody(
    _ reader: inout ByteReader, author: PeerID, room: RoomID, chain: (sequence: UInt64, previous: EventID),
    after wallTime: UInt64, to body: inout BodyWriter,
    reference: (inout ByteReader) throws(FormatError) -> EventID
  ) throws(FormatError) {
    let code: UInt8 = try reader.integer()
    let linksAt = reader.offset
    let links = Links(try reader.integer())
    guard links.parents <= Event.limitParents else {
      throw .badField("\(links.parents) parents", at: linksAt)
    }
    var chain = chain
    if !links.goOn {
      let written = (sequence: try reader.number(), previous: try reference(&reader))
      guard written != chain else { throw .badField("a chain that goes on is written out", at: linksAt) }
      chain = written
    }
    body.append(Event.version)
    body.append(code)
    body.append(code == Kind.create.rawValue ? RoomID.none : room)
    body.append(author)
    body.append(bigEndian: chain.sequence)
    body.append(chain.previous)
    let timeAt = body.count
    body.append(bigEndian: UInt64(0))
    body.append(UInt8(links.parents))
    for _ in 0..<links.parents { body.append(try reference(&reader)) }
    body.set(bigEndian: wallTime &+ (try difference(&reader)), at: timeAt)
    let lengthAt = body.count
    body.append(bigEndian: UInt16(0))
    let references = references(of: code)
    guard !links.refers || !references.isEmpty else {
      throw .badField("references in a payload of kind \(code)", at: linksAt)
    }
    if links.refers {
      for offset in references {
        try reader.take(offset - (body.count - lengthAt - 2), to: &body)
        body.append(try reference(&reader))
      }
    }
    try reader.take(reader.remaining, to: &body)
    let length = body.count - lengthAt - 2
    guard body.isWhole else { throw .tooLong(body.count, limit: Event.limitBytes) }
    if !links.refers, let last = references.last, length >= last + 32 {
      throw .badField("ids in a payload of kind \(code) are written out", at: linksAt)
    }
    body.set(bigEndian: UInt16(truncatingIfNeeded: length), at: lengthAt)
  }

  /// What the wall time is more than that of the event before, modulo 2⁶⁴.
  @inline(__always)
  private static func difference(_ reader: inout ByteReader) throws(FormatError) -> UInt64 {
    let number = try reader.number()
    return number >> 1 ^ (0 &- (number & 1))
  }
}

package import Events

extension Message {
  /// The longest message, in bytes: a run of the longest kind and what goes around it.
  package static let limitBytes = 131_072
  /// The most parts, entries or wants in one message.
  package static let limitItems = 4_096

  fileprivate enum Code: UInt8 {
    case digest = 1
    case ask = 2
    case parts = 3
    case have = 4
    case want = 5
    case runs = 6
    case fetch = 7
    case push = 8
    case interest = 9
    case next = 10
  }

  /// The message in its one binary form.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .digest(let digest):
      bytes.append(Code.digest.rawValue)
      digest.encode(to: &bytes)
    case .ask(let salt, let parts):
      bytes.begin(.ask, salt: salt, count: parts.count)
      for part in parts { part.encode(to: &bytes) }
    case .parts(let salt, let parts):
      bytes.begin(.parts, salt: salt, count: parts.count)
      for part in parts { part.encode(to: &bytes) }
    case .have(let announcement):
      bytes.begin(.have, salt: announcement.salt, count: announcement.entries.count)
      bytes.append(announcement.reason.rawValue)
      for entry in announcement.entries { entry.encode(to: &bytes) }
    case .want(let wants):
      bytes.append(Code.want.rawValue)
      bytes.append(number: UInt64(wants.count))
      for want in wants {
        bytes.append(bigEndian: want.key)
        bytes.append(number: want.after)
      }
    case .runs(let message): message.encode(to: &bytes)
    case .next(let events): events.encode(to: &bytes)
    case .fetch(let room, let ids):
      bytes.append(Code.fetch.rawValue)
      bytes.append(room)
      bytes.append(number: UInt64(ids.count))
      for id in ids { bytes.append(id) }
    case .push(let isWanted):
      bytes.append(Code.push.rawValue)
      bytes.append(isWanted ? 1 : 0)
    case .interest(let interest):
      bytes.append(Code.interest.rawValue)
      Interest.append(interest, to: &bytes)
    }
    return bytes
  }

  /// Reads a message; whatever bytes come, it reads them or throws.
  package init(decoding bytes: [UInt8], hasher: EventHasher) throws(FormatError) {
    guard bytes.count <= Self.limitBytes else { throw .tooLong(bytes.count, limit: Self.limitBytes) }
    var reader = ByteReader(bytes)
    let first = try reader.integer(UInt8.self)
    guard let code = Code(rawValue: first) else { throw .badField("message type \(first)", at: 0) }
    self = try Self.read(code, &reader, hasher)
    try reader.end()
  }

  private static func read(
    _ code: Code, _ reader: inout ByteReader, _ hasher: EventHasher
  ) throws(FormatError) -> Message {
    switch code {
    case .digest: return .digest(try DirectoryDigest(&reader))
    case .ask:
      let salt = try reader.integer(UInt64.self)
      return .ask(salt: salt, try reader.list { r throws(FormatError) in try PartName(&r) })
    case .parts:
      let salt = try reader.integer(UInt64.self)
      return .parts(salt: salt, try reader.list { r throws(FormatError) in try PartContent(&r) })
    case .have: return .have(try Announcement(&reader))
    case .want:
      return .want(
        try reader.list { r throws(FormatError) in Want(key: try r.integer(), after: try r.number()) })
    case .runs: return .runs(try RunsMessage(&reader, hasher))
    case .next: return .next(try NextEvents(&reader))
    case .fetch:
      let room: RoomID = try reader.identifier()
      return .fetch(room, try reader.list { r throws(FormatError) in try r.identifier() })
    case .push: return .push(try reader.flag())
    case .interest: return .interest(try Interest.read(&reader))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func begin(_ code: Message.Code, salt: UInt64, count: Int) {
    append(code.rawValue)
    append(bigEndian: salt)
    append(number: UInt64(count))
  }

  /// Appends the three bytes of a tag.
  fileprivate mutating func append(tag: UInt32) {
    append(UInt8(truncatingIfNeeded: tag >> 16))
    append(bigEndian: UInt16(truncatingIfNeeded: tag))
  }

  fileprivate mutating func append(_ hash: ShortHash) {
    append(bigEndian: hash.high)
    append(bigEndian: hash.low)
  }
}

extension ByteReader {
  /// A list with its count in front.
  fileprivate mutating func list<Element>(
    limit: Int = Message.limitItems, _ element: (inout ByteReader) throws(FormatError) -> Element
  ) throws(FormatError) -> [Element] {
    let start = offset
    let count = try number()
    guard count <= limit else { throw .badField("a list of \(count)", at: start) }
    // Nothing is set aside for what was only promised.
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try element(&self)) }
    return elements
  }

  fileprivate mutating func tag() throws(FormatError) -> UInt32 {
    UInt32(try integer(UInt8.self)) << 16 | UInt32(try integer(UInt16.self))
  }

  fileprivate mutating func shortHash() throws(FormatError) -> ShortHash {
    ShortHash(high: try integer(), low: try integer())
  }
}

extension DirectoryDigest {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append((asksForAnswer ? 1 : 0) | (agreed == nil ? 0 : 2))
    bytes.append(root)
    if let agreed { bytes.append(bigEndian: agreed) }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let start = reader.offset
    let flags = try reader.integer(UInt8.self)
    guard flags < 4 else { throw .badField("flags \(flags)", at: start) }
    let root = try reader.shortHash()
    self.init(
      root: root, agreed: flags & 2 == 0 ? nil : try reader.integer(), asksForAnswer: flags & 1 == 1)
  }
}

extension PartName {
  /// A byte that holds the trie and the depth, and as many bytes of the bits as the depth needs.
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(trie << 6 | depth)
    for index in 0..<Self.byteCount(depth) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(index))))
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let start = reader.offset
    let first = try reader.integer(UInt8.self)
    let depth = first & 63
    guard first >> 6 < 3, depth <= HashTrie.Prefix.limitDepth else {
      throw .badField("part \(first)", at: start)
    }
    var bits: UInt64 = 0
    for index in 0..<Self.byteCount(depth) {
      bits |= UInt64(try reader.integer(UInt8.self)) << (56 - 8 * UInt64(index))
    }
    let isCanonical = depth == 32 || bits << (2 * UInt64(depth)) == 0
    guard isCanonical else { throw .badField("bits beyond the depth", at: start) }
    self.init(trie: first >> 6, bits: bits, depth: depth)
  }

  private static func byteCount(_ depth: UInt8) -> Int { (Int(depth) + 3) / 4 }

  var prefix: HashTrie.Prefix { HashTrie.Prefix(bits: bits, depth: depth) }

  init(trie: Int, _ prefix: HashTrie.Prefix) {
    self.init(trie: UInt8(trie), bits: prefix.bits, depth: prefix.depth)
  }
}

extension PartContent {
  /// Says that the quarters of the part asked for follow; the next number, of a smaller part.
  private static let quartersMark: UInt8 = 254
  /// The most feeds that are listed in one content.
  static let limitFeeds = 16

  fileprivate func encode(to bytes: inout [UInt8]) {
    switch self {
    case .quarters(let part, let tags):
      bytes.append(part == nil ? Self.quartersMark : Self.quartersMark + 1)
      part?.encode(to: &bytes)
      for tag in tags { bytes.append(tag: tag) }
    case .feeds(let entries):
      bytes.append(UInt8(truncatingIfNeeded: entries.count))
      for entry in entries { entry.encode(to: &bytes) }
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let count = try reader.integer(UInt8.self)
    guard count >= Self.quartersMark else {
      var entries: [FeedEntry] = []
      for _ in 0..<count { entries.append(try FeedEntry(&reader)) }
      self = .feeds(entries)
      return
    }
    let part = count == Self.quartersMark ? nil : try PartName(&reader)
    var tags: [UInt32] = []
    for _ in 0..<4 { tags.append(try reader.tag()) }
    self = .quarters(of: part, tags)
  }
}

extension FeedEntry {
  /// The most of a sequence that has room beside the mark.
  private static let limitSequence = UInt64.max >> 1

  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: key)
    bytes.append(number: (sequence & Self.limitSequence) << 1 | (isForked ? 1 : 0))
    bytes.append(tag: tag)
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let key = try reader.integer(UInt64.self)
    let start = reader.offset
    let marked = try reader.number()
    guard marked > 1 else { throw .badField("a feed without an event", at: start) }
    self.init(key: key, sequence: marked >> 1, isForked: marked & 1 == 1, tag: try reader.tag())
  }
}

extension Announcement {
  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    salt = try reader.integer()
    let start = reader.offset
    let count = try reader.number()
    guard count <= Message.limitItems else { throw .badField("a list of \(count)", at: start) }
    let reasonAt = reader.offset
    let value = try reader.integer(UInt8.self)
    guard let reason = Reason(rawValue: value) else { throw .badField("reason \(value)", at: reasonAt) }
    self.reason = reason
    entries = []
    for _ in 0..<count { entries.append(try FeedEntry(&reader)) }
  }
}

extension RunsMessage {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(Message.Code.runs.rawValue)
    bytes.append(room)
    bytes.append(number: remaining)
    bytes.append(number: UInt64(runs.count))
    for run in runs {
      bytes.append(number: UInt64(run.events.count))
      for event in run.events {
        bytes.append(bigEndian: UInt16(truncatingIfNeeded: event.bodyBytes))
        event.append(to: &bytes, withID: false)
      }
      bytes.append(contentsOf: run.signature.bytes)
    }
  }

  fileprivate init(_ reader: inout ByteReader, _ hasher: EventHasher) throws(FormatError) {
    room = try reader.identifier()
    remaining = try reader.number()
    runs = try reader.list { r throws(FormatError) in try Self.run(&r, hasher) }
  }

  private static func run(_ reader: inout ByteReader, _ hasher: EventHasher) throws(FormatError) -> Run {
    let start = reader.offset
    let count = try reader.number()
    guard count >= 1, count <= Run.limitEvents else { throw .badField("a run of \(count)", at: start) }
    var events: [Event] = []
    for _ in 0..<count {
      let length = Int(try reader.integer(UInt16.self))
      guard length <= Event.limitBytes else { throw .tooLong(length, limit: Event.limitBytes) }
      events.append(try Event(body: try reader.take(length), hasher: hasher))
    }
    guard let signature = Signature(try reader.take(64)) else { throw .truncated(at: reader.offset) }
    return Run(events: events, signature: signature)
  }
}

extension NextEvents {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.append(Message.Code.next.rawValue)
    bytes.append(bigEndian: key)
    bytes.append(number: after)
    bytes.append(number: UInt64(records.count))
    for record in records {
      bytes.append(number: UInt64(record.count))
      bytes += record
    }
    bytes.append(contentsOf: signature.bytes)
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    key = try reader.integer()
    let start = reader.offset
    after = try reader.number()
    let count = try reader.number()
    guard (1...Feed.limitSequence).contains(after), (1...UInt64(Self.limitEvents)).contains(count) else {
      throw .badField("\(count) events after \(after)", at: start)
    }
    records = []
    for _ in 0..<count {
      let start = reader.offset
      let length = try reader.number()
      guard length <= UInt64(Self.limitRecordBytes) else {
        throw .badField("a record of \(length) bytes", at: start)
      }
      records.append(try reader.take(Int(length)))
    }
    guard let signature = Signature(try reader.take(64)) else { throw .truncated(at: reader.offset) }
    self.signature = signature
  }
}

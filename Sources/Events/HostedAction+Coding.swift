extension HostedAction {
  /// The most bytes of the box around an entry: choice, salt, and what sealing adds.
  static let limitBoxBytes = limitEntryBytes + 32 + 48

  /// Writes the payload's canonical bytes.
  func encode(to body: inout BodyWriter) {
    switch self {
    case .joinProof(let box): body.append(contentsOf: box)
    case .joinRefusal(let peer, let sequence, let refusal):
      body.append(peer)
      body.append(bigEndian: sequence)
      body.append(refusal.rawValue)
    case .open(let opening):
      body.append(bigEndian: opening.round)
      body.append(bigEndian: opening.limitMilliseconds)
      body.append(opening.commitment)
      body.append(list16: opening.content)
    case .entry(let opening, let entry):
      body.append(opening)
      entry.encode(to: &body)
    case .receipts(let opening, let receipts):
      body.append(opening)
      body.append(UInt8(truncatingIfNeeded: receipts.count))
      for receipt in receipts {
        body.append(receipt.parent)
        body.append(bigEndian: receipt.milliseconds)
      }
    case .marks(let opening, let marks):
      body.append(opening)
      body.append(UInt8(truncatingIfNeeded: marks.count))
      for mark in marks { mark.encode(to: &body) }
    case .close(let opening, let milliseconds):
      body.append(opening)
      body.append(bigEndian: milliseconds)
    case .settle(let settlement): settlement.encode(to: &body)
    case .entryProof(let entry, let opened):
      body.append(entry)
      opened.encode(to: &body)
    case .carry(let head, let scores):
      body.append(head)
      body.append(UInt8(truncatingIfNeeded: scores.count))
      for score in scores {
        body.append(score.peer)
        body.append(bigEndian: score.score)
      }
    }
  }

  /// Reads the payload of an event of `kind`; `nil` where that is none of hosted rounds.
  /// - Throws: unless it is in canonical form.
  init?(_ kind: Kind, _ reader: inout ByteReader) throws(FormatError) {
    switch kind {
    case .joinProof: self = .joinProof(box: try reader.take(Self.joinProofBytes))
    case .joinRefusal: self = try Self.refusal(&reader)
    case .roundOpen: self = .open(try Opening(&reader))
    case .entry: self = .entry(opening: try reader.identifier(), try Entry(&reader))
    case .receipts: self = .receipts(opening: try reader.identifier(), try Self.receipts(&reader))
    case .marks: self = .marks(opening: try reader.identifier(), try Self.marks(&reader))
    case .roundClose: self = .close(opening: try reader.identifier(), milliseconds: try reader.integer())
    case .settle: self = .settle(try Settlement(&reader))
    case .entryProof: self = .entryProof(entry: try reader.identifier(), try OpenedEntry(&reader))
    case .carry: self = .carry(head: try reader.identifier(), try Self.scores(&reader))
    default: return nil
    }
  }

  private static func refusal(_ reader: inout ByteReader) throws(FormatError) -> HostedAction {
    let peer: PeerID = try reader.identifier()
    let sequence: UInt64 = try reader.integer()
    guard let refusal = Refusal(rawValue: try reader.integer()) else {
      throw .badField("reason of a refusal", at: reader.offset - 1)
    }
    return .joinRefusal(peer, through: sequence, refusal)
  }

  /// Receipts in the order of their times, each of another parent.
  private static func receipts(_ reader: inout ByteReader) throws(FormatError) -> [Receipt] {
    let count = try Self.count(&reader, 1...limitReceipts)
    var receipts: [Receipt] = []
    for _ in 0..<count {
      let at = reader.offset
      let receipt = Receipt(parent: try reader.integer(), milliseconds: try reader.integer())
      guard receipt.parent < Event.limitParents, !receipts.contains(where: { $0.parent == receipt.parent })
      else { throw .badField("receipt for parent \(receipt.parent)", at: at) }
      if let last = receipts.last, last.milliseconds > receipt.milliseconds {
        throw .badField("receipts out of order", at: at)
      }
      receipts.append(receipt)
    }
    return receipts
  }

  /// Marks in the order of the entries' numbers.
  private static func marks(_ reader: inout ByteReader) throws(FormatError) -> [Mark] {
    let count = try Self.count(&reader, 1...limitMarks)
    var marks: [Mark] = []
    for _ in 0..<count {
      let at = reader.offset
      let mark = try Mark(&reader)
      if let last = marks.last, last.entry >= mark.entry { throw .badField("marks out of order", at: at) }
      marks.append(mark)
    }
    return marks
  }

  /// Scores in the order of their keys.
  private static func scores(_ reader: inout ByteReader) throws(FormatError) -> [CarriedScore] {
    let count = try Self.count(&reader, 0...limitList)
    var scores: [CarriedScore] = []
    for _ in 0..<count {
      let at = reader.offset
      let score = CarriedScore(peer: try reader.identifier(), score: try reader.integer())
      if let last = scores.last, last.peer >= score.peer { throw .badField("scores out of order", at: at) }
      scores.append(score)
    }
    return scores
  }

  fileprivate static func count(
    _ reader: inout ByteReader, _ limits: ClosedRange<Int>
  ) throws(FormatError) -> Int {
    let count = Int(try reader.integer(UInt8.self))
    guard limits.contains(count) else { throw .badField("a list of \(count)", at: reader.offset - 1) }
    return count
  }

  fileprivate static func bytes(
    _ reader: inout ByteReader, _ limits: ClosedRange<Int>
  ) throws(FormatError) -> [UInt8] { try reader.take(try count(&reader, limits)) }
}

extension HostedAction.Opening {
  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    round = try reader.integer()
    limitMilliseconds = try reader.integer()
    commitment = try reader.identifier()
    let count = Int(try reader.integer(UInt16.self))
    guard count <= HostedAction.limitContentBytes else {
      throw .tooLong(count, limit: HostedAction.limitContentBytes)
    }
    content = try reader.take(count)
  }
}

extension HostedAction.Entry {
  fileprivate func encode(to body: inout BodyWriter) {
    switch self {
    case .clear(let choice) where choice.count > HostedAction.limitEntryBytes:
      body.append(2)
      body.append(list16: choice)
    case .clear(let choice):
      body.append(0)
      body.append(list8: choice)
    case .sealed(let commitment, let box):
      body.append(1)
      body.append(commitment)
      body.append(list8: box)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    let form: UInt8 = try reader.integer()
    switch form {
    case 0: self = .clear(try HostedAction.bytes(&reader, 0...HostedAction.limitEntryBytes))
    case 1:
      self = .sealed(
        commitment: try reader.identifier(),
        box: try HostedAction.bytes(&reader, 80...HostedAction.limitBoxBytes))
    case 2:
      let count = Int(try reader.integer(UInt16.self))
      guard count > HostedAction.limitEntryBytes, count <= HostedAction.limitLongEntryBytes else {
        throw .badField("a long entry of \(count) bytes", at: reader.offset - 2)
      }
      self = .clear(try reader.take(count))
    default: throw .badField("form of an entry", at: reader.offset - 1)
    }
  }
}

extension HostedAction.Mark {
  /// The byte that stands for an entry that is right.
  private static let right: UInt8 = 0xFE

  fileprivate func encode(to body: inout BodyWriter) {
    body.append(bigEndian: entry)
    if let wrong { wrong.encode(to: &body) } else { body.append(Self.right) }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    entry = try reader.integer()
    var ahead = reader
    guard try ahead.integer(UInt8.self) == Self.right else {
      wrong = try HostedAction.OpenedEntry(&reader)
      return
    }
    reader = ahead
  }
}

extension HostedAction.OpenedEntry {
  fileprivate func encode(to body: inout BodyWriter) {
    body.append(list8: choice)
    body.append(salt)
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    choice = try HostedAction.bytes(&reader, 0...HostedAction.limitEntryBytes)
    salt = try reader.identifier()
  }
}

extension HostedAction.Settlement {
  /// The byte that stands for an entry that the host cannot read.
  private static let unreadable: UInt8 = 0xFF

  fileprivate func encode(to body: inout BodyWriter) {
    body.append(opening)
    body.append(list8: solution)
    body.append(salt)
    body.append(bigEndian: first)
    body.append(UInt8(truncatingIfNeeded: entries.count))
    for entry in entries {
      if let entry { entry.encode(to: &body) } else { body.append(Self.unreadable) }
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(FormatError) {
    opening = try reader.identifier()
    solution = try HostedAction.bytes(&reader, 0...HostedAction.limitSolutionBytes)
    salt = try reader.identifier()
    first = try reader.integer()
    let count = try HostedAction.count(&reader, 0...HostedAction.limitList)
    entries = []
    for _ in 0..<count {
      var ahead = reader
      if try ahead.integer(UInt8.self) == Self.unreadable {
        reader = ahead
        entries.append(nil)
      } else {
        entries.append(try HostedAction.OpenedEntry(&reader))
      }
    }
  }
}

extension BodyWriter {
  /// A length of one byte, and the bytes.
  fileprivate mutating func append(list8 bytes: [UInt8]) {
    append(UInt8(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }

  /// A length of two bytes, and the bytes.
  fileprivate mutating func append(list16 bytes: [UInt8]) {
    append(bigEndian: UInt16(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}

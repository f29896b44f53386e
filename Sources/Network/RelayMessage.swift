package import Events

/// Sixteen random bytes that name an inbox or a stream at a relay.
package struct RelayID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  fileprivate init(from reader: inout ByteReader) throws(FormatError) {
    high = try reader.integer()
    low = try reader.integer()
  }

  /// The first sixteen of some random bytes.
  package init(random bytes: [UInt8]) {
    precondition(bytes.count >= Address.relayInboxBytes, "\(bytes.count) random bytes for a name")
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (number(bytes[..<8]), number(bytes[8..<16]))
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
  }
}

/// What goes through a relay in one message (Docs/PROTOCOL.md §10).
package enum RelayMessage: Hashable, Sendable {
  /// Somebody waits for others at this inbox.
  case here(RelayID)
  /// The same, and wants to know who else does.
  case ask(RelayID)
  /// Something about a stream.
  case part(RelayPart, of: RelayID)

  /// The most bytes of a stream in one message.
  package static let limitBytes = 32_768
  /// What a message has besides those.
  package static let overheadBytes = 25

  /// The bytes.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    func begin(_ kind: UInt8, _ id: RelayID) {
      bytes.append(kind)
      id.append(to: &bytes)
    }
    switch self {
    case .here(let inbox): begin(0, inbox)
    case .ask(let inbox): begin(1, inbox)
    case .part(.open(let from), let stream):
      begin(2, stream)
      from.append(to: &bytes)
    case .part(.accept, let stream): begin(3, stream)
    case .part(.bytes(let content, let offset), let stream):
      begin(4, stream)
      bytes.append(bigEndian: offset)
      bytes += content
    case .part(.taken(let offset), let stream):
      begin(5, stream)
      bytes.append(bigEndian: offset)
    case .part(.end(let offset), let stream):
      begin(6, stream)
      bytes.append(bigEndian: offset)
    case .part(.cut, let stream): begin(7, stream)
    }
    return bytes
  }

  /// Reads a message.
  /// - Throws: for anything but the one form of each kind.
  package init(decoding bytes: [UInt8]) throws(FormatError) {
    guard bytes.count <= Self.limitBytes + Self.overheadBytes else {
      throw .badField("\(bytes.count) bytes", at: 0)
    }
    var reader = ByteReader(bytes)
    let kind = try reader.integer(UInt8.self)
    let id = try RelayID(from: &reader)
    switch kind {
    case 0: self = .here(id)
    case 1: self = .ask(id)
    case 2: self = .part(.open(from: try RelayID(from: &reader)), of: id)
    case 3: self = .part(.accept, of: id)
    case 4:
      let offset = try reader.integer(UInt64.self)
      guard reader.remaining > 0 else { throw .truncated(at: reader.offset) }
      self = .part(.bytes(try reader.take(reader.remaining), at: offset), of: id)
    case 5: self = .part(.taken(try reader.integer()), of: id)
    case 6: self = .part(.end(try reader.integer()), of: id)
    case 7: self = .part(.cut, of: id)
    default: throw .badField("kind \(kind)", at: 0)
    }
    guard reader.remaining == 0 else { throw .trailing(at: reader.offset) }
  }
}

/// What is said about a stream through a relay.
package enum RelayPart: Hashable, Sendable {
  /// Wants the stream; where this end takes messages.
  case open(from: RelayID)
  /// The other end takes the stream.
  case accept
  /// Bytes of this direction, of which so many came before.
  case bytes([UInt8], at: UInt64)
  /// So many bytes of the other direction were read.
  case taken(UInt64)
  /// Nothing follows so many bytes.
  case end(UInt64)
  /// The stream is no more.
  case cut
}

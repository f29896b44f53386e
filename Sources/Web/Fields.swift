internal import Events
internal import JSON

/// The members of an object that a client has sent, each of which is read once: what is left at the end is a mistake.
struct Fields {
  /// What is wrong, in words.
  struct Fault: Error {
    let words: String

    init(_ words: String) { self.words = words }
  }

  private var members: [JSONMember]

  /// - Parameter members: those of a request; its id is read already.
  init(_ members: [JSONMember]) { self.members = members.filter { $0.name != "id" } }

  private mutating func take(_ name: String) -> JSONValue? {
    guard let at = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: at).value
  }

  /// A text that must be there.
  mutating func text(_ name: String, limit: Int = 256) throws(Fault) -> String {
    guard let text = try text(optional: name, limit: limit) else { throw Fault("\(name) is missing") }
    return text
  }

  /// A text of 1 to `limit` bytes.
  mutating func text(optional name: String, limit: Int = 256) throws(Fault) -> String? {
    guard let value = take(name) else { return nil }
    guard let text = value.string, (1...limit).contains(text.utf8.count) else {
      throw Fault("\(name) is a text of 1 to \(limit) bytes")
    }
    return text
  }

  /// What names a room.
  mutating func room() throws(Fault) -> String { try text("room", limit: 64) }

  /// Bytes as hexadecimal digits.
  mutating func bytes(_ name: String, limit: Int) throws(Fault) -> [UInt8] {
    guard let bytes = [UInt8](hex: try text(name, limit: 2 * limit)) else {
      throw Fault("\(name) is hexadecimal digits, two for each byte")
    }
    return bytes
  }

  /// A peer's key.
  mutating func peer(_ name: String) throws(Fault) -> PeerID {
    guard let peer = PeerID(hex: try text(name)) else {
      throw Fault("\(name) is a key of 64 hexadecimal digits")
    }
    return peer
  }

  mutating func signature() throws(Fault) -> Signature {
    guard let signature = Signature(try bytes("signature", limit: 64)) else {
      throw Fault("signature is 128 hexadecimal digits")
    }
    return signature
  }

  /// Yes or no.
  mutating func flag(_ name: String) throws(Fault) -> Bool? {
    guard let value = take(name) else { return nil }
    guard case .bool(let flag) = value else { throw Fault("\(name) is true or false") }
    return flag
  }

  /// A whole number within limits.
  mutating func number(_ name: String, _ limits: ClosedRange<Int64>) throws(Fault) -> Int64? {
    guard let value = take(name) else { return nil }
    guard case .integer(let number) = value, limits.contains(number) else {
      throw Fault("\(name) is a whole number from \(limits.lowerBound) to \(limits.upperBound)")
    }
    return number
  }

  /// An object whose values are texts or whole numbers, in the order of its names.
  mutating func settings(_ name: String) throws(Fault) -> [TableRequest.Setting] {
    guard let value = take(name) else { return [] }
    guard case .object(let members) = value else { throw Fault("\(name) is an object") }
    var settings: [TableRequest.Setting] = []
    for member in members {
      switch member.value {
      case .string(let text): settings.append(.init(name: member.name, value: text))
      case .integer(let number): settings.append(.init(name: member.name, value: String(number)))
      default: throw Fault("in \(name) each value is a text or a whole number")
      }
    }
    return settings
  }

  /// Refuses members that no request of this type has.
  func checkAllRead() throws(Fault) {
    guard let other = members.first else { return }
    let name = other.name.utf8.count <= 32 ? " “\(other.name)”" : ""
    throw Fault("a request of this type has no member\(name)")
  }
}

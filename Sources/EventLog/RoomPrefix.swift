package import Events

/// The first hexadecimal digits of a room's id, in any number.
package struct RoomPrefix: Hashable, Sendable {
  private let digits: [UInt8]
  /// The lowest id with these digits.
  let lowest: RoomID

  /// A prefix of at most 64 hexadecimal digits, either case; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.utf8.map { (0x41...0x46).contains($0) ? $0 + 0x20 : $0 }
    guard digits.count <= 64 else { return nil }
    let padding = String(repeating: "0", count: 64 - digits.count)
    guard let lowest = RoomID(hex: String(decoding: digits, as: UTF8.self) + padding) else { return nil }
    self.digits = digits
    self.lowest = lowest
  }

  /// Whether the id begins with these digits.
  package func matches(_ room: RoomID) -> Bool { room.bytes.hex.utf8.starts(with: digits) }

  /// The only match of those found, as `EventLog.room(prefix:)` answers.
  static func only(_ found: RoomID?, count: Int, prefix: String) throws(LogError) -> RoomID {
    guard let found else { throw .unknownRoom(prefix) }
    guard count == 1 else { throw .ambiguousRoom(prefix, count: count) }
    return found
  }
}

package import Events

/// The first hexadecimal digits of a room's id, in any number.
package struct RoomPrefix: Hashable, Comparable, Sendable {
  /// How many digits an id has.
  package static let limitDigits = 64

  /// The lowest id with these digits.
  package let lowest: RoomID
  /// How many digits there are.
  package let digits: Int

  /// A prefix of at most 64 hexadecimal digits, either case; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.utf8.map { (0x41...0x46).contains($0) ? $0 + 0x20 : $0 }
    guard digits.count <= Self.limitDigits else { return nil }
    let padding = String(repeating: "0", count: Self.limitDigits - digits.count)
    guard let lowest = RoomID(hex: String(decoding: digits, as: UTF8.self) + padding) else { return nil }
    self.lowest = lowest
    self.digits = digits.count
  }

  /// The prefix that one room alone has.
  package init(_ room: RoomID) { self.init(lowest: room, digits: Self.limitDigits) }

  /// - Parameter lowest: the lowest id with so many digits.
  package init(lowest: RoomID, digits: Int) {
    self.lowest = lowest
    self.digits = digits
  }

  /// Whether the id begins with these digits.
  package func matches(_ room: RoomID) -> Bool {
    if digits == Self.limitDigits { return room == lowest }
    let (mine, theirs) = (lowest.bytes, room.bytes)
    if digits <= 16 {
      return digits == 0 || (mine.prefix64 ^ theirs.prefix64) >> (64 - 4 * UInt64(digits)) == 0
    }
    return theirs.hex.utf8.starts(with: mine.hex.utf8.prefix(digits))
  }

  package static func < (a: RoomPrefix, b: RoomPrefix) -> Bool {
    (a.lowest, a.digits) < (b.lowest, b.digits)
  }

  /// The only match of those found, as `EventLog.room(prefix:)` answers.
  static func only(_ found: RoomID?, count: Int, prefix: String) throws(LogError) -> RoomID {
    guard let found else { throw .unknownRoom(prefix) }
    guard count == 1 else { throw .ambiguousRoom(prefix, count: count) }
    return found
  }
}

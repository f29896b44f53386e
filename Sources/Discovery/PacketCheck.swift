/// Decides which packets reach the library that speaks multicast DNS (RFC 6762).
///
/// The library ends the process, or worse, on some packets: loops of CNAME records reach assertions and freed memory in
/// version 0.8 (avahi's issues 501, 678, 683, 941; fixed in 0.9). Anybody on the local network can send them. So
/// only what is whole, and made of the kinds of records that announcements of services consist of, is let through.
package struct PacketCheck {
  /// A packet's bytes at most (RFC 6762, section 17).
  static let limitBytes = 9_000
  /// The bytes of one record's data at most.
  static let limitRecordBytes = 1_024
  /// For how long a record may be believed, in seconds: what RFC 6762 (section 10) recommends, so that nobody leaves
  /// things behind for longer.
  static let limitSeconds: UInt32 = 4_500
  /// How long a name may be as text, in which the library keeps it: it has 1,014 bytes for one.
  static let limitTextLength = 1_000
  private static let headerBytes = 12

  private enum Kind {
    static let a: UInt16 = 1
    static let pointer: UInt16 = 12
    static let hostInformation: UInt16 = 13
    static let text: UInt16 = 16
    static let aaaa: UInt16 = 28
    static let service: UInt16 = 33
    static let options: UInt16 = 41
    static let nextSecure: UInt16 = 47
  }

  /// The whole packet; offsets count from 0.
  private let bytes: ArraySlice<UInt8>
  private var offset = 0

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Whether a packet may be let through.
  package static func accepts(_ packet: ArraySlice<UInt8>) -> Bool {
    guard packet.count <= limitBytes else { return false }
    var check = PacketCheck(packet)
    return check.isWhole()
  }

  private mutating func isWhole() -> Bool {
    offset = 4
    guard let questions = number(), let answers = number(), let authorities = number(), let others = number()
    else { return false }
    for _ in 0..<questions { guard skipName(), skip(4) else { return false } }
    for _ in 0..<(Int(answers) + Int(authorities) + Int(others)) { guard skipRecord() else { return false } }
    return offset == bytes.count
  }

  private func byte(_ at: Int) -> UInt8? { at < bytes.count ? bytes[bytes.startIndex + at] : nil }

  private mutating func number() -> UInt16? {
    guard let high = byte(offset), let low = byte(offset + 1) else { return nil }
    offset += 2
    return UInt16(high) << 8 | UInt16(low)
  }

  private mutating func skip(_ count: Int) -> Bool {
    offset += count
    return offset <= bytes.count
  }

  /// Skips a name, following where it goes on elsewhere: always further in front, so that it ends.
  private mutating func skipName() -> Bool {
    var at = offset
    var end: Int?
    var length = 1
    var textLength = 0
    while let count = byte(at) {
      switch count {
      case 0:
        offset = end ?? at + 1
        return true
      case 1...63:
        length += Int(count) + 1
        guard length <= 255, at + 1 + Int(count) <= bytes.count else { return false }
        let label = bytes[(bytes.startIndex + at + 1)...].prefix(Int(count))
        textLength += 1 + label.reduce(0) { $0 + Self.textLength(of: $1) }
        guard textLength <= Self.limitTextLength else { return false }
        at += 1 + Int(count)
      case 0xC0...:
        guard let low = byte(at + 1) else { return false }
        let target = Int(count & 0x3F) << 8 | Int(low)
        guard target >= Self.headerBytes, target < at else { return false }
        end = end ?? at + 2
        at = target
      default: return false
      }
    }
    return false
  }

  /// How long the library's text for a byte of a name is at most: letters, digits and two signs stand for themselves,
  /// others as a backslash and three digits.
  private static func textLength(of byte: UInt8) -> Int {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: 1
    default: 4
    }
  }

  private mutating func skipRecord() -> Bool {
    guard skipName(), let kind = number(), let group = number() else { return false }
    guard let high = number(), let low = number(), let count = number() else { return false }
    let end = offset + Int(count)
    guard count <= Self.limitRecordBytes, end <= bytes.count else { return false }
    // The options of a query have other things in these fields.
    let isOptions = kind == Kind.options
    guard isOptions || (group & 0x7FFF == 1 && UInt32(high) << 16 | UInt32(low) <= Self.limitSeconds) else {
      return false
    }
    switch kind {
    case Kind.a: guard count == 4 else { return false }
    case Kind.aaaa: guard count == 16 else { return false }
    case Kind.pointer: guard skipName(), offset == end else { return false }
    case Kind.service: guard skip(6), skipName(), offset == end else { return false }
    case Kind.text, Kind.hostInformation: guard skipStrings(to: end) else { return false }
    case Kind.options, Kind.nextSecure: break
    default: return false
    }
    offset = end
    return true
  }

  private mutating func skipStrings(to end: Int) -> Bool {
    while offset < end {
      guard let count = byte(offset), skip(1 + Int(count)) else { return false }
    }
    return offset == end
  }
}

/// How many packets are looked at: a flood costs others nothing more.
struct PacketBudget {
  /// Packets in a second, and at once.
  static let perSecond: UInt64 = 1_000
  static let limitAtOnce: UInt64 = 2_000

  /// In thousandths of a packet.
  private var left = limitAtOnce * 1_000
  private var last: UInt64

  init(at milliseconds: UInt64) { last = milliseconds }

  /// Takes one packet's share.
  mutating func take(at milliseconds: UInt64) -> Bool {
    let passed = milliseconds > last ? min(milliseconds - last, 10_000) : 0
    last = max(last, milliseconds)
    left = min(left + passed * Self.perSecond, Self.limitAtOnce * 1_000)
    guard left >= 1_000 else { return false }
    left -= 1_000
    return true
  }
}

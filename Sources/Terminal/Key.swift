/// A key that somebody pressed, as far as this program tells keys apart.
package enum Key: Hashable, Sendable {
  /// A character that is typed as such, of one code point: a letter, a sign, a space, a mark over the one before.
  case character(Character)
  /// A character held with Ctrl, letters in lower case.
  case control(Character)
  case enter
  case backspace
  case delete
  case escape
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  /// The first button of a mouse, pressed at a place of the screen, both from 1.
  case click(column: Int, row: Int)
  /// Another key, or bytes that no key sends.
  case other
}

/// Tells keys apart in the bytes that a terminal sends.
///
/// A key is one byte or a sequence (ECMA-48, and what xterm, rxvt and the console of Linux send), which may come in
/// pieces. Shift, Alt and Ctrl with a key of a sequence are passed over. Any bytes are taken, and little is kept of
/// them.
package struct KeyParser: Sendable {
  /// Where in a key the bytes so far end.
  private enum Place: Hashable {
    case between
    /// Behind an ESC, which may be a key of its own.
    case escape
    /// In a control sequence: behind `ESC [`.
    case control
    /// Behind `ESC O`.
    case shifted
    /// Behind `ESC [ [`, which begins the console's function keys.
    case function
    /// In a character beyond ASCII, of which so many bytes follow.
    case text(Int)
  }

  /// The most bytes that a sequence which is understood has between its beginning and its last byte.
  private static let limitParameters = 16

  private var place = Place.between
  private var parameters: [UInt8] = []
  /// The bytes so far of a character beyond ASCII.
  private var text: [UInt8] = []

  /// A parser that has seen nothing yet.
  package init() {}

  /// Whether the bytes so far end within a key.
  package var isWithinKey: Bool { place != .between }

  /// Takes bytes as they come.
  /// - Returns: the keys that are complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { take($0) } }

  /// Nothing more came for a while, so what came is all of a key.
  package mutating func pause() -> Key? {
    defer { place = .between }
    switch place {
    case .between: return nil
    case .escape: return .escape
    case .control, .shifted, .function, .text: return .other
    }
  }

  private mutating func take(_ byte: UInt8) -> Key? {
    let before = place
    place = .between
    switch before {
    case .between: return begin(byte)
    case .escape: return takeAfterEscape(byte)
    case .control: return takeInControl(byte)
    case .shifted: return (0x20...0x7E).contains(byte) ? Self.key(ending: byte) : begin(byte)
    case .function: return (0x20...0x7E).contains(byte) ? .other : begin(byte)
    case .text(let rest):
      guard byte & 0xC0 == 0x80 else { return begin(byte) }
      text.append(byte)
      guard rest > 1 else { return typed() }
      place = .text(rest - 1)
      return nil
    }
  }

  /// The character of the bytes so far; C1 control characters are none.
  private func typed() -> Key {
    guard let scalar = String(validating: text, as: UTF8.self)?.unicodeScalars.first, scalar.value >= 0xA0
    else {
      return .other
    }
    return .character(Character(scalar))
  }

  private mutating func begin(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: place = .escape
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .backspace
    case 0x00...0x1F:
      let isLetter = (0x01...0x1A).contains(byte)
      return .control(Character(Unicode.Scalar(byte + (isLetter ? 0x60 : 0x40))))
    case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
    case 0xC2...0xDF: place = .text(1)
    case 0xE0...0xEF: place = .text(2)
    case 0xF0...0xF4: place = .text(3)
    default: return .other
    }
    text = [byte]
    return nil
  }

  private mutating func takeAfterEscape(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B:
      place = .escape
      return .escape
    case UInt8(ascii: "["):
      place = .control
      parameters = []
    case UInt8(ascii: "O"): place = .shifted
    // A key with Alt.
    case 0x20...0x7E: return .other
    default: return begin(byte)
    }
    return nil
  }

  private mutating func takeInControl(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x20...0x3F:
      place = .control
      // One more than the limit says that it was too long.
      if parameters.count <= Self.limitParameters { parameters.append(byte) }
      return nil
    case UInt8(ascii: "[") where parameters.isEmpty:
      place = .function
      return nil
    case 0x40...0x7E: return parameters.count > Self.limitParameters ? .other : key(ofControl: byte)
    case 0x7F...: return .other
    default: return begin(byte)
    }
  }

  private func key(ofControl last: UInt8) -> Key {
    if parameters.first == UInt8(ascii: "<"), last == UInt8(ascii: "M") { return click }
    // Whatever is not a list of numbers is no key: reports of the terminal.
    let isSemicolon = { (byte: UInt8) in byte == UInt8(ascii: ";") }
    guard parameters.allSatisfy({ (0x30...0x39).contains($0) || isSemicolon($0) }) else { return .other }
    guard last == UInt8(ascii: "~") else { return Self.key(ending: last) }
    let first = parameters.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: isSemicolon)
    switch first.first.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) {
    case 1, 7: return .home
    case 3: return .delete
    case 4, 8: return .end
    case 5: return .pageUp
    case 6: return .pageDown
    default: return .other
    }
  }

  /// A press of the first button, as xterm reports it where it was asked to (its mode 1006); of others nothing is made.
  private var click: Key {
    let numbers = parameters.dropFirst().split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, numbers[0] == 0, let column = numbers[1], let row = numbers[2], column > 0,
      row > 0
    else { return .other }
    return .click(column: column, row: row)
  }

  private static func key(ending last: UInt8) -> Key {
    switch last {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: .other
    }
  }
}

/// A value that can be written as JSON (RFC 8259), whose objects keep the order in which they were made.
package indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number, with all its digits.
  case integer(Int64)
  /// A whole number that may be past `Int64.max`, with all its digits.
  case unsigned(UInt64)
  /// Any other number.
  case real(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Names and values in order; a name must not come twice.
  case object([JSONMember])

  /// An object of names and values in this order.
  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { JSONMember($0.key, $0.value) })
  }

  /// The value of a name in an object; `nil` where there is none.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text that this is; `nil` for anything else.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The values of a list; `nil` for anything else.
  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// A text, or `null` where there is none.
  package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

/// A name and its value in a JSON object.
package struct JSONMember: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The value.
  package var value: JSONValue

  /// A name with its value.
  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  package init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  package init(integerLiteral value: Int64) { self = .integer(value) }

  /// True or false.
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Nothing.
  package init(nilLiteral: ()) { self = .null }

  /// Values in order.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Names and values in the order of the source text.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}

/// One JSON object, or list, on one line, as `--json` prints them; safe on a terminal without losing anything.
///
/// Besides what JSON demands, every control, line-separating, bidirectional or invisible character and every
/// noncharacter is written as an escape, by a fixed list: the same value gives the same bytes in every
/// release.
package struct JSONLine: Hashable, Sendable, CustomStringConvertible {
  /// The line, without its end.
  package let text: String

  /// An object of names and values in this order.
  package init(_ members: KeyValuePairs<String, JSONValue>) {
    self.init(members.map { JSONMember($0.key, $0.value) })
  }

  /// An object of names and values in this order.
  package init(_ members: [JSONMember]) {
    var line = ""
    Self.write(.object(members), to: &line)
    text = line
  }

  /// A list of values in order.
  package init(list: [JSONValue]) {
    var line = ""
    Self.write(.array(list), to: &line)
    text = line
  }

  /// The line, without its end.
  package var description: String { text }

  private static func write(_ value: JSONValue, to line: inout String) {
    switch value {
    case .null: line += "null"
    case .bool(let flag): line += flag ? "true" : "false"
    case .integer(let number): line += String(number)
    case .unsigned(let number): line += String(number)
    case .real(let number): line += number.isFinite ? String(number) : "null"
    case .string(let string): write(string, to: &line)
    case .array(let values):
      line += "["
      for (index, value) in values.enumerated() {
        if index > 0 { line += "," }
        write(value, to: &line)
      }
      line += "]"
    case .object(let members):
      line += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { line += "," }
        write(member.name, to: &line)
        line += ":"
        write(member.value, to: &line)
      }
      line += "}"
    }
  }

  private static func write(_ string: String, to line: inout String) {
    line += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": line += "\\\""
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default:
        if mustEscape(scalar.value) {
          for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] { line += escape(unit) }
        } else {
          line.unicodeScalars.append(scalar)
        }
      }
    }
    line += "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func mustEscape(_ value: UInt32) -> Bool {
    switch value {
    case 0x20...0x7E: false
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xE000...0xF8FF, 0xFDD0...0xFDEF: true
    case 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0x10FFFF: true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}

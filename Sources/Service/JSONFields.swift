internal import Events
internal import Rules

/// Goes through the fields of a value in their order, and writes them as JSON (RFC 8259) or reads what was so written.
///
/// One list of fields does both. The text is of printable ASCII alone, so that it may be shown anywhere.
struct JSONFields {
  /// The highest number: every program that reads JSON takes it as it is.
  static let limitNumber: UInt = 1 << 53
  private(set) var text: [UInt8]
  private let isReading: Bool
  private var at = 0
  /// Whether the next field is the first of its object.
  private var isFirst = true

  private init(_ text: [UInt8], isReading: Bool) {
    self.text = text
    self.isReading = isReading
  }

  /// A value as text.
  static func text(of value: some JSONForm) -> [UInt8] {
    var (json, value) = (JSONFields([], isReading: false), value)
    do throws(FormatError) { try value.pass(&json) } catch {
      preconditionFailure("what is only written was refused: \(error)")
    }
    return json.text
  }

  /// Reads a value.
  /// - Throws: for everything but the one text that the value has.
  static func read<Value: JSONForm>(_ text: [UInt8]) throws(FormatError) -> Value {
    var (json, value) = (JSONFields(text, isReading: true), Value())
    try value.pass(&json)
    guard json.at == text.count else { throw .trailing(at: json.at) }
    guard Self.text(of: value) == text else { throw .badField("another form", at: 0) }
    return value
  }

  // MARK: - Objects and lists

  /// The next field of an object.
  fileprivate mutating func field(_ name: String, _ value: inout some JSONForm) throws(FormatError) {
    if !isFirst { try literal(",") }
    isFirst = false
    try literal("\"\(name)\":")
    try value.pass(&self)
  }

  fileprivate mutating func object<Object: JSONObject>(_ value: inout Object) throws(FormatError) {
    try literal("{")
    isFirst = true
    for field in Object.fields { try field.pass(&value, &self) }
    isFirst = false
    try literal("}")
  }

  fileprivate mutating func list<Item: JSONForm>(_ items: inout [Item]) throws(FormatError) {
    try literal("[")
    if isReading {
      while !isNext("]") {
        if !items.isEmpty { try literal(",") }
        var item = Item()
        try item.pass(&self)
        items.append(item)
      }
    } else {
      for index in items.indices {
        if index > 0 { try literal(",") }
        try items[index].pass(&self)
      }
    }
    try literal("]")
  }

  fileprivate mutating func optional<Value: JSONForm>(_ value: inout Value?) throws(FormatError) {
    if isReading ? isNext("null") : value == nil {
      try literal("null")
    } else {
      var some = value ?? Value()
      try some.pass(&self)
      value = some
    }
  }

  // MARK: - Words, numbers and texts

  private func isNext(_ word: String) -> Bool { text[at...].starts(with: word.utf8) }

  private mutating func literal(_ word: String) throws(FormatError) {
    guard isReading else { return text.append(contentsOf: word.utf8) }
    guard isNext(word) else { throw .badField("no \(word)", at: at) }
    at += word.utf8.count
  }

  fileprivate mutating func flag(_ value: inout Bool) throws(FormatError) {
    if isReading { value = isNext("true") }
    try literal(value ? "true" : "false")
  }

  fileprivate mutating func number(_ value: inout Int) throws(FormatError) {
    guard isReading else { return text.append(contentsOf: String(value).utf8) }
    let digits = text[at...].prefix { $0 == 0x2D || (0x30...0x39).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number.magnitude <= Self.limitNumber
    else {
      throw .badField("no number", at: at)
    }
    value = number
    at += digits.count
  }

  fileprivate mutating func string(_ value: inout String) throws(FormatError) {
    try literal("\"")
    if isReading { value = try unescaped() } else { escape(value) }
    try literal("\"")
  }

  private mutating func escape(_ string: String) {
    for unit in string.utf16 {
      switch unit {
      case 0x22, 0x5C: text += [0x5C, UInt8(unit)]
      case 0x20...0x7E: text.append(UInt8(unit))
      default:
        let digits = String(unit, radix: 16)
        text += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
  }

  private mutating func unescaped() throws(FormatError) -> String {
    let start = at
    var units: [UInt16] = []
    while at < text.count, text[at] != 0x22 {
      guard text[at] == 0x5C else {
        units.append(UInt16(text[at]))
        at += 1
        continue
      }
      guard at + 1 < text.count else { throw .truncated(at: at) }
      if text[at + 1] == UInt8(ascii: "u") {
        let digits = String(decoding: text[(at + 2)...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
          throw .badField("escape", at: at)
        }
        units.append(unit)
        at += 6
      } else {
        units.append(UInt16(text[at + 1]))
        at += 2
      }
    }
    guard let string = String(validating: units, as: UTF16.self) else { throw .badField("text", at: start) }
    return string
  }
}

/// What has one JSON form.
protocol JSONForm {
  /// Anything, to be overwritten by what is read.
  init()
  /// Writes the value, or reads it.
  mutating func pass(_ json: inout JSONFields) throws(FormatError)
}

/// What is an object in JSON.
protocol JSONObject: JSONForm {
  /// All fields, in order.
  static var fields: [JSONField<Self>] { get }
}

/// A field of an object.
struct JSONField<Object> {
  fileprivate let pass: (inout Object, inout JSONFields) throws(FormatError) -> Void

  init(_ name: String, _ path: WritableKeyPath<Object, some JSONForm>) {
    pass = { (object, json) throws(FormatError) in try json.field(name, &object[keyPath: path]) }
  }
}

extension JSONObject {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.object(&self) }
}

extension Bool: JSONForm {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.flag(&self) }
}

extension Int: JSONForm {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.number(&self) }
}

extension String: JSONForm {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.string(&self) }
}

extension Array: JSONForm where Element: JSONForm {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.list(&self) }
}

extension Optional: JSONForm where Wrapped: JSONForm {
  init() { self = nil }
  mutating func pass(_ json: inout JSONFields) throws(FormatError) { try json.optional(&self) }
}

extension JSONForm where Self: RawRepresentable, RawValue == String {
  mutating func pass(_ json: inout JSONFields) throws(FormatError) {
    var word = rawValue
    try json.string(&word)
    guard let value = Self(rawValue: word) else { throw .badField("word", at: 0) }
    self = value
  }
}

/// Ids are 64 hexadecimal digits.
extension JSONForm where Self: Identifier32 {
  init() { self = .none }

  mutating func pass(_ json: inout JSONFields) throws(FormatError) {
    var digits = description
    try json.string(&digits)
    guard let value = Self(hex: digits) else { throw .badField("id", at: 0) }
    self = value
  }
}

extension PeerID: JSONForm {}
extension RoomID: JSONForm {}

/// Seats are numbers, from 1.
extension Seat: JSONForm {
  init() { self.init(0) }

  mutating func pass(_ json: inout JSONFields) throws(FormatError) {
    var number = index + 1
    try json.number(&number)
    guard (1...Int(UInt16.max) + 1).contains(number) else { throw .badField("seat \(number)", at: 0) }
    self = Seat(UInt16(number - 1))
  }
}

import Terminal

/// One figure as a line of JSON: name, value, unit, floor, ratio, then what else there is to know.
struct FigureLine {
  /// A value of a field.
  enum Value {
    case text(String)
    case integer(Int)
    /// Printed with about four significant digits.
    case decimal(Double)
    case absent
  }

  private var members: [String] = []

  /// A line of these fields.
  /// - Parameters:
  ///   - floor: what the floor reached, in the same unit.
  ///   - ratio: the floor's time by ours; 1 is as fast as the floor.
  init(_ name: String, value: Double, unit: String, floor: Double?, ratio: Double?) {
    add("name", .text(name))
    add("value", .decimal(value))
    add("unit", .text(unit))
    add("floor", floor.map { .decimal($0) } ?? .absent)
    add("ratio", ratio.map { .decimal($0) } ?? .absent)
  }

  /// Adds a field.
  mutating func add(_ name: String, _ value: Value) {
    switch value {
    case .text(let text): member(name, .string(text))
    case .integer(let number): member(name, .integer(Int64(number)))
    case .decimal(let number): members.append("\"\(name)\":\(Self.decimal(number))")
    case .absent: member(name, .null)
    }
  }

  private mutating func member(_ name: String, _ value: JSONValue) {
    members.append(String(JSONLine([JSONMember(name, value)]).text.dropFirst().dropLast()))
  }

  /// The line, without its end.
  var text: String { "{" + members.joined(separator: ",") + "}" }

  /// A number with about four significant digits, none of them in exponents, which JSON would allow.
  static func decimal(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    var digits = 0
    var scaled = number.magnitude
    while scaled < 1_000, digits < 6, scaled > 0 {
      scaled *= 10
      digits += 1
    }
    guard digits > 0 else { return "\(Int(number.rounded()))" }
    var power = 1
    for _ in 0..<digits { power *= 10 }
    let whole = Int((number.magnitude * Double(power)).rounded())
    let fraction = String(whole % power)
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return (number < 0 ? "-" : "") + "\(whole / power).\(zeros)\(fraction)"
  }
}

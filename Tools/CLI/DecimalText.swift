/// Numbers with so many digits after the point, rounded half away from zero.
enum DecimalText {
  /// - Parameter digits: from 0 to 6.
  static func text(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "–" : value < 0 ? "-∞" : "∞" }
    let unit = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = (value.magnitude * Double(unit)).rounded()
    guard scaled < 1e17 else { return value < 0 ? "-∞" : "∞" }
    let whole = UInt64(scaled)
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % UInt64(unit))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(whole / UInt64(unit)).\(zeros)\(fraction)"
  }

  /// The same with its sign, a plus too.
  static func signed(_ value: Double, digits: Int) -> String {
    let text = text(value, digits: digits)
    return value > 0 && text.contains(where: { ("1"..."9").contains($0) || $0 == "∞" }) ? "+\(text)" : text
  }

  /// A share of one, in per cent.
  static func percent(_ share: Double, digits: Int = 1) -> String { text(share * 100, digits: digits) + " %" }
}

/// Sizes and spans of time as people type and read them.
package enum SizeText {
  private static let units: [(name: String, bytes: Int)] = [
    ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1),
  ]

  /// The bytes that are meant by a number and a unit of 1,024 bytes, its square or its cube, as in `300M`; `nil` for
  /// what is no size.
  package static func bytes(_ text: String) -> Int? {
    let unit = units.first { !$0.name.isEmpty && text.uppercased().hasSuffix($0.name) }
    let digits = text.dropLast(unit == nil ? 0 : 1)
    guard let number = whole(digits) else { return nil }
    let (bytes, isOver) = number.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    return isOver ? nil : bytes
  }

  /// The milliseconds that are meant by a number and `s`, `m`, `h` or `d`, as in `30d`; `nil` for what is no span.
  package static func milliseconds(_ text: String) -> UInt64? {
    let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ seconds[$0] }), let number = whole(text.dropLast()) else {
      return nil
    }
    let (span, isOver) = number.multipliedReportingOverflow(by: unit * 1_000)
    return isOver ? nil : UInt64(span)
  }

  private static func whole(_ digits: some StringProtocol) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits)
  }

  /// A size for people: `512 bytes`, `1.4 MiB`.
  package static func text(_ bytes: Int) -> String {
    guard let unit = units.first(where: { bytes >= $0.bytes }), !unit.name.isEmpty else {
      return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
    let tenths = bytes / (unit.bytes / 10)
    return "\(tenths / 10).\(tenths % 10) \(unit.name)iB"
  }
}

extension Address {
  /// Whose address it is, as those are counted who connect: the host, and in version 6 its first 64 bits, of which a
  /// household has all; whoever comes by way of a relay counts as one host.
  package var source: String {
    guard !isRelayed else { return Self.relaySource }
    let plain = unmapped
    return plain.contains(":") ? Self.groups(plain).prefix(4).joined(separator: ":") : plain
  }

  /// The same for other machines; `nil` for this one, behind which stands whoever may use it, or a proxy for everybody.
  package var sourceElsewhere: String? {
    let plain = unmapped
    return plain.hasPrefix("127.") || plain == "::1" || plain == Address.inProcess ? nil : source
  }

  /// The host, as one of the fourth version where it is one that the sixth maps.
  private var unmapped: String {
    let lower = host.lowercased()
    return lower.hasPrefix("::ffff:") && lower.contains(".") ? String(lower.dropFirst(7)) : lower
  }

  /// The eight groups of an address of the sixth version, of which zeros may be left out.
  private static func groups(_ address: String) -> [String] {
    let number = address.split(separator: "%").first.map(String.init) ?? address
    guard let gap = number.firstRange(of: "::") else { return number.split(separator: ":").map(String.init) }
    let before = number[..<gap.lowerBound].split(separator: ":").map(String.init)
    let after = number[gap.upperBound...].split(separator: ":").map(String.init)
    return before + Array(repeating: "0", count: max(0, 8 - before.count - after.count)) + after
  }
}

extension Address {
  /// Whose address it is, as those are counted who connect: the host, and in version 6 its first 64 bits, of which a
  /// household has all; `nil` for this machine, behind which stands whoever may use it, or a proxy for everybody.
  package var source: String? {
    let lower = host.lowercased()
    let mapped = lower.hasPrefix("::ffff:") && lower.contains(".") ? String(lower.dropFirst(7)) : lower
    if mapped.hasPrefix("127.") || mapped == "::1" || mapped == Address.inProcess { return nil }
    guard mapped.contains(":") else { return mapped }
    return Self.groups(mapped).prefix(4).joined(separator: ":")
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

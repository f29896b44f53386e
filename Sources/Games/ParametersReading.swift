import Rules

extension Parameters {
  /// Refuses settings that a game does not have.
  func check(known settings: [ParameterDefinition]) throws(RulesError) {
    let known = settings.map(\.name)
    if let entry = entries.first(where: { !known.contains($0.name) }) {
      throw .unknownParameter(entry.name, known: known)
    }
  }

  /// A whole number in its only spelling: no plus sign, no leading zeros, no minus zero.
  func number(_ name: String, in range: ClosedRange<Int>, standard: Int) throws(RulesError) -> Int {
    guard let value = self[name] else { return standard }
    guard let number = Int(value), "\(number)" == value, range.contains(number) else {
      throw .badParameter(
        name: name, value: value,
        expected: "it takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Whether the second of two words is said; the first one is the standard.
  func isSecond(_ name: String, of words: (String, String)) throws(RulesError) -> Bool {
    let value = self[name] ?? words.0
    guard value == words.0 || value == words.1 else {
      throw .badParameter(name: name, value: value, expected: "it takes \(words.0) or \(words.1)")
    }
    return value == words.1
  }
}

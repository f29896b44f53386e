/// How many terminal columns text takes up.
///
/// Wide characters are those of East Asian Width W and F and those of emoji presentation (Unicode Standard
/// Annex 11, Unicode Technical Standard 51); ranges were joined across unassigned code points. Characters of
/// ambiguous width count as one column, as in Western locales. Terminals disagree about joined emoji,
/// variation selectors and flags; `SafeText` lets none of those through.
package enum DisplayWidth {
  /// The columns of one character: 0 for marks drawn over the one before, 2 for wide ones, else 1.
  ///
  /// Control and other invisible characters count 0; they have no place in text that is measured.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    if isZeroWidth(scalar) { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  /// The columns of a text that holds no escape sequences, the sum over its characters.
  package static func columns(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text cut or padded with spaces to exactly so many columns; text that does not fit ends in “…”.
  package static func fit(
    _ text: String, columns limit: Int, align: Alignment = .leading, filler: Character = " "
  ) -> String {
    let cut = SafeText(text, limitColumns: limit)
    let missing = max(0, limit - cut.columns)
    switch align {
    case .leading: return cut.text + String(repeating: filler, count: missing)
    case .trailing: return String(repeating: filler, count: missing) + cut.text
    case .center:
      return String(repeating: filler, count: missing / 2) + cut.text
        + String(repeating: filler, count: missing - missing / 2)
    }
  }

  /// Whether the character is drawn over the one before it: marks, and Hangul vowels and finals that join it.
  static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    if isJoiningJamo(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether this is a Hangul vowel or final consonant, which is drawn into the syllable before it.
  static func isJoiningJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count && wideRanges[low].contains(scalar.value)
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x2FFB,
    0x3000...0x303E, 0x3041...0x31E3, 0x31F0...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x16FF1, 0x17000...0x18D1E, 0x1AFF0...0x1B122, 0x1B150...0x1B152, 0x1B164...0x1B2FB,
    0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
    0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
    0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
    0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A,
    0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF8, 0x20000...0x33479,
  ]
}

/// Where text stands in a field that is wider than it.
package enum Alignment: Hashable, Sendable {
  /// At the left edge.
  case leading
  /// At the right edge.
  case trailing
  /// In the middle, an odd column over to the right.
  case center
}

import Terminal
import TestKit
import Testing

@Suite struct SafeTextTests {
  /// Whether a scalar of a safe text is one that must never come out, decided without the code under test.
  private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB, 0xFDD0...0xFDEF: true
    case 0xE000...0xF8FF, 0xE0000...0x10FFFF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  @Test func noScalarComesOutDangerous() {
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: Effort.isQuick ? 13 : 1) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if SafeText("a\(scalar)b").text == "a\u{FFFD}b" { continue }
      for text in [SafeText(String(scalar)), SafeText("a\(scalar)b")] {
        let bad = text.text.unicodeScalars.first { isForbidden($0) }
        if let bad { Issue.record("U+\(String(value, radix: 16)) gave U+\(String(bad.value, radix: 16))") }
        if text.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { Issue.record("control byte") }
        if text.columns != DisplayWidth.columns(of: text.text) { Issue.record("columns of \(value)") }
        if SafeText(text.text) != text { Issue.record("not a fixed point: \(value)") }
      }
    }
  }

  @Test func whatBecomesOfEachKind() {
    let cases: [(String, String)] = [
      ("plain", "plain"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"), ("a\nb\tc\r", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
      ("a\u{9B}31mb\u{7F}", "a\u{FFFD}31mb\u{FFFD}"), ("a\u{202E}b\u{2066}", "a\u{FFFD}b\u{FFFD}"),
      ("a\u{2028}b\u{2029}", "a\u{FFFD}b\u{FFFD}"), ("a\u{200B}\u{200D}\u{FEFF}\u{AD}b", "ab"),
      ("❤\u{FE0F}", "❤"), ("👨\u{200D}👩\u{200D}👧", "👨👩👧"), ("👋\u{1F3FD}", "👋"), ("🇩🇪", "DE"),
      ("a\u{E0041}\u{E007F}b", "ab"), ("\u{E000}\u{FFFF}\u{378}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("a\u{A0}b\u{3000}c", "a b c"), ("\u{301}a", "a"), ("e\u{301}", "e\u{301}"),
      ("a\u{301}\u{302}\u{303}\u{304}b\u{305}", "a\u{301}\u{302}b\u{305}"),
      ("a\u{301}\u{200D}\u{302}\u{200D}\u{303}", "a\u{301}\u{302}"),
      ("\u{1112}\u{1161}\u{11AB}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"), ("日本語", "日本語"), ("", ""),
    ]
    for (foreign, safe) in cases {
      #expect(
        Array(SafeText(foreign).text.unicodeScalars) == Array(safe.unicodeScalars),
        "\(foreign.debugDescription)")
    }
    let steering =
      "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
    #expect(SafeText(steering).text == String(repeating: "\u{FFFD}", count: 12))
    #expect(SafeText(bytes: [0x61, 0xFF, 0xC3, 0x62]).text == "a\u{FFFD}\u{FFFD}b")
  }

  @Test func widthIsCutWithAnEllipsis() {
    #expect(SafeText("abcdef", limitColumns: 6).text == "abcdef")
    #expect(SafeText("abcdefg", limitColumns: 6).text == "abcde…")
    #expect(SafeText("日本語", limitColumns: 6).text == "日本語")
    #expect(SafeText("日本語x", limitColumns: 6).text == "日本…")
    #expect(SafeText("日本語", limitColumns: 5).text == "日本…")
    #expect(SafeText("日本語", limitColumns: 4).text == "日…")
    #expect(SafeText("e\u{301}e\u{301}e\u{301}", limitColumns: 2).text == "e\u{301}…")
    #expect(SafeText("ab", limitColumns: 1).text == "…")
    #expect(SafeText("ab", limitColumns: 0).text == "")
    #expect(SafeText("ab", limitColumns: -7).text == "")
    #expect(SafeText("", limitColumns: 0).text == "")
    #expect(SafeText("x", limitColumns: 1).text == "x")
  }

  @Test func randomTextIsSafeCutAndAFixedPoint() {
    var random = SeededGenerator(state: 1)
    for _ in 0..<Effort.size(20_000, quick: 1_000) {
      let foreign = random.text(limitScalars: 24)
      let limit = random.below(30)
      let safe = SafeText(foreign, limitColumns: limit)
      #expect(safe.columns <= limit)
      #expect(safe.columns == DisplayWidth.columns(of: safe.text))
      #expect(!safe.text.unicodeScalars.contains { isForbidden($0) })
      let again = SafeText(safe.text, limitColumns: limit)
      #expect(Array(again.text.utf8) == Array(safe.text.utf8), "\(foreign.debugDescription) \(limit)")
      let whole = SafeText(foreign)
      if whole.columns <= limit {
        #expect(whole == safe)
      } else {
        #expect(limit == 0 || safe.text.hasSuffix("…"))
      }
      #expect(longestRunOfMarks(whole.text) <= SafeText.limitMarks)
    }
  }

  @Test func knownWidths() {
    let cases: [(String, Int)] = [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🔴🟡", 4), ("🍎", 2), ("한글", 4), ("┌─┐", 3),
      ("ｱ", 1), ("Ａ", 2), ("⭐", 2), ("☆", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("🫠", 2), ("…", 1), ("❌⭕", 4),
    ]
    for (text, columns) in cases { #expect(DisplayWidth.columns(of: text) == columns, "\(text)") }
  }

  @Test func fittingPadsAndCutsToExactlyTheWidth() {
    #expect(DisplayWidth.fit("ab", columns: 4) == "ab  ")
    #expect(DisplayWidth.fit("ab", columns: 5, align: .trailing) == "   ab")
    #expect(DisplayWidth.fit("日", columns: 5, align: .center) == " 日  ")
    #expect(DisplayWidth.fit("日本語", columns: 4, align: .trailing) == " 日…")
    #expect(DisplayWidth.fit("abc", columns: 0) == "")
    #expect(DisplayWidth.fit("ab", columns: 4, filler: "─") == "ab──")
  }

  private func longestRunOfMarks(_ text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run =
        DisplayWidth.columns(of: scalar) == 0 || scalar.properties.generalCategory == .spacingMark
        ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

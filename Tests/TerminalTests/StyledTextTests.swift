import TestKit
import Testing

@testable import Terminal

@Suite struct StyledTextTests {
  private func lines(_ text: String, _ columns: Int) -> [String] {
    StyledText(text).wrapped(to: columns).map(\.text)
  }

  @Test func stylesTakeNoRoomAndEndWhereTheyBegan() {
    let text = StyledText("\u{1B}[1;31mred\u{1B}[0m and 🐱")
    #expect(text.columns == 10)
    #expect(text.text == "\u{1B}[1;31mred\u{1B}[0m and 🐱")
    #expect(text.cut(to: 3).text == "\u{1B}[1;31mre\u{1B}[0m…")
    #expect(text.cut(to: 10).text == text.text)
    #expect(text.cut(to: 0).text.isEmpty)
  }

  @Test func linesBreakAtSpacesAndStylesGoOn() {
    #expect(lines("one two three", 7) == ["one two", "three"])
    #expect(lines("one two three", 6) == ["one", "two", "three"])
    #expect(lines("unbreakable", 4) == ["unbr", "eaka", "ble"])
    #expect(lines("", 5) == [""])
    #expect(lines("\u{1B}[2mone two\u{1B}[0m", 3) == ["\u{1B}[2mone\u{1B}[0m", "\u{1B}[2mtwo\u{1B}[0m"])
    // A wide character is not cut in two.
    #expect(lines("日本語", 3) == ["日", "本", "語"])
  }

  /// Whatever comes, no line is wider than it may be, and nothing steers the terminal.
  @Test func anyTextIsBrokenToItsWidth() {
    var random = SeededGenerator(state: 5)
    let pieces = [
      "a", " ", "🐱", "日", "e\u{301}", "\u{1B}[1m", "\u{1B}[0m", "\u{1B}[2J", "\u{1B}", "\u{7}", "long",
      "\u{1B}[5",
    ]
    for _ in 0..<2000 {
      let text = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let columns = Int.random(in: 2...9, using: &random)
      for line in StyledText(text).wrapped(to: columns) {
        #expect(line.columns <= columns)
        #expect(line.cut(to: 3).columns <= 3)
        let bare = line.text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(bare.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(text.debugDescription)")
      }
    }
  }

  @Test func whatIsTooWideIsBrokenAtSpaces() {
    func lines(_ text: String, _ columns: Int) -> [String] {
      StyledText(text).brokenAtSpaces(to: columns).map(\.text)
    }
    #expect(lines("as  it is", 9) == ["as  it is"])
    #expect(lines("  one two  three", 9) == ["  one two", "  three"])
    #expect(lines("see `parlor log list`, or not", 12) == ["see", "`parlor log list`,", "or not"])
    #expect(lines("see `parlor log list, or not", 12) == ["see `parlor", "log list, or", "not"])
    #expect(lines("0123456789ab cd", 5) == ["0123456789ab", "cd"])
    #expect(
      lines("\u{1B}[1mone two\u{1B}[0m 日本", 5) == ["\u{1B}[1mone\u{1B}[0m", "\u{1B}[1mtwo\u{1B}[0m", "日本"])
  }
}

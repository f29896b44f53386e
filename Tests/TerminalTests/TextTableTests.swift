import Terminal
import TestKit
import Testing

@Suite struct TextTableTests {
  private var standings: TextTable {
    var table = TextTable([.number("#"), .text("name"), .number("points"), .text("note")])
    table.append(["1", "日本語", "12.5", "wins all"], emphasized: true)
    table.append(["10", "e\u{301}mile\u{1B}[2J", "3"])
    return table
  }

  private func text(_ table: TextTable, _ limit: Int?) -> String {
    table.lines(limitColumns: limit).joined(separator: "\n")
  }

  @Test func alignsByDisplayWidth() {
    #expect(
      text(standings, nil) == """
         #  name       points  note
         1  日本語       12.5  wins all
        10  e\u{301}mile\u{FFFD}[2J       3
        """)
  }

  @Test func shrinksTextBeforeNumbers() {
    #expect(
      text(standings, 27) == """
         #  name     points  note
         1  日本語     12.5  wins …
        10  e\u{301}mile\u{FFFD}…       3
        """)
    #expect(
      text(standings, 26) == """
         #  name    points  note
         1  日本語    12.5  wins …
        10  e\u{301}mile…       3
        """)
  }

  /// Nothing is cut to nothing: the cells of a row stand below each other instead.
  @Test func rowsAreToldWhereThereIsNoRoom() {
    #expect(
      text(standings, 22) == """
        1  name 日本語
          points 12.5
          note wins all
        10  name e\u{301}mile\u{FFFD}[2J
          points 3
        """)
    var table = TextTable([.number("#"), .prose("SAYS"), .text("ID", shrinks: false)])
    table.append(["1", "one two three four five", "0123456789"])
    table.append(["2", "six", "0123456789abcdef"], emphasized: true)
    #expect(
      table.lines(limitColumns: 20, drawing: Drawing(hasStyles: true)) == [
        "1 SAYS one two", "  three four five", "  ID 0123456789", "\u{1B}[1m2  SAYS six\u{1B}[0m",
        "\u{1B}[1m  ID\u{1B}[0m", "\u{1B}[1m  0123456789abcdef\u{1B}[0m",
      ])
  }

  @Test func columnsYieldBeforeOthersShrinkToNothing() {
    var table = TextTable([
      .text("ROOM", shrinks: false), .text("PLAYERS"), .text("STATUS"), .number("EVENTS").yielding(1),
      .text("WHEN", shrinks: false).yielding(2),
    ])
    table.append(["0123456789", "Alice – Bob", "finished", "12", "2026-11-25 08:44"])
    #expect(
      text(table, 36) == """
        ROOM        PLAYERS      STATUS
        0123456789  Alice – Bob  finished
        """)
    #expect(
      text(table, 48) == """
        ROOM        PLAYERS   STATUS    WHEN
        0123456789  Alice –…  finished  2026-11-25 08:44
        """)
    #expect(text(table, 80).hasPrefix("ROOM        PLAYERS      STATUS    EVENTS  WHEN"))
  }

  @Test func sentencesGoOnBelow() {
    var table = TextTable([.text("ID", shrinks: false), .prose("WHAT")])
    table.append(["0123456789abcdef", "one two three four five six seven"])
    table.append(["1", "x"])
    #expect(
      text(table, 42) == """
        ID                WHAT
        0123456789abcdef  one two three four five
                          six seven
        1                 x
        """)
    #expect(text(table, 200) == text(table, nil))
    #expect(text(table, 10).contains("0123456789abcdef"))
  }

  @Test func emphasisOnlyWithStyles() {
    let lines = standings.lines(limitColumns: nil, drawing: Drawing(hasStyles: true))
    #expect(lines[0] == "\u{1B}[1m #  name       points  note\u{1B}[0m")
    #expect(lines[1].hasPrefix("\u{1B}[1m 1"))
    #expect(!lines[2].contains("\u{1B}"))
  }

  @Test func anyTableFitsItsWidth() {
    var random = SeededGenerator(state: 4)
    for _ in 0..<Effort.size(2_000, quick: 100) {
      let columns = (0..<random.below(6)).map { _ in
        random.below(2) == 0 ? TextTable.Column.text(random.text(limitScalars: 8)) : .number("n")
      }
      var table = TextTable(columns)
      for _ in 0..<random.below(5) {
        table.append((0..<random.below(7)).map { _ in random.text(limitScalars: 20) })
      }
      let limit = random.below(60)
      let lines = table.lines(limitColumns: limit)
      let wide = table.lines(limitColumns: nil)
      // Where the rows are told below each other, no word is cut.
      let least = table.lines(limitColumns: 0).map { DisplayWidth.columns(of: $0) }.max() ?? 0
      #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= max(limit, least) })
      let widest = wide.map { DisplayWidth.columns(of: $0) }.max() ?? 0
      // A table that fits is left alone; trailing spaces do not count, so a little room is given.
      #expect(table.lines(limitColumns: widest + 40) == wide)
    }
  }
}

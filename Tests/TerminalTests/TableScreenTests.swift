import Rules
import TestKit
import Testing

@testable import Terminal

@Suite struct TableScreenTests {
  /// The sizes that people have, and the least one.
  static let sizes = [(36, 20), (80, 24), (120, 40), (30, 12)]

  private static let small = Diagram(
    board: [
      [.piece(Seat(0)), .playable("2"), .piece(Seat(1))],
      [.playable("4"), .marked(Seat(0)), .playable("6")],
      [.playable("7"), .playable("8"), .empty],
    ], lines: ["Round 1"])

  /// A board of so many rows and columns.
  private static func grid(_ rows: Int, _ columns: Int) -> Diagram {
    Diagram(
      board: (0..<rows).map { row in (0..<columns).map { .playable("\($0)\(row)") } },
      columnLabels: (0..<columns).map { "\($0)" }, rowLabels: (0..<rows).map { "\($0)" })
  }

  private func screen(_ diagram: Diagram = small, drawing: Drawing = Drawing()) -> TableScreen {
    var screen = TableScreen(drawing: drawing)
    screen.title = "Tic-tac-toe — game 82abf5d26e"
    screen.players = ["▸ 🐱 You  4:59  to move", "  🐶 Bob  5:00"]
    screen.diagram = diagram
    screen.pieces = ["🐱", "🐶"]
    screen.moves = diagram.board.joined().compactMap {
      if case .playable(let text) = $0 { text } else { nil }
    }
    screen.words = ["resign", "quit"]
    screen.status = "It is your turn."
    screen.question = "Your move: "
    screen.say(["🐶 Bob played 3", "Bob: good luck"])
    return screen
  }

  /// What a terminal shows of a frame, which has to be as wide as the frame says.
  private func picture(_ frame: ScreenFrame, _ columns: Int, _ rows: Int) -> [String] {
    var terminal = TerminalEmulator(columns: columns, rows: rows) { DisplayWidth.columns(of: $0) }
    terminal.write(frame.changes(after: nil))
    #expect(terminal.unknown.isEmpty && terminal.scrolledAway.isEmpty)
    #expect(terminal.cursor == frame.cursor)
    return terminal.picture
  }

  private func picture(_ screen: TableScreen, _ columns: Int, _ rows: Int) -> [String] {
    picture(screen.frame(columns: columns, rows: rows), columns, rows)
  }

  private func type(_ keys: Key..., on screen: inout TableScreen) -> TableScreen.Outcome {
    var outcome = TableScreen.Outcome.refused
    for key in keys { outcome = screen.take(key, columns: 80, rows: 24) }
    return outcome
  }

  @Test func aNarrowTerminalHasTheNewsBelow() {
    #expect(
      picture(screen(), 36, 20) == [
        "Tic-tac-toe — game 82abf5d26e", "▸ 🐱 You  4:59  to move", "  🐶 Bob  5:00",
        "  ┌────┬────┬────┐", "  │ 🐱 │ 2  │ 🐶 │", "  ├────┼────┼────┤", "  │ 4  │[🐱]│ 6  │",
        "  ├────┼────┼────┤", "  │ 7  │ 8  │    │", "  └────┴────┴────┘", "  Round 1", "🐶 Bob played 3",
        "Bob: good luck", "", "", "", "", "", "It is your turn.", "Your move:",
      ])
  }

  /// Where a board has no room for pieces, who plays is named by the letters that stand for them.
  @Test func lettersOfTheBoardStandForThePlayersToo() {
    var grid = Self.grid(15, 15)
    grid.board[0][0] = .piece(Seat(0))
    grid.board[14][14] = .piece(Seat(1))
    let narrow = picture(screen(grid), 36, 22)
    #expect(
      narrow[1...3] == ["▸ X You  4:59  to move", "  O Bob  5:00", "   0  X · · · · · · · · · · · · · ·"])
    let wide = picture(screen(grid), 120, 40)
    #expect(wide.contains { $0.contains("▸ 🐱 You") } && wide.contains { $0.contains("🐶 Bob  5:00") })
  }

  @Test(arguments: [(80, 24), (120, 40)]) func aWideOneHasThemBeside(_ columns: Int, _ rows: Int) {
    let blank = [String](repeating: "", count: rows - 11)
    #expect(
      picture(screen(), columns, rows) == [
        "Tic-tac-toe — game 82abf5d26e", "",
        "  ┌────┬────┬────┐    ▸ 🐱 You  4:59  to move", "  │ 🐱 │ 2  │ 🐶 │      🐶 Bob  5:00",
        "  ├────┼────┼────┤", "  │ 4  │[🐱]│ 6  │    Round 1", "  ├────┼────┼────┤",
        "  │ 7  │ 8  │    │    🐶 Bob played 3", "  └────┴────┴────┘    Bob: good luck",
      ] + blank + ["It is your turn.", "Your move:"])
  }

  /// Every size of board on every size of terminal: no row is too wide, and the line to type is the last one.
  @Test(arguments: [(3, 3), (6, 7), (8, 8), (9, 9), (15, 15), (19, 19), (0, 0)])
  func everyBoardFits(_ rows: Int, _ columns: Int) {
    for drawing in [Drawing(), Drawing(hasStyles: true), Drawing(hasUnicode: false)] {
      for (width, height) in Self.sizes + [(20, 5), (1, 1), (250, 70)] {
        var screen = screen(Self.grid(rows, columns), drawing: drawing)
        screen.say([String(repeating: "long words ", count: 60)])
        let frame = screen.frame(columns: width, rows: height)
        #expect(frame.rows.count == height)
        guard (width, height) >= (30, 12) else { continue }
        let shown = picture(frame, width, height)
        #expect(shown.last == "Your move:", "\(rows) by \(columns) at \(width) by \(height)")
        for row in frame.rows { #expect(StyledText(row).columns <= width, "\(row)") }
        if drawing.hasUnicode == false { #expect(!shown.contains { $0.contains("…") || $0.contains("—") }) }
      }
    }
  }

  /// From any frame to any other, a terminal comes to show what it would have shown at once.
  @Test func theDifferenceIsTheFrame() {
    var random = SeededGenerator(state: 3)
    var terminal = TerminalEmulator(columns: 80, rows: 24) { DisplayWidth.columns(of: $0) }
    var screen = screen(Self.grid(6, 7))
    var before: ScreenFrame?
    for step in 0..<300 {
      let keys: [Key] = [
        .up, .left, .right, .down, .character("é"), .backspace, .pageUp, .enter, .control("i"),
      ]
      _ = screen.take(keys.randomElement(using: &random) ?? .up, columns: 80, rows: 24)
      if step % 3 == 0 { screen.say(["🐱 news \(step)"]) }
      if step % 7 == 0 {
        screen.diagram = [Self.small, Self.grid(8, 8)].randomElement(using: &random) ?? Self.small
      }
      let frame = screen.frame(columns: 80, rows: 24)
      let changes = frame.changes(after: before)
      terminal.write(changes)
      #expect(terminal.picture == picture(frame, 80, 24))
      #expect(terminal.cursor == frame.cursor && terminal.isCursorShown)
      #expect(frame.changes(after: frame).isEmpty)
      before = frame
    }
    // A key costs a row, not a screen.
    var typed = screen
    _ = typed.take(.character("x"), columns: 80, rows: 24)
    #expect(typed.frame(columns: 80, rows: 24).changes(after: before).utf8.count < 200)
  }

  @Test func cursorKeysChooseASquareAndEnterPlaysIt() {
    var screen = screen()
    #expect(type(.right, on: &screen) == .changed)
    #expect(picture(screen, 80, 24)[5].contains("│>🐱<│"))
    // A square that is taken cannot be played.
    #expect(type(.enter, on: &screen) == .refused)
    #expect(type(.right, .enter, on: &screen) == .line("6"))
    #expect(type(.right, on: &screen) == .refused)
    #expect(type(.down, .enter, on: &screen) == .refused)
    #expect(type(.escape, on: &screen) == .changed)
    #expect(!picture(screen, 80, 24).contains { $0.contains(">") })
    // With text in the line the keys are the line's.
    #expect(type(.up, .character("7"), .left, .character("1"), .enter, on: &screen) == .line("17"))
    // Whoever's turn it is not chooses nothing.
    screen.moves = []
    #expect(!picture(screen, 80, 24).contains { $0.contains(">") })
    #expect(type(.right, on: &screen) == .refused)
  }

  /// A piece that drops is played anywhere in its column, and no other one is.
  @Test func aColumnIsChosenByAnyOfItsSquares() {
    var board = Self.grid(6, 7)
    for row in 0..<6 {
      for column in 0..<7 { board.board[row][column] = row == 5 ? .playable("\(column + 1)") : .empty }
    }
    var screen = screen(board)
    #expect(type(.up, .enter, on: &screen) == .line("4"))
    screen.diagram.board[5][3] = .piece(Seat(0))
    #expect(type(.enter, on: &screen) == .refused)
  }

  @Test(arguments: [(36, 20), (80, 24), (120, 40)]) func aMouseChoosesASquare(_ columns: Int, _ rows: Int)
    throws
  {
    for diagram in [Self.small, Self.grid(8, 8), Self.grid(15, 15)] {
      var screen = screen(diagram)
      let shown = picture(screen, columns, rows)
      let texts = screen.moves
      guard shown.contains(where: { $0.contains("┌") }) else {
        // A compact board has dots: every square that a click chooses is the one that is drawn so.
        let row = try #require(shown.firstIndex { $0.contains("·") })
        let column = try #require(Array(shown[row]).firstIndex(of: "·"))
        #expect(
          screen.take(.click(column: column + 1, row: row + 1), columns: columns, rows: rows) == .changed)
        #expect(screen.selected == BoardSquare(row: 0, column: 0))
        continue
      }
      for text in texts {
        let row = try #require(shown.firstIndex { $0.contains(" \(text) ") }, "\(text)")
        let place = try #require(shown[row].ranges(of: " \(text) ").first).lowerBound
        let column = DisplayWidth.columns(of: shown[row][..<place]) + 2
        let click = Key.click(column: column, row: row + 1)
        #expect(screen.take(click, columns: columns, rows: rows) == .changed, "\(text)")
        #expect(screen.take(click, columns: columns, rows: rows) == .line(text))
      }
      for place in [(1, 1), (columns, rows), (Int.max, Int.max), (1, rows)] {
        let click = Key.click(column: place.0, row: place.1)
        #expect(screen.take(click, columns: columns, rows: rows) == .refused)
      }
    }
  }

  @Test func newsScrollBackAndNewOnesAreShown() {
    var screen = screen(Self.grid(8, 8))
    for number in 1...300 { screen.say(["news \(number)."]) }
    #expect(picture(screen, 80, 24).contains { $0.hasSuffix("news 300.") })
    #expect(type(.pageUp, .pageUp, on: &screen) == .changed)
    #expect(!picture(screen, 80, 24).contains { $0.hasSuffix("news 300.") })
    #expect(picture(screen, 80, 24).contains { $0.contains("PageDown") })
    for _ in 0..<100 { _ = type(.pageUp, on: &screen) }
    #expect(picture(screen, 80, 24).contains { $0.hasSuffix("Bob played 3") })
    screen.say(["the newest"])
    #expect(picture(screen, 80, 24).contains { $0.hasSuffix("the newest") })
    for number in 0..<1000 { screen.say(["more \(number)"]) }
    #expect(screen.news.count == TableScreen.limitNews)
  }

  @Test func aLongLineShowsThePartAroundTheCursor() {
    var screen = screen()
    for character in "say " + String(repeating: "0123456789", count: 9) {
      _ = type(.character(character), on: &screen)
    }
    #expect(picture(screen, 36, 20).last?.hasSuffix("56789") == true)
    #expect(screen.frame(columns: 36, rows: 20).cursor == (19, 35))
    _ = type(.home, on: &screen)
    #expect(picture(screen, 36, 20).last?.hasPrefix("Your move: say 0123") == true)
    // What was typed stays when news come, and when the question is another.
    screen.say(["Bob: hello"])
    screen.question = "> "
    #expect(picture(screen, 80, 24).last?.hasPrefix("> say 0123") == true)
  }
}

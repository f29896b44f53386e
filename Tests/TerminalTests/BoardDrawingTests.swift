import Rules
import Terminal
import TestKit
import Testing

@Suite struct BoardDrawingTests {
  private let first = Diagram.Cell.piece(Seat(0))
  private let second = Diagram.Cell.piece(Seat(1))

  private var small: Diagram {
    Diagram(
      board: [
        [first, .playable("2"), second], [.playable("4"), .marked(Seat(0)), .playable("6")],
        [.playable("7"), .playable("8"), second],
      ], lines: ["seat 1 to move"])
  }

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  @Test func threeByThree() {
    #expect(
      text(BoardDrawing(pieces: ["🍎", "🍌"]).lines(small)) == """
        ┌────┬────┬────┐
        │ 🍎 │ 2  │ 🍌 │
        ├────┼────┼────┤
        │ 4  │[🍎]│ 6  │
        ├────┼────┼────┤
        │ 7  │ 8  │ 🍌 │
        └────┴────┴────┘
        seat 1 to move
        """)
  }

  @Test func asciiHasLettersForEmoji() {
    #expect(
      text(BoardDrawing(pieces: ["🍎", "Q"], drawing: Drawing(hasUnicode: false), indent: 1).lines(small))
        == """
         +---+---+---+
         | X | 2 | Q |
         +---+---+---+
         | 4 |[X]| 6 |
         +---+---+---+
         | 7 | 8 | Q |
         +---+---+---+
         seat 1 to move
        """)
  }

  @Test func sevenBySix() {
    var board = Array(repeating: Array(repeating: Diagram.Cell.empty, count: 7), count: 6)
    (board[5][2], board[5][3], board[5][4], board[4][3]) = (second, first, first, .marked(Seat(1)))
    let diagram = Diagram(board: board, columnLabels: (1...7).map(String.init))
    #expect(
      text(BoardDrawing(pieces: ["🔴", "🟡"]).lines(diagram)) == """
        ┌────┬────┬────┬────┬────┬────┬────┐
        │    │    │    │    │    │    │    │
        ├────┼────┼────┼────┼────┼────┼────┤
        │    │    │    │    │    │    │    │
        ├────┼────┼────┼────┼────┼────┼────┤
        │    │    │    │    │    │    │    │
        ├────┼────┼────┼────┼────┼────┼────┤
        │    │    │    │    │    │    │    │
        ├────┼────┼────┼────┼────┼────┼────┤
        │    │    │    │[🟡]│    │    │    │
        ├────┼────┼────┼────┼────┼────┼────┤
        │    │    │ 🟡 │ 🔴 │ 🔴 │    │    │
        └────┴────┴────┴────┴────┴────┴────┘
          1    2    3    4    5    6    7
        """)
  }

  @Test func stylesAndColumns() {
    let diagram = Diagram(board: [[first, .marked(Seat(1))]], columnLabels: ["a", "b"])
    let styled = BoardDrawing(pieces: ["🍎", "🍌"], drawing: Drawing(hasStyles: true), setsColumns: true)
    let bar = "\u{1B}[2m│\u{1B}[0m"
    #expect(
      styled.lines(diagram) == [
        "\u{1B}[2m┌────┬────┐\u{1B}[0m",
        "\(bar) 🍎 \u{1B}[6G\(bar)\u{1B}[7m 🍌 \u{1B}[0m\u{1B}[11G\(bar)",
        "\u{1B}[2m└────┴────┘\u{1B}[0m",
        "\u{1B}[2m  a    b\u{1B}[0m",
      ])
  }

  private func wide(_ columns: Int) -> Diagram {
    var board = [
      Array(repeating: Diagram.Cell.playable("a10"), count: columns),
      Array(repeating: Diagram.Cell.empty, count: columns),
    ]
    (board[0][1], board[1][2], board[1][columns - 1]) = (first, second, .marked(Seat(1)))
    return Diagram(board: board, columnLabels: (1...columns).map(String.init), rowLabels: ["10", "9"])
  }

  @Test func labelsStandBesideTheRows() {
    #expect(
      text(BoardDrawing(pieces: [], indent: 1).lines(wide(3)))
        == """
            ┌─────┬─────┬─────┐
         10 │ a10 │  X  │ a10 │
            ├─────┼─────┼─────┤
          9 │     │     │[ O ]│
            └─────┴─────┴─────┘
               1     2     3
        """)
  }

  @Test func aWideBoardIsDrawnCompact() {
    #expect(
      text(BoardDrawing(pieces: ["⚫", "⚪"], limitColumns: 40).lines(wide(12)))
        == """
        10  ·  ⚫ ·  ·  ·  ·  ·  ·  ·  ·  ·  ·\u{20}\u{20}
         9  ·  ·  ⚪ ·  ·  ·  ·  ·  ·  ·  · [⚪]
            1  2  3  4  5  6  7  8  9  10 11 12
        """)
    #expect(
      text(BoardDrawing(pieces: ["⚫", "⚪"], limitColumns: 39).lines(wide(12)))
        == """
        10  · X · · · · · · · · · ·\u{20}
         9  · · O · · · · · · · ·[O]
            1 2 3 4 5 6 7 8 9 10  12
        X is ⚫, O is ⚪
        """)
    #expect(
      text(BoardDrawing(pieces: [], drawing: Drawing(hasUnicode: false), limitColumns: 20).lines(wide(12)))
        == """
        10 .X..........
         9 ..O........O
           1 3 5 7 9 11
        """)
    let styled = BoardDrawing(
      pieces: ["⚫", "⚪"], drawing: Drawing(hasStyles: true), setsColumns: true, indent: 2, limitColumns: 20)
    let dot = "\u{1B}[2m· \u{1B}[0m"
    #expect(
      styled.lines(Diagram(board: [[first, .marked(Seat(1)), .empty, .empty]])) == [
        "   ⚫\u{1B}[6G \u{1B}[7m⚪\u{1B}[0m\u{1B}[9G \(dot)\u{1B}[12G \(dot)\u{1B}[15G "
      ])
  }

  /// Letters stay with the stones when the seats change sides; pieces that players asked for stay with the players.
  @Test func lettersAreThoseOfTheSides() {
    let stones = Diagram(board: [[first, second]], sides: [Seat(1), Seat(0)])
    #expect(BoardDrawing(pieces: []).lines(stones)[1] == "│ O │ X │")
    #expect(BoardDrawing(pieces: ["A", "B"]).lines(stones)[1] == "│ A │ B │")
  }

  @Test func noBoardIsWiderThanTheTerminal() {
    for columns in 3...19 {
      for limit in 36...90 {
        let lines = BoardDrawing(pieces: ["⚫", "⚪"], indent: 2, limitColumns: limit).lines(wide(columns))
        let widths = lines.map { DisplayWidth.columns(of: $0) }
        #expect(widths.allSatisfy { $0 <= limit }, "\(columns) columns in \(limit)")
      }
    }
  }

  @Test func anyPictureIsDrawnStraight() {
    var random = SeededGenerator(state: 2)
    for _ in 0..<Effort.size(2_000, quick: 100) {
      let pieces = (0..<random.below(4)).map { _ in random.text(limitScalars: 3) }
      let board = (0..<1 + random.below(12)).map { _ in
        (0..<random.below(9)).map { _ -> Diagram.Cell in
          switch random.below(4) {
          case 0: .empty
          case 1: .playable(random.text(limitScalars: 6))
          case 2: .piece(Seat(UInt16(random.below(256))))
          default: .marked(Seat(UInt16(random.below(256))))
          }
        }
      }
      let lines = BoardDrawing(pieces: pieces, drawing: Drawing(hasUnicode: random.below(2) == 0))
        .lines(Diagram(board: board))
      #expect(Set(lines.map { DisplayWidth.columns(of: $0) }).count <= 1, "\(lines)")
    }
  }

  @Test func noBoardIsItsTextAlone() {
    #expect(BoardDrawing(pieces: []).lines(Diagram(lines: ["round 1\u{1B}[2J"])) == ["round 1\u{FFFD}[2J"])
    let seats = Diagram(lines: ["\(Seat(0)) 3, \(Seat(1)) 1"])
    #expect(BoardDrawing(pieces: [], names: ["Ada"]).lines(seats) == ["Ada 3, seat 2 1"])
    #expect(BoardDrawing(pieces: []).lines(Diagram(board: [[], []])) == [])
  }
}

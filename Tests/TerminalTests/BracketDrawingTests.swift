import Terminal
import TestKit
import Testing

private typealias Match = BracketPicture.Match
private typealias Slot = BracketPicture.Slot

@Suite struct BracketDrawingTests {
  private func text(_ rounds: [[Match]], _ drawing: BracketDrawing = BracketDrawing()) -> String {
    drawing.lines(BracketPicture(rounds: rounds)).joined(separator: "\n")
  }

  private var eight: [[Match]] {
    [
      (0..<4).map {
        Match(Slot("entrant \($0)", score: "2"), Slot("日本語の名前\($0)", score: "½"), winner: $0 % 2)
      },
      [Match(Slot("entrant 0"), Slot("日本語の名前1"), winner: 0), Match(Slot("entrant 2"), Slot("日本語の名前3"))],
      [Match(Slot("entrant 0"), nil)],
    ]
  }

  @Test func twoEntrants() {
    #expect(
      text([[Match(Slot("solver", seed: 1, score: "2"), Slot("random", seed: 2, score: "0"), winner: 0)]])
        == """
        1 solver 2 ─┐
                    ├ 1 solver
        2 random 0 ─┘
        """)
  }

  @Test func threeEntrantsWithABye() {
    #expect(
      text([
        [
          Match(Slot("solver", seed: 1), nil, winner: 0),
          Match(Slot("greedy", seed: 2, score: "1"), Slot("random", seed: 3, score: "2"), winner: 1),
        ], [Match(Slot("solver", seed: 1, score: "2"), Slot("random", seed: 3, score: "0"), winner: 0)],
      ]) == """
                      1 solver 2 ─┐
                                  │
                                  ├ 1 solver
        2 greedy 1 ─┐             │
                    ├ 3 random 0 ─┘
        3 random 2 ─┘
        """)
  }

  @Test func fourEntrantsHalfPlayed() {
    #expect(
      text([
        [
          Match(Slot("solver", seed: 1, score: "2"), Slot("random", seed: 4, score: "0"), winner: 0),
          Match(Slot("lookahead:4", seed: 2), Slot("greedy", seed: 3)),
        ], [Match(Slot("solver", seed: 1), nil)],
      ]) == """
        1 solver      2 ─┐
                         ├ 1 solver ─┐
        4 random      0 ─┘           │
                                     ├ ──────
        2 lookahead:4   ─┐           │
                         ├ ──────── ─┘
        3 greedy        ─┘
        """)
  }

  @Test func eightEntrants() {
    #expect(
      text(eight) == """
        entrant 0     2 ─┐
                         ├ entrant 0     ─┐
        日本語の名前0 ½ ─┘                │
                                          ├ entrant 0 ─┐
        entrant 1     2 ─┐                │            │
                         ├ 日本語の名前1 ─┘            │
        日本語の名前1 ½ ─┘                             │
                                                       ├ ──────
        entrant 2     2 ─┐                             │
                         ├ entrant 2     ─┐            │
        日本語の名前2 ½ ─┘                │            │
                                          ├ ───────── ─┘
        entrant 3     2 ─┐                │
                         ├ 日本語の名前3 ─┘
        日本語の名前3 ½ ─┘
        """)
  }

  @Test func eightEntrantsNarrowAndAscii() {
    #expect(
      text(Array(eight), BracketDrawing(drawing: Drawing(hasUnicode: false), limitColumns: 50)) == """
        entrant 0 2 -+
                     + entrant 0 -+
        日本語の… ½ -+            |
                                  + entrant 0 -+
        entrant 1 2 -+            |            |
                     + 日本語の… -+            |
        日本語の… ½ -+                         |
                                               + ------
        entrant 2 2 -+                         |
                     + entrant 2 -+            |
        日本語の… ½ -+            |            |
                                  + --------- -+
        entrant 3 2 -+            |
                     + 日本語の… -+
        日本語の… ½ -+
        """)
  }

  @Test func stylesShowWhoLostAndWhoIsChampion() {
    let lines = BracketDrawing(drawing: Drawing(hasStyles: true)).lines(
      BracketPicture(rounds: [[Match(Slot("a"), Slot("b"), winner: 1)]]))
    #expect(
      lines == [
        "\u{1B}[2ma\u{1B}[0m\u{1B}[2m ─┐ \u{1B}[0m", " \u{1B}[2m  ├ \u{1B}[0m\u{1B}[1mb\u{1B}[0m",
        "b\u{1B}[2m ─┘ \u{1B}[0m",
      ])
  }

  @Test func allSizesUpTo64FitTheirWidth() {
    for exponent in 1...6 {
      for columns in [80, 100, 132] {
        let rounds = (1...exponent).map { round in
          (0..<(1 << (exponent - round))).map { index in
            Match(
              Slot("somebody with a long name \(index)", seed: 2 * index + 1, score: "2"),
              Slot("another \(index)", seed: 2 * index + 2, score: "0"), winner: index % 2)
          }
        }
        let lines = BracketDrawing(limitColumns: columns).lines(BracketPicture(rounds: rounds))
        #expect(lines.count == (2 << exponent) - 1)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
        #expect(lines.joined().filter { $0 == "┐" }.count == (1 << exponent) - 1)
      }
    }
  }

  @Test func larger128ShowsItsLastSixRounds() {
    let rounds = (1...7).map { round in
      (0..<(1 << (7 - round))).map { _ in Match(Slot("r\(round)"), Slot("r\(round)")) }
    }
    let lines = BracketDrawing().lines(BracketPicture(rounds: rounds))
    #expect(lines.count == 127)
    #expect(!lines.joined().contains("r1") && lines.joined().contains("r2"))
  }

  @Test func anyShapeIsDrawnWithoutTrouble() {
    var random = SeededGenerator(state: 3)
    #expect(BracketDrawing().lines(BracketPicture(rounds: [])) == [])
    #expect(BracketDrawing().lines(BracketPicture(rounds: [[]])) == [])
    for _ in 0..<Effort.size(300, quick: 30) {
      let rounds = (0..<random.below(9)).map { _ in
        (0..<random.below(70)).map { _ in
          Match(
            random.below(3) == 0
              ? nil : Slot(random.text(limitScalars: 9), seed: random.below(3) == 0 ? nil : .max),
            random.below(3) == 0
              ? nil : Slot(random.text(limitScalars: 9), score: random.text(limitScalars: 9)),
            winner: random.below(5) - 1)
        }
      }
      let lines = BracketDrawing(limitColumns: random.below(200)).lines(BracketPicture(rounds: rounds))
      #expect(lines.count <= 127)
    }
  }
}

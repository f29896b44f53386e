import Games
import Rules
import Testing

/// K in a row: what people type, set and see.
@Suite struct KInARowWordsTests {
  private func rules(_ settings: String...) throws -> KInARow { try KInARow(parameters(settings)) }

  private func position(_ rules: KInARow, _ moves: String) throws -> KInARow.Position {
    var position = rules.start(first: Seat(0))
    for text in moves.split(separator: " ") {
      let move = try #require(rules.move(text: String(text)))
      #expect(rules.isLegal(move, by: position.mover, in: position), "\(text)")
      rules.play(move, in: &position)
    }
    return position
  }

  @Test func movesAreReadAsTheyAreWritten() throws {
    for rules in [try rules("width=19", "height=19"), try rules("width=19", "gravity=yes")] {
      for code in 0..<UInt32(400) {
        guard let move = rules.move(code: MoveCode(code)) else { continue }
        #expect(rules.code(of: move) == MoveCode(code))
        #expect(rules.move(text: rules.text(of: move)) == move)
        #expect(rules.move(text: rules.text(of: move).uppercased()) == move)
      }
    }
    let standard = try rules()
    #expect(standard.move(text: "h8").map { standard.text(of: $0) } == "h8")
    for text in ["", "h", "8h", "j1", "a0", "a10", "a01", "h88", " h8", "h8 ", "h８", "`1", "\u{48}\u{301}8"] {
      #expect(standard.move(text: text) == nil, "\(text)")
    }
    let falling = try rules("gravity=yes")
    for text in ["", "0", "10", "01", "a1", "100", " 1"] {
      #expect(falling.move(text: text) == nil, "\(text)")
    }
    #expect(standard.move(code: MoveCode(81)) == nil && falling.move(code: MoveCode(9)) == nil)
  }

  /// A cell of another board is no trap.
  @Test func cellsOfOtherBoardsAreNotLegal() throws {
    let far = try #require(try rules("width=19", "height=19").move(text: "s19"))
    let above = try #require(try rules().move(text: "a2"))
    for (rules, move) in [
      (try rules(), far), (try rules("gravity=yes"), far), (try rules("gravity=yes"), above),
    ] {
      #expect(!rules.isLegal(move, by: Seat(0), in: rules.start(first: Seat(0))))
    }
    let gomoku = try Gomoku(Parameters())
    #expect(!gomoku.isLegal(.stone(far), by: Seat(0), in: gomoku.start(first: Seat(0))))
  }

  @Test func settingsAreRefusedWithWords() {
    let refusals = [
      (["width=2"], "the setting width cannot be “2”: it takes a whole number from 3 to 19"),
      (["height=20"], "the setting height cannot be “20”: it takes a whole number from 3 to 19"),
      (["line=10"], "the setting line cannot be “10”: it takes a whole number from 3 to 9"),
      (["width=12", "line=13"], "the setting line cannot be “13”: it takes a whole number from 3 to 12"),
      (["exact=maybe"], "the setting exact cannot be “maybe”: it takes no or yes"),
      (["gravity=1"], "the setting gravity cannot be “1”: it takes no or yes"),
      (["depth=3"], "the game has no setting “depth”; it has: width, height, line, exact, gravity"),
    ]
    for (settings, words) in refusals {
      do {
        _ = try KInARow(parameters(settings))
        Issue.record("\(settings) is taken")
      } catch { #expect("\(error)" == words) }
    }
  }

  @Test func aSmallBoardHasItsOwnStandardLine() throws {
    #expect(try rules("width=3", "height=4").parameters["line"] == "4")
    #expect(try rules("width=3").parameters["line"] == "5")
  }

  @Test func aLongerLineWinsOnlyWhereItMay() throws {
    let moves = "a1 a3 b1 b3 d1 c4 e1 e4 f1 f4 c1"
    let free = try rules("width=9")
    #expect(free.turn(in: try position(free, moves)) == .over(.won(by: Seat(0), of: 2)))
    let exact = try rules("width=9", "exact=yes")
    #expect(exact.turn(in: try position(exact, moves)) == .seat(Seat(1)))
    let five = "a1 a3 b1 b3 d1 c4 e1 e4 c1"
    #expect(exact.turn(in: try position(exact, five)) == .over(.won(by: Seat(0), of: 2)))
  }

  /// No line leads over an edge to the next row.
  @Test func linesEndAtTheEdges() throws {
    let rules = try rules("width=19", "height=3", "line=4")
    let over = try position(rules, "r1 a3 s1 c3 a2 e3 b2")
    #expect(rules.turn(in: over) == .seat(Seat(1)))
  }

  @Test func thePictureShowsTheLastStoneAndTheLine() throws {
    let rules = try rules("width=4", "height=3", "line=3")
    let begun = rules.diagram(of: try position(rules, "b2"))
    #expect(begun.columnLabels == ["a", "b", "c", "d"] && begun.rowLabels == ["3", "2", "1"])
    #expect(begun.board[1] == [.playable("a2"), .marked(Seat(0)), .playable("c2"), .playable("d2")])
    let won = rules.diagram(of: try position(rules, "b2 b1 a1 d1 c3"))
    let line = Diagram.Cell.marked(Seat(0))
    #expect(
      won.board == [
        [.empty, .empty, line, .empty], [.empty, line, .empty, .empty],
        [line, .piece(Seat(1)), .empty, .piece(Seat(1))],
      ])
    let falling = try self.rules("width=4", "height=3", "line=3", "gravity=yes")
    let dropped = falling.diagram(of: try position(falling, "2"))
    #expect(dropped.columnLabels == ["1", "2", "3", "4"] && dropped.rowLabels.isEmpty)
    #expect(dropped.board[1] == [.empty, .playable("2"), .empty, .empty])
  }

  @Test func bytes() throws {
    let rules = try rules("width=4", "height=3", "line=3")
    #expect(rules.encode(rules.start(first: Seat(1))) == [1, 0, 0, 0, 0, 0, 0])
    #expect(rules.encode(try position(rules, "a1 d1 a3")) == [0, 0, 9, 0x01, 0x01, 0x08, 0x00])
  }
}

import BotKit
import Games
import Rules
import TestKit
import Testing

@Suite struct TicTacToeTests {
  let rules = TicTacToe()

  /// Plays cells as people type them.
  private func played(_ moves: String, first: Seat = Seat(0)) -> GameOf<TicTacToe> {
    var game = GameOf(rules: rules, position: rules.start(first: first))
    for text in moves.map({ String($0) }) {
      let code = game.code(text: text)
      #expect(code.map { game.play($0) } == true, "\(text) in \(moves)")
    }
    return game
  }

  /// Published counts: 255,168 games, 549,946 sequences; 5,478 positions, 958 of them final.
  @Test(arguments: [Seat(0), Seat(1)])
  func countsOfTheWholeGame(first: Seat) {
    let start = rules.start(first: first)
    let perft = Perft(rules, from: start, depth: 9)
    #expect(perft.nodes == [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872])
    #expect(perft.nodes.reduce(0, +) == 549_946)
    #expect(perft.games == 255_168)
    #expect(perft.wins(of: first) == 131_184)
    #expect(perft.wins(of: first.opponent) == 77_904)
    #expect(perft.draws == [0, 0, 0, 0, 0, 0, 0, 0, 0, 46_080])
    #expect(perft.wins.map { $0[first.index] } == [0, 0, 0, 0, 0, 1440, 0, 47_952, 0, 81_792])
    #expect(perft.wins.map { $0[first.opponent.index] } == [0, 0, 0, 0, 0, 0, 5328, 0, 72_576, 0])
  }

  @Test func positionsOfTheWholeGame() {
    let start = rules.start(first: Seat(0))
    let levels = Perft.positions(rules, from: start, depth: 9)
    #expect(levels.map(\.count) == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78])
    let all = levels.joined()
    #expect(all.count == 5478)
    #expect(Set(all.map { rules.encode($0) }).count == 5478)
    let outcomes = all.compactMap { rules.turn(in: $0).outcome }
    #expect(outcomes.count == 958)
    #expect(outcomes.count { $0.winner == Seat(0) } == 626)
    #expect(outcomes.count { $0.winner == Seat(1) } == 316)
    #expect(outcomes.count { $0.winner == nil } == 16)
  }

  /// Every reachable position of both first movers has bytes of its own.
  @Test func encodingTellsWhoBegan() {
    let bytes = [Seat(0), Seat(1)].flatMap { first in
      Perft.positions(rules, from: rules.start(first: first), depth: 9).joined().map { rules.encode($0) }
    }
    #expect(bytes.count == 2 * 5478)
    #expect(Set(bytes).count == 2 * 5478)
    #expect(bytes.allSatisfy { $0.count == 5 })
  }

  @Test func linesByShiftsAreTheEightLines() {
    #expect(TicTacToe.Position.lines.count == 8)
    #expect(Set(TicTacToe.Position.lines).count == 8)
    #expect(TicTacToe.Position.lines.allSatisfy { $0.nonzeroBitCount == 3 })
    for mask in UInt16(0)..<512 {
      let expected = TicTacToe.Position.lines.contains { $0 & mask == $0 }
      #expect(TicTacToe.Position.hasLine(mask) == expected, "\(String(mask, radix: 2))")
    }
  }

  @Test func fullBoardWithoutLineIsDrawn() {
    let game = played("123546879")
    #expect(game.turn == .over(Outcome(scores: [0, 0])))
    #expect(game.diagram.board.joined().allSatisfy { if case .piece = $0 { true } else { false } })
  }

  @Test func winnerIsTheSeatNotTheFirstMover() {
    #expect(played("14253", first: Seat(0)).turn == .over(Outcome(scores: [1, 0])))
    #expect(played("14253", first: Seat(1)).turn == .over(Outcome(scores: [0, 1])))
    #expect(played("142579", first: Seat(1)).turn == .seat(Seat(1)))
    #expect(played("914275", first: Seat(0)).turn == .seat(Seat(0)))
    #expect(played("172849", first: Seat(1)).turn == .over(Outcome(scores: [1, 0])))
  }

  /// The last stone can complete two lines at once; both are marked.
  @Test func bothLinesOfADoubleWinAreMarked() {
    let game = played("123476985")
    let (line, o) = (Diagram.Cell.marked(Seat(0)), Diagram.Cell.piece(Seat(1)))
    #expect(game.turn == .over(Outcome(scores: [1, 0])))
    #expect(game.position.winningLine?.nonzeroBitCount == 5)
    #expect(game.diagram.board.joined().count { $0 == line } == 5)
    #expect(game.diagram.board.joined().count { $0 == o } == 4)
  }

  @Test func diagramNamesEmptyCells() {
    let game = played("51")
    let (x, o) = (Diagram.Cell.piece(Seat(0)), Diagram.Cell.piece(Seat(1)))
    #expect(
      game.diagram
        == Diagram(board: [
          [o, .playable("2"), .playable("3")], [.playable("4"), x, .playable("6")],
          [.playable("7"), .playable("8"), .playable("9")],
        ]))
  }

  @Test func diagramMarksTheWinningLine() {
    let (line, o) = (Diagram.Cell.marked(Seat(0)), Diagram.Cell.piece(Seat(1)))
    #expect(
      played("14253").diagram
        == Diagram(board: [[line, line, line], [o, o, .empty], [.empty, .empty, .empty]]))
  }

  @Test func textsAreTheDigitsOneToNine() {
    for code in UInt32(0)..<9 {
      #expect(rules.move(text: "\(code + 1)").map { rules.code(of: $0) } == MoveCode(code))
    }
    for text in ["0", "10", "", " 1", "1 ", "a", "１", "١", "1\u{301}", ":", "/"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
    #expect(TicTacToe.Cell(index: 9) == nil)
    #expect(rules.move(code: MoveCode(256)) == nil)
  }

  @Test func settingsAreRefused() {
    var parameters = Parameters()
    parameters["size"] = "4"
    #expect(throws: RulesError.unknownParameter("size", known: [])) { try TicTacToe(parameters) }
  }

  @Test func goldenPlaythroughs() throws {
    try Playthrough.check(TicTacToe.self, settings: [[], [], [], []])
  }
}

import BotKit
import Games
import Rules
import TestKit
import Testing

/// The last move is marked on every board whose moves put a piece.
@Suite struct LastMoveTests {
  /// Whether a square holds nothing yet.
  private func isFree(_ cell: Diagram.Cell) -> Bool {
    switch cell {
    case .empty, .playable: true
    case .piece, .marked, .face: false
    }
  }

  /// A board without its marks.
  private func bare(_ diagram: Diagram) -> [[Diagram.Cell]] {
    diagram.board.map { row in
      row.map { cell in if case .marked(let seat) = cell { .piece(seat) } else { cell } }
    }
  }

  @Test(arguments: [
    TicTacToe.name, ConnectFour.name, UltimateTicTacToe.name, Othello.name, KInARow.name, Gomoku.name,
  ])
  func thePieceThatIsNewIsMarked(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules(Parameters())
    for seed in 0..<12 as Range<UInt64> {
      var (state, random, moves) = (rules.start(first: Seat(UInt16(seed % 2))), RandomStream(seed: seed), 0)
      while case .seat(let seat) = state.turn {
        let before = state.diagram
        let legal = state.legalMoves(of: seat)
        let code = legal[Int(random.next() % UInt64(legal.count))]
        let isPlayed = state.play(code)
        #expect(isPlayed)
        moves += 1
        let after = state.diagram(after: code)
        for (row, cells) in after.board.enumerated() {
          for (column, cell) in cells.enumerated() where isFree(before.board[row][column]) && !isFree(cell) {
            #expect(cell == .marked(seat), "\(name), seed \(seed), move \(moves)")
          }
        }
        let marked = after.board.joined().count { if case .marked = $0 { true } else { false } }
        if name != UltimateTicTacToe.name, case .seat = state.turn { #expect(marked == 1) }
        #expect(marked > 0)
        // All else is as it was.
        #expect(bare(after) == bare(state.diagram) && after.lines == state.diagram.lines)
        #expect(state.diagram(after: MoveCode(.max)) == state.diagram)
      }
    }
  }
}

import BotKit
import Games
import Rules
import Testing

@testable import SearchBots

/// What searches say of moves, in words for players.
@Suite struct NoteWordsTests {
  private func words(_ value: Int32, isProven: Bool = true, _ game: String, after plies: Int = 9) -> String {
    SearchBots.words(for: MoveNote(value: value, isProven: isProven, nodes: 1), in: game, after: plies)
  }

  /// The numbers are those of the moves that the winner still makes when both play for the best.
  @Test(arguments: SearchFixture.scores.filter { $0.moves.utf8.count >= 24 })
  func whatIsToldOfAWinComesTrue(_ start: String, _ score: Int32) throws {
    let (rules, solver) = (ConnectFour(), ConnectFourSolver(tableBits: 20))
    var (moves, told, later) = (start, "", [Int]())
    while true {
      let position = try rules.position(moves: moves)
      if let outcome = rules.turn(in: position).outcome {
        let (first, plies) = (start.utf8.count, moves.utf8.count)
        guard let winner = outcome.winner else {
          #expect(told == "at best a draw")
          return
        }
        let isOfMover = winner == Seat(UInt16(first % 2))
        let count = later.count { $0 % 2 == (isOfMover ? first : first + 1) % 2 }
        #expect(
          told == (isOfMover ? "wins" : "loses") + (count > 0 ? " in \(count)" : ""), "\(start) \(plies)")
        return
      }
      let choice = try #require(try solver.solve(position).choice)
      if told.isEmpty {
        told = words(choice.lower, ConnectFour.name, after: moves.utf8.count + 1)
      } else {
        later.append(moves.utf8.count)
      }
      moves += String(choice.column + 1)
    }
  }

  @Test func otherGamesTellWhatTheirUnitsSay() {
    #expect(words(1, TicTacToe.name) == "wins")
    #expect(words(-1, TicTacToe.name) == "loses")
    #expect(words(0, TicTacToe.name) == "at best a draw")
    #expect(words(12, Othello.name) == "wins by 12")
    #expect(words(-2, Othello.name) == "loses by 2")
    // What is not proven is an estimate, in whatever units the game has.
    #expect(words(21, isProven: false, Othello.name) == "+21")
    #expect(words(-3, isProven: false, ConnectFour.name) == "-3")
    #expect(words(0, isProven: false, ConnectFour.name) == "even")
  }

  /// Notes come from others: any number, and games that nobody knows.
  @Test func anyNoteHasWords() {
    for value in [Int32.min, -1000, -22, -21, 21, 22, 1000, .max] {
      for plies in [0, 1, 42, 43, 1_000_000] {
        for game in [ConnectFour.name, Othello.name, TicTacToe.name, "unknown"] {
          for isProven in [true, false] {
            #expect(words(value, isProven: isProven, game, after: plies).utf8.count < 30)
          }
        }
      }
    }
    #expect(words(22, ConnectFour.name) == "wins")
    #expect(words(5, ConnectFour.name, after: 40) == "wins")
  }
}

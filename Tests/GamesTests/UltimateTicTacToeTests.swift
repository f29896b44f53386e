import BotKit
import Games
import Rules
import TestKit
import Testing

@Suite struct UltimateTicTacToeTests {
  let rules = UltimateTicTacToe()

  @Test func keepsTheSuite() { RulesSuite.check(UltimateTicTacToe.self, codes: 0...99, games: 20) }

  @Test func goldenPlaythroughs() throws { try Playthrough.check(UltimateTicTacToe.self, settings: [[]]) }

  /// Counts of move sequences (`reference/data/perft/ultimate_tictactoe.txt`).
  @Test func countsAreThePublishedOnes() {
    let published: [UInt64] = [1, 81, 720, 6336, 55_080, 473_256, 4_020_960, 33_782_544]
    let deepest = Effort.size(6, quick: 5, variable: "PARLOR_PERFT")
    for depth in 1...min(deepest, published.count - 1) {
      #expect(count(rules.start(first: Seat(0)), depth) == published[depth], "depth \(depth)")
    }
  }

  private func count(_ position: UltimateTicTacToe.Position, _ depth: Int) -> UInt64 {
    if depth == 0 { return 1 }
    var total: UInt64 = 0
    rules.forEachMove(of: position.mover, in: position) { move in
      var next = position
      rules.play(move, in: &next)
      total += count(next, depth - 1)
    }
    return total
  }

  /// The rules again, on a list of 81 letters.
  @Test func agreesWithASlowReference() throws {
    var (free, draws) = (0, 0)
    for seed in 0..<UInt64(Effort.size(400, quick: 60)) {
      var random = RandomStream(seed: seed)
      var position = rules.start(first: Seat(UInt16(seed % 2)))
      var slow = SlowUltimate()
      while true {
        let mover = position.mover
        let sign: Character = mover == position.first ? "X" : "O"
        let moves = rules.legalMoves(of: mover, in: position).map { 9 * Int($0.board) + Int($0.cell) }
        #expect(moves == slow.moves, "seed \(seed)")
        guard case .seat(mover) = rules.turn(in: position) else {
          let winner = slow.winner.map { $0 == "X" ? position.first : position.first.opponent }
          #expect(rules.turn(in: position).outcome?.winner == winner)
          draws += winner == nil ? 1 : 0
          break
        }
        free += position.target == nil ? 1 : 0
        let move = moves[Int(random.below(UInt64(moves.count)))]
        rules.play(try #require(UltimateTicTacToe.Move(board: move / 9, cell: move % 9)), in: &position)
        slow.play(move, sign)
      }
    }
    #expect(free > 100 && draws > 2, "\(free) free choices, \(draws) draws")
  }

  @Test func thePictureSaysWhereToPlay() throws {
    var position = rules.start(first: Seat(0))
    #expect(rules.diagram(of: position).lines.last?.text() == "To play: seat 1, on any open board")
    rules.play(try #require(rules.move(text: "e4")), in: &position)
    #expect(rules.diagram(of: position).lines.last?.text() == "To play: seat 2, on the board top")
    let moves = rules.legalMoves(of: Seat(1), in: position).map { rules.text(of: $0) }
    #expect(moves == ["d1", "e1", "f1", "d2", "e2", "f2", "d3", "e3", "f3"])
    #expect(Array(rules.encode(position).suffix(2)) == [0, 1])
  }

  @Test func movesAreReadAsTheyAreWritten() {
    for code in 0..<UInt32(81) {
      guard let move = rules.move(code: MoveCode(code)) else { continue }
      #expect(rules.code(of: move) == MoveCode(code))
      #expect(rules.move(text: rules.text(of: move)) == move)
      #expect(rules.move(text: rules.text(of: move).uppercased()) == move)
    }
    for text in ["", "e", "5e", "j1", "a0", "e55", " e5", "e５", "`1"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
    for code: UInt32 in [81, 255, .max] { #expect(rules.move(code: MoveCode(code)) == nil) }
  }

  @Test func settingsAreRefused() {
    var parameters = Parameters()
    parameters["boards"] = "9"
    #expect(throws: RulesError.unknownParameter("boards", known: [])) { try UltimateTicTacToe(parameters) }
  }
}

/// Ultimate tic-tac-toe on 81 letters, board by board.
private struct SlowUltimate {
  private var cells = [Character](repeating: ".", count: 81)
  private var sentTo: Int?

  private func board(_ number: Int) -> [Character] { Array(cells[(9 * number)..<(9 * number + 9)]) }

  private func owner(_ nine: [Character]) -> Character? {
    let lines = [
      [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]
    for line in lines {
      let sign = nine[line[0]]
      if sign == "X" || sign == "O", line.allSatisfy({ nine[$0] == sign }) { return sign }
    }
    return nil
  }

  var winner: Character? { owner((0..<9).map { owner(board($0)) ?? "." }) }

  private func isOpen(_ number: Int) -> Bool {
    owner(board(number)) == nil && board(number).contains(".")
  }

  var moves: [Int] {
    guard winner == nil else { return [] }
    let boards = sentTo.map { isOpen($0) ? [$0] : nil } ?? nil
    return (boards ?? (0..<9).filter(isOpen)).flatMap { number in
      (0..<9).map { 9 * number + $0 }.filter { cells[$0] == "." }
    }
  }

  mutating func play(_ move: Int, _ sign: Character) {
    cells[move] = sign
    sentTo = move % 9
  }
}

import BotKit
import Games
import Rules
import TestKit
import Testing

@Suite struct OthelloTests {
  let rules = Othello()

  private func position(_ moves: String, first: Seat = Seat(0)) throws -> Othello.Position {
    var game = GameOf(rules: rules, position: rules.start(first: first))
    for text in moves.split(separator: " ") {
      let code = try #require(game.code(text: String(text)))
      let isPlayed = game.play(code)
      #expect(isPlayed, "\(text)")
    }
    return game.position
  }

  private func texts(_ position: Othello.Position) -> [String] {
    rules.legalMoves(of: position.mover, in: position).map { rules.text(of: $0) }
  }

  @Test func keepsTheSuite() {
    RulesSuite.check(Othello.self, codes: 0...80, games: 20)
  }

  @Test func goldenPlaythroughs() throws { try Playthrough.check(Othello.self, settings: [[], []]) }

  @Test func theStartIsTheStandardOne() throws {
    let start = rules.start(first: Seat(0))
    #expect(texts(start) == ["d3", "c4", "f5", "e6"])
    #expect(texts(try position("d3")) == ["c3", "e3", "c5"])
    let other = rules.start(first: Seat(1))
    #expect(rules.turn(in: other) == .seat(Seat(1)) && other.stones(of: Seat(1)) == start.stones(of: Seat(0)))
  }

  /// Counts with forced passes that are no plies of their own
  /// (`reference/data/perft/othello.txt`, `pass_is_ply=0`).
  @Test func countsAreThePublishedOnes() {
    let published: [UInt64] = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_320, 24_571_192]
    let depth = Effort.size(7, quick: 6, variable: "PARLOR_PERFT")
    for depth in 1...min(depth, published.count - 1) {
      #expect(count(rules.start(first: Seat(0)), depth) == published[depth], "depth \(depth)")
    }
  }

  private func count(_ position: Othello.Position, _ depth: Int) -> UInt64 {
    if depth == 1 { return UInt64(position.moves.nonzeroBitCount) }
    var total: UInt64 = 0
    rules.forEachMove(of: position.mover, in: position) { move in
      var next = position
      rules.play(move, in: &next)
      total += count(next, depth - 1)
    }
    return total
  }

  /// The rules again, by walking over a board of letters: moves, turned stones, passes and ends of random games.
  @Test func agreesWithASlowReference() throws {
    var passes = 0
    for seed in 0..<UInt64(Effort.size(300, quick: 40)) {
      var random = RandomStream(seed: seed)
      var position = rules.start(first: Seat(UInt16(seed % 2)))
      var board = SlowOthello()
      while true {
        let seat = position.mover
        let isFirst = seat == position.first
        let moves = rules.legalMoves(of: seat, in: position).map { Int($0.cell) }
        guard case .seat(seat) = rules.turn(in: position) else {
          #expect(board.moves(true).isEmpty && board.moves(false).isEmpty)
          let counts = [board.count(true), board.count(false)]
          let winner =
            counts[0] == counts[1] ? nil : counts[0] > counts[1] ? position.first : position.first.opponent
          #expect(rules.turn(in: position).outcome?.winner == winner)
          break
        }
        #expect(moves == board.moves(isFirst), "seed \(seed)")
        if position.isAfterPass {
          passes += 1
          #expect(board.moves(!isFirst).isEmpty)
        }
        let cell = moves[Int(random.below(UInt64(moves.count)))]
        rules.play(try #require(Othello.Move(cell: cell)), in: &position)
        board.play(cell, isFirst)
        #expect(
          (0..<64).filter { position.stones(of: position.first) >> UInt64($0) & 1 == 1 } == board.cells(true))
        #expect(
          (0..<64).filter { position.stones(of: position.first.opponent) >> UInt64($0) & 1 == 1 }
            == board.cells(false))
      }
    }
    #expect(passes > 10, "\(passes) passes")
  }

  @Test func aPassIsInThePictureAndInTheBytes() throws {
    var seen = false
    for seed in 0..<100 as Range<UInt64> where !seen {
      var random = RandomStream(seed: seed)
      var position = rules.start(first: Seat(0))
      while !position.isOver, !position.isAfterPass {
        let moves = rules.legalMoves(of: position.mover, in: position)
        rules.play(moves[Int(random.below(UInt64(moves.count)))], in: &position)
      }
      guard position.isAfterPass, !position.isOver else { continue }
      seen = true
      #expect(rules.encode(position)[16] & 4 == 4)
      let words = rules.diagram(of: position).lines.map { $0.text() }
      #expect(words.contains("Passed, without a move: \(position.mover.opponent)"))
    }
    #expect(seen)
  }

  /// The shortest game: after nine moves one side has no stone left, and nobody can move.
  @Test func aSideWithoutStonesHasLost() throws {
    let end = try position("e6 f4 e3 f6 g5 d6 e7 f5 c5")
    #expect(end.isOver && end.count(of: Seat(0)) == 13 && end.count(of: Seat(1)) == 0)
    #expect(rules.turn(in: end) == .over(.won(by: Seat(0), of: 2)))
    for seat in [Seat(0), Seat(1)] { #expect(rules.legalMoves(of: seat, in: end).isEmpty) }
  }

  @Test func movesAreReadAsTheyAreWritten() {
    for cell in 0..<64 {
      guard let move = Othello.Move(cell: cell) else { continue }
      #expect(rules.move(text: rules.text(of: move)) == move)
      #expect(rules.move(text: rules.text(of: move).uppercased()) == move)
      #expect(rules.move(code: rules.code(of: move)) == move)
    }
    for text in ["", "d", "3d", "i1", "a9", "a0", "d33", " d3", "d３", "`1", "\u{41}\u{301}"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
    for code: UInt32 in [64, 255, 256, .max] { #expect(rules.move(code: MoveCode(code)) == nil) }
  }

  @Test func settingsAreRefused() {
    var parameters = Parameters()
    parameters["rows"] = "7"
    #expect(throws: RulesError.unknownParameter("rows", known: [])) { try Othello(parameters) }
  }
}

/// Othello on a list of 64 cells; `true` is the side that moved first.
private struct SlowOthello {
  private var stones = [Bool?](repeating: nil, count: 64)

  init() {
    (stones[28], stones[35]) = (true, true)
    (stones[27], stones[36]) = (false, false)
  }

  func cells(_ side: Bool) -> [Int] { stones.indices.filter { stones[$0] == side } }
  func count(_ side: Bool) -> Int { cells(side).count }
  func moves(_ side: Bool) -> [Int] { stones.indices.filter { !turned($0, side).isEmpty } }

  mutating func play(_ cell: Int, _ side: Bool) {
    for place in turned(cell, side) + [cell] { stones[place] = side }
  }

  private func turned(_ cell: Int, _ side: Bool) -> [Int] {
    guard stones[cell] == nil else { return [] }
    var all: [Int] = []
    for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
      var (column, row) = (cell % 8 + right, cell / 8 + down)
      var run: [Int] = []
      while (0..<8).contains(column), (0..<8).contains(row), stones[8 * row + column] == !side {
        run.append(8 * row + column)
        (column, row) = (column + right, row + down)
      }
      if (0..<8).contains(column), (0..<8).contains(row), stones[8 * row + column] == side { all += run }
    }
    return all
  }
}

import BotKit
import Games
import Rules
import SearchBots
import Testing

#if DEBUG
  private let endgames = [(plies: 36, positions: 300), (plies: 31, positions: 60)]
  private let limits: [UInt64] = [1, 2, 50, 3000]
#else
  private let endgames = [
    (plies: 36, positions: 3000), (plies: 31, positions: 1000), (plies: 26, positions: 60),
  ]
  private let limits: [UInt64] = [1, 2, 50, 3000, 70_000, 200_000]
#endif

@Suite("Connect Four: solver")
struct SearchSolverTests {
  let rules = ConnectFour()
  let solver = ConnectFourSolver(tableBits: 20)

  @Test("values and best moves of end games agree with a plain search", arguments: endgames)
  func endgame(plies: Int, positions: Int) throws {
    var random = RandomStream(seed: UInt64(plies))
    for _ in 0..<positions {
      let position = SearchReference.randomPosition(plies: plies, &random)
      let solution = try solver.solve(position)
      let scores = SearchReference.children(of: position).map {
        ($0.column, -SearchReference.score($0.after))
      }
      let best = try #require(scores.map(\.1).max())
      #expect(solution.value == best, "\(position)")
      #expect(solution.bestColumns == scores.filter { $0.1 == best }.map(\.0), "\(position)")
      #expect(solution.isChoiceProven)
    }
  }

  @Test("our own fixture of positions", arguments: SearchFixture.scores)
  func fixture(moves: String, score: Int32) throws {
    let position = try rules.position(moves: moves)
    #expect(try solver.solve(position, movesWanted: false).value == score)
  }

  @Test("the first plies are known without a search, and each is the best of those after it")
  func opening() throws {
    let empty = rules.start(first: Seat(0))
    let solution = try solver.solve(empty)
    #expect(solution.value == 1 && solution.bestColumns == [3] && solution.nodes == 1)
    for (_, one) in SearchReference.children(of: empty) {
      let replies = try SearchReference.children(of: one).map {
        -(try #require(try solver.solve($0.after, nodeLimit: 1).value))
      }
      let solution = try solver.solve(one, nodeLimit: 1)
      #expect(solution.value == replies.max())
      #expect(solution.bestColumns == replies.indices.filter { replies[$0] == replies.max() })
    }
  }

  @Test("games that are over have their score and no move")
  func over() throws {
    let won = try solver.solve(rules.position(moves: "1212121"))
    #expect(won.value == -18 && won.bestColumns == [] && won.choice == nil && won.nodes == 0)
    let drawn = try solver.solve(rules.position(moves: "547125662261271266215743771576315353334444"))
    #expect(drawn.value == 0 && drawn.bestColumns == [])
  }

  @Test("within any limit: no more positions, bounds that hold, the same again and after other work")
  func limit() throws {
    var random = RandomStream(seed: 3)
    let full = SearchFixture.scores.filter { (14...24).contains($0.moves.utf8.count) }.prefix(6)
    for (moves, score) in full {
      let position = try rules.position(moves: moves)
      for limit in limits {
        let solution = try solver.solve(position, nodeLimit: limit)
        #expect(solution.nodes <= limit)
        #expect(solution.lower <= score && score <= solution.upper)
        _ = try solver.solve(SearchReference.randomPosition(plies: 30, &random))
        #expect(try solver.solve(position, nodeLimit: limit) == solution)
        #expect(try ConnectFourSolver(tableBits: 20).solve(position, nodeLimit: limit) == solution)
      }
    }
  }

  @Test("a mirrored position has the same score and mirrored best moves")
  func mirror() throws {
    for (moves, score) in SearchFixture.scores.filter({ $0.moves.utf8.count > 22 }) {
      let mirrored = String(decoding: moves.utf8.map { 0x31 + (0x37 - $0) }, as: UTF8.self)
      let solution = try solver.solve(rules.position(moves: moves))
      let other = try solver.solve(rules.position(moves: mirrored))
      #expect(other.value == score)
      #expect(other.bestColumns == solution.bestColumns?.map { 6 - $0 }.reversed())
    }
  }

  @Test("a search that is no longer wanted stops with an error")
  func cancelled() throws {
    let position = try rules.position(moves: "444")
    #expect(throws: BotError.cancelled) { try solver.solve(position, isCancelled: { true }) }
  }
}

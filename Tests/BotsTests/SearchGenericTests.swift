import BotKit
import Rules
import SearchBots
import Testing

@Suite("Searches of any game")
struct SearchGenericTests {
  @Test("the full search knows Nim: multiples of four are lost", arguments: 1...30)
  func fullSearch(stones: Int) throws {
    let rules = Nim(stones: stones)
    let search = FullSearch(Nim.self, positions: 100)
    let game = GameOf(rules: rules, position: rules.start(first: Seat(1)))
    let answer = try search.answer(game, nodeLimit: 1, isCancelled: { false })
    let rest = stones % 4
    #expect(answer.value == (rest == 0 ? -1 : 1))
    let all = (1...min(3, stones)).map { MoveCode(UInt32($0)) }
    #expect(answer.best == (rest == 0 ? all : [MoveCode(UInt32(rest))]))
    #expect(answer.choice?.isProven == true)
    #expect(answer.nodes <= 2 * UInt64(stones) + 4)
  }

  @Test("the full search of a finished game has the loser's value and no move")
  func finished() throws {
    let rules = Nim(stones: 0)
    let game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    let answer = try FullSearch(Nim.self, positions: 100).answer(game, nodeLimit: nil, isCancelled: { false })
    #expect(answer.value == -1 && answer.best == [] && answer.choice == nil)
  }

  @Test("the full search stops when asked")
  func cancelled() {
    let rules = Nim(stones: 3000)
    let game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    #expect(throws: BotError.cancelled) {
      try FullSearch(Nim.self, positions: 9000).answer(game, nodeLimit: nil, isCancelled: { true })
    }
  }

  @Test("alpha-beta to the end knows Nim, and wins as fast as it can", arguments: 1...12)
  func alphaBeta(stones: Int) {
    let rules = Nim(stones: stones)
    var search = AlphaBeta(rules, depth: 12, isCancelled: { false })
    let answer = search.bestMoves(of: Seat(0), in: rules.start(first: Seat(0)), depth: 12)
    let rest = stones % 4
    #expect(AlphaBeta<Nim>.ending(answer.value) == (rest == 0 ? -1 : 1))
    if rest != 0 { #expect(answer.best == [rest]) }
    #expect(!search.hasEstimated)
  }

  @Test("alpha-beta says that it estimated when the depth ends before the game")
  func estimates() {
    let rules = Nim(stones: 21)
    var search = AlphaBeta(rules, depth: 2, isCancelled: { false })
    let answer = search.bestMoves(of: Seat(0), in: rules.start(first: Seat(0)), depth: 2)
    #expect(search.hasEstimated && answer.value == 0 && answer.best == [1, 2, 3])
    #expect(AlphaBeta<Nim>.ending(answer.value) == nil)
  }

  @Test("alpha-beta stops when asked")
  func stops() {
    let rules = Nim(stones: 60)
    var search = AlphaBeta(rules, depth: 20, isCancelled: { true })
    _ = search.bestMoves(of: Seat(0), in: rules.start(first: Seat(0)), depth: 20)
    #expect(search.isStopped && search.nodes < 5000)
  }
}

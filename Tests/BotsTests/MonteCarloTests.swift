import BotKit
import Games
import Rules
import SearchBots
import TestKit
import Testing

/// Monte Carlo tree search beside what is known.
@Suite struct MonteCarloTests {
  /// Who wins a position when both play right: 1 for `seat`, 0 for nobody.
  private static func result<R: Evaluated>(_ rules: R, _ position: R.Position, for seat: Seat) -> Int {
    switch rules.turn(in: position) {
    case .over(let outcome): return outcome.winner.map { $0 == seat ? 1 : -1 } ?? 0
    case .round: preconditionFailure("seats of these games move in turn")
    case .seat(let mover):
      let results = rules.legalMoves(of: mover, in: position).map { move in
        var after = position
        rules.play(move, in: &after)
        return result(rules, after, for: mover)
      }
      let best = results.max() ?? 0
      return mover == seat ? best : 0 - best
    }
  }

  /// Searches a position to its proof, and says whether the move keeps what the position is worth.
  private static func isRight<R: Evaluated>(_ rules: R, _ position: R.Position, games: Int) -> Bool {
    guard case .seat(let seat) = rules.turn(in: position) else { return true }
    var search = MonteCarlo(GameOf(rules: rules, position: position), seat: seat, seed: 3)
    guard let move = search.move(games: games, isCancelled: { false }) else { return false }
    var after = position
    rules.play(move, in: &after)
    return result(rules, after, for: seat) == result(rules, position, for: seat)
  }

  @Test(arguments: 1...20) func itKnowsNim(_ stones: Int) throws {
    let rules = Nim(stones: stones)
    let game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    var search = MonteCarlo(game, seat: Seat(0), seed: 1)
    let found = search.move(games: 20_000, isCancelled: { false })
    let move = try #require(found)
    if stones % 4 != 0 { #expect(move == stones % 4) }
    // It stops when the end is proven.
    #expect(search.games < 20_000)
  }

  @Test func itPlaysNoMistakeAtTicTacToe() {
    let rules = TicTacToe()
    var chance = Chance(seed: 8)
    for _ in 0..<Effort.size(200, quick: 40) {
      var position = rules.start(first: Seat(0))
      for _ in 0..<(2 + chance.below(6)) {
        guard case .seat(let seat) = rules.turn(in: position) else { break }
        rules.play(rules.randomMove(of: seat, in: position, by: &chance), in: &position)
      }
      #expect(Self.isRight(rules, position, games: 3_000), "\(position)")
    }
  }

  /// A side without a move passes here, so that the same side moves twice.
  @Test func itPlaysNoMistakeAtTheEndOfOthello() {
    let rules = Othello()
    var chance = Chance(seed: 5)
    var twice = 0
    for _ in 0..<Effort.size(100, quick: 25) {
      var position = rules.start(first: Seat(0))
      var movers: [Seat] = []
      while case .seat(let seat) = rules.turn(in: position), movers.count < 55 {
        movers.append(seat)
        rules.play(rules.randomMove(of: seat, in: position, by: &chance), in: &position)
      }
      if zip(movers, movers.dropFirst()).contains(where: ==) { twice += 1 }
      #expect(Self.isRight(rules, position, games: 3_000), "\(position)")
    }
    #expect(twice > 0)
  }

  @Test func itStopsWhenItIsToAndNeverPlaysMoreGames() {
    let rules = ConnectFour()
    let game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    var stopped = MonteCarlo(game, seat: Seat(0), seed: 1)
    #expect(stopped.move(games: 1_000, isCancelled: { true }) == nil && stopped.games == 0)
    for limit in [1, 2, 63, 500] {
      var search = MonteCarlo(game, seat: Seat(0), seed: 1)
      _ = search.move(games: limit, isCancelled: { false })
      #expect(search.games == limit)
    }
  }

  /// The more games, the stronger: in every game that it plays.
  @Test(arguments: ["tic-tac-toe", "connect-four"] + SearchedGameTests.games)
  func itBeatsChance(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules()
    let catalog = BotCatalog(SearchBots.families)
    let bots = try ["monte-carlo:\(Effort.size(100, quick: 30))", "random"].map {
      try catalog.bot($0, for: rules)
    }
    let games = Effort.size(40, quick: 6)
    let (wins, losses) = try SearchedGameTests.ends(of: bots, rules, games: games, seed: 6)
    #expect(wins * 10 >= games * 8 && losses * 10 <= games, "\(wins) won and \(losses) lost of \(games)")
  }
}

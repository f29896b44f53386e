import BotKit
import Games
import Rules
import SearchBots
import TestKit
import Testing

/// Games that bots look ahead in, and that no exact search proves.
@Suite struct SearchedGameTests {
  static let games = [KInARow.name, Gomoku.name, Othello.name, UltimateTicTacToe.name]

  private let catalog = BotCatalog(SearchBots.families)

  /// Has two bots play games, in which they take turns at moving first.
  /// - Returns: how many the first one wins and loses.
  static func ends(
    of bots: [any Bot], _ rules: any GameRules, games: Int, seed: UInt64
  ) throws -> (wins: Int, losses: Int) {
    var (wins, losses) = (0, 0)
    for number in 0..<UInt32(games) {
      var game = rules.start(first: Seat(UInt16(number % 2)))
      var ply: UInt32 = 0
      while case .seat(let seat) = game.turn {
        let source = RandomSource(seed: seed, game: number, seat: seat, ply: ply)
        let choice = try bots[seat.index].choose(BotTurn(game: game, seat: seat, randomness: source))
        let isPlayed = game.play(choice.code)
        #expect(isPlayed)
        ply += 1
      }
      if game.turn.outcome?.winner == Seat(0) { wins += 1 }
      if game.turn.outcome?.winner == Seat(1) { losses += 1 }
    }
    return (wins, losses)
  }

  @Test(arguments: games) func lookingAheadBeatsChance(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules()
    let bots = try ["lookahead:2", "random"].map { try catalog.bot($0, for: rules) }
    let games = Effort.size(20, quick: 10)
    let (wins, _) = try Self.ends(of: bots, rules, games: games, seed: 5)
    #expect(wins * 10 >= games * 9, "\(wins) of \(games)")
  }

  @Test(arguments: games) func theSolverDoesNotPlayIt(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules()
    #expect(
      catalog.families(playing: name).map(\.name) == [
        "random", "greedy", "lookahead", "monte-carlo", "level",
      ])
    #expect(throws: BotError.self) { try catalog.bot("solver", for: rules) }
  }
}

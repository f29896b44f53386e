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

  @Test(arguments: games) func lookingAheadBeatsChance(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules()
    let bots = try ["lookahead:2", "random"].map { try catalog.bot($0, for: rules) }
    let games = Effort.size(40, quick: 10)
    var wins = 0
    for number in 0..<UInt32(games) {
      var game = rules.start(first: Seat(UInt16(number % 2)))
      var ply: UInt32 = 0
      while case .seat(let seat) = game.turn {
        let source = RandomSource(seed: 5, game: number, seat: seat, ply: ply)
        let choice = try bots[seat.index].choose(BotTurn(game: game, seat: seat, randomness: source))
        let isPlayed = game.play(choice.code)
        #expect(isPlayed)
        ply += 1
      }
      if game.turn.outcome?.winner == Seat(0) { wins += 1 }
    }
    #expect(wins * 10 >= games * 9, "\(wins) of \(games)")
  }

  @Test(arguments: games) func theSolverDoesNotPlayIt(_ name: String) throws {
    let rules = try #require(Games.catalog.newest(name)).rules()
    #expect(catalog.families(playing: name).map(\.name) == ["random", "greedy", "lookahead", "monte-carlo"])
    #expect(throws: BotError.self) { try catalog.bot("solver", for: rules) }
  }
}

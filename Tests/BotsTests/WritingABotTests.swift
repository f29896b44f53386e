import BotKit
import Games
import Rules
import Testing

/// The bot of Docs/WRITING-A-BOT.md.
struct CornerBot: Bot {
  let declaration = BotDeclaration(specification: "corner", version: 1, nodeBudget: 0)

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let moves = turn.game.legalMoves
    for corner: UInt32 in [0, 2, 6, 8] where moves.contains(MoveCode(corner)) {
      return BotChoice(MoveCode(corner))
    }
    var random = turn.randomness.generator()
    return BotChoice(moves[Int(random.below(UInt64(moves.count)))])
  }
}

@Suite struct WritingABotTests {
  @Test func theBotOfThePageIsFoundAndPlays() throws {
    let family = BotFamily(
      name: "corner", summary: "takes corners", plays: { $0 == "tic-tac-toe" }, build: { _, _ in CornerBot() }
    )
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let bot = try BotCatalog([family]).bot("corner", for: rules)
    var game = rules.start(first: Seat(0))
    var played: [UInt32] = []
    while case .seat(let seat) = game.turn {
      let source = RandomSource(seed: 1, seat: seat, ply: UInt32(played.count))
      let choice = try bot.choose(BotTurn(game: game, seat: seat, randomness: source))
      let isLegal = game.play(choice.code)
      #expect(isLegal)
      played.append(choice.code.rawValue)
    }
    #expect(played.prefix(4) == [0, 2, 6, 8])
  }
}

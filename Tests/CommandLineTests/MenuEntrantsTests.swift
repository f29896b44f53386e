import BotKit
import Games
import Rules
import Testing

@testable import parlor

/// The bots that the menu proposes.
@Suite struct MenuEntrantsTests {
  @Test func theBotsOfABracketCanPlay() throws {
    for game in Games.catalog.definitions {
      let rules = try game.rules(Parameters())
      let bots = Menu.entrants(of: game.name).split(separator: ",").map(String.init)
      #expect((2...4).contains(bots.count), "\(game.name): \(bots)")
      for bot in bots { _ = try OwnBots.known.bot(bot, for: rules) }
    }
  }
}
